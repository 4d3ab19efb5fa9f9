// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/dma_packet.hpp"
#include "engines/preemption.hpp"
#include "sim/agenda.hpp"
#include "sim/clock_domain.hpp"
#include "sim/fields.hpp"
#include "sim/log.hpp"
#include "sim/slots.hpp"

#include <systemc>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace fenceline {

/// What every node has.
struct EngineConfig {
  std::string name;  ///< of the node: "copy0". Empty: the kind and a number
  std::string source;
  double clock_mhz = 1500;
  std::uint32_t hardware_queues = 1;
  std::uint32_t hardware_queue_depth = 2;
  std::uint32_t command_cycles = 0;
  std::uint32_t barrier_cycles = 0;
  std::uint32_t commands_in_flight = 128;
  bool dispatches_overlap = true;
  double indirect_fetch_ns = 500;
  PreemptionGranularity preemption_granularity = PreemptionGranularity::dma_buffer_boundary;
};
void describe(Fields& f, EngineConfig& c);

class Engine;

/// Who gives packets to engines and hears of them again: the scheduler.
class EngineListener {
 public:
  virtual ~EngineListener() = default;
  /// The packet is done and retired; its place in the hardware queue is free.
  virtual void packet_completed(Engine& engine, std::uint32_t queue, DmaPacket packet) = 0;
  /// Answer to Engine::preempt, once the engine has stopped at its boundary: the packets that will not run now, in
  /// their order, each with the cursor it resumes from. May be empty.
  virtual void packets_preempted(Engine& engine, std::uint32_t queue, std::vector<DmaPacket> packets) = 0;
};

/// A node's engine: runs the DMA packets of each of its hardware queues in order, several queues side by side.
///
/// Inside one packet a command may start while earlier ones still run; a barrier waits for them. Commands that a
/// predicate skips pass through the front end and no further. Kinds of engines say
/// what a command costs by starting it and calling back.
class Engine : public sc_core::sc_module {
 public:
  Engine(sc_core::sc_module_name name, const EngineConfig& config, EventLog& log);

  void set_listener(EngineListener& listener) { listener_ = &listener; }
  const EngineConfig& engine_config() const { return config_; }
  /// The hardware queue takes another packet.
  bool has_room(std::uint32_t queue) const { return queues_[queue].packets.size() < config_.hardware_queue_depth; }
  std::size_t packets_in(std::uint32_t queue) const { return queues_[queue].packets.size(); }
  /// In their order; the first is running.
  template <class Visit>
  void for_each_packet(std::uint32_t queue, Visit&& visit) const {
    for (const DmaPacket& packet : queues_[queue].packets) visit(packet);
  }

  /// Needs room. The engine owns the packet until it tells its listener.
  void submit(std::uint32_t queue, DmaPacket packet);
  /// Stop what the hardware queue holds at the next boundary that the engine's granularity allows. The answer comes
  /// through packets_preempted, possibly in a later delta cycle. Packets submitted after the request are not concerned.
  void preempt(std::uint32_t queue);

 protected:
  /// Begins `command` now. `done` is called once, when it is complete, and never from inside `start`.
  virtual void start(const DmaPacket& packet, const Command& command, Callback done) = 0;
  /// What the front end takes for `next`, cycles of clock(); `previous` is the command it started before in the same
  /// packet, or null.
  virtual std::uint64_t front_end_cycles(const Command* previous, const Command& next) const;
  /// `next` must not begin before everything that started with or after `running` in its list is complete.
  virtual bool must_drain(const Command& running, const Command& next) const;
  Agenda& agenda() { return agenda_; }
  const ClockDomain& clock() const { return clock_; }
  EventLog& log() { return log_; }

 private:
  struct PendingTimestamp {
    std::uint32_t slot;
    std::uint32_t outstanding;  // earlier commands still running
    std::uint64_t sequence;
  };
  struct HardwareQueue {
    std::deque<DmaPacket> packets;  // the front one runs
    bool issuing = false;           // the front packet has launched
    bool fetching = false;          // the front end works on the next command
    bool held = false;              // the next command is ready, but the dispatch before it still runs
    bool fetched = false;           // the next command was fetched while a barrier waited
    bool indirect = false;          // the ExecuteIndirect at the cursor has begun: its own command comes next
    std::uint32_t in_flight = 0;
    std::uint64_t complete_ps = 0;      // when everything that is done will be complete
    const Command* previous = nullptr;  // started last, of the front packet
    std::vector<PendingTimestamp> timestamps;
  };
  struct InFlight {
    std::uint32_t queue;
    const Command* command;  // of the packet's stream
    std::uint64_t sequence;
    std::uint64_t start_ps;
  };
  void begin(std::uint32_t queue, bool follows);
  void launched(std::uint64_t queue);
  void issue(std::uint32_t queue);
  void fetched(std::uint64_t queue);
  static const Command& next_of(const HardwareQueue& queue);
  static void advance(HardwareQueue& queue);
  void begin_indirect(std::uint32_t queue);
  void read_memory(std::uint32_t queue);
  void memory_read(std::uint64_t queue);
  std::uint64_t fetch_end_ps(const HardwareQueue& queue, const Command& next) const;
  bool must_hold(const HardwareQueue& queue) const;
  void execute_next(std::uint32_t queue);
  void command_done(std::uint64_t slot);
  void take_timestamp(HardwareQueue& queue, std::uint32_t slot);
  bool drained(std::uint32_t queue);
  void drained_at(std::uint64_t queue);
  void finish(std::uint32_t queue);
  void retire(std::uint64_t queue);

  EngineConfig config_;
  ClockDomain clock_;
  std::uint64_t indirect_fetch_ps_;
  EventLog& log_;
  LogName log_track_;
  LogName packet_category_;
  LogName command_category_;
  Agenda agenda_;
  EngineListener* listener_ = nullptr;
  std::vector<HardwareQueue> queues_;
  Slots<InFlight> in_flight_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace fenceline
