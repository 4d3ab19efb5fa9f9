// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "scheduler/context.hpp"
#include "scheduler/fence_unit.hpp"
#include "scheduler/policy.hpp"
#include "sim/agenda.hpp"
#include "sim/slots.hpp"

#include <systemc>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

struct SchedulerConfig {
  std::string source;
  double quantum_us = 2500;
};
void describe(Fields& f, SchedulerConfig& c);

/// A context that cannot go on: the first packet of its software queue waits.
struct StuckContext {
  ContextId context;
  FenceId fence;
  std::uint64_t value;
};

/// Moves queue packets from the contexts' software queues to the nodes' hardware queues, and fences when they are done.
///
/// Within a context everything happens in the order submitted. A wait holds back what follows it; a signal takes place
/// once everything before it is complete, and does not hold back what follows. Between contexts the policy decides.
class Scheduler : public sc_core::sc_module, public EngineListener, public FenceWaiter {
 public:
  /// Node i is `nodes[i]`; the engines must outlive the scheduler.
  Scheduler(sc_core::sc_module_name name, const SchedulerConfig& config, const std::vector<Engine*>& nodes,
            FenceUnit& fences, EventLog& log);

  ContextId create_context(const ContextConfig& config);
  const Context& context(ContextId id) const { return contexts_[static_cast<std::uint32_t>(id)]; }
  std::size_t contexts() const { return contexts_.size(); }

  void execute(ContextId context, std::shared_ptr<const CommandStream> stream);
  void signal(ContextId context, FenceId fence, std::uint64_t value);
  void wait(ContextId context, FenceId fence, std::uint64_t value);

  /// Packets submitted and not yet completed, signals and waits included.
  std::uint64_t outstanding() const { return outstanding_; }
  /// Contexts whose next packet is a wait that has not been satisfied, in order of creation.
  std::vector<StuckContext> stuck() const;
  /// Contexts with a submitted signal that would bring the fence to `value` or above.
  std::vector<ContextId> holders(FenceId fence, std::uint64_t value) const;
  /// Time stamps of completed packets, in order of completion.
  struct TimestampRecord {
    ContextId context;
    std::uint64_t packet;
    std::uint32_t slot;
    std::uint64_t at_ps;
  };
  const std::vector<TimestampRecord>& timestamps() const { return timestamps_; }

 private:
  struct Wait {
    std::uint32_t context = 0;
    bool reached = false;
    std::uint64_t release_ps = 0;
  };
  struct Node {
    Engine* engine;
    std::vector<std::uint32_t> ready;  // contexts whose next packet may run
    std::vector<bool> preempting;      // by hardware queue: an answer is outstanding
    std::uint64_t next_fence_id = 1;
    std::uint64_t turns = 0;
    std::uint32_t turn_of = no_context;
    int lowest_priority = 0;  // of the contexts on it
    int highest_priority = 0;
  };
  struct Completion {
    std::uint32_t node;
    DmaPacket packet;
  };
  static constexpr std::uint32_t no_context = ~std::uint32_t{0};

  void packet_completed(Engine& engine, std::uint32_t queue, DmaPacket packet) override;
  void packets_preempted(Engine& engine, std::uint32_t queue, std::vector<DmaPacket> packets) override;
  void fence_reached(std::uint64_t wait, Signaller by) override;

  void schedule();
  void wake(std::uint64_t context);
  void enqueue(std::uint32_t context, QueuePacket packet);
  void advance(std::uint32_t context);
  bool pass_wait(Context& context, QueuePacket& packet, std::uint32_t index);
  void complete(Completion& completion);
  void signal_now(Context& context, const QueuePacket& packet, Signaller by);
  void record(const Context& context, const QueuePacket& packet, const DmaPacket* dma);
  void serve(std::uint32_t node);
  std::size_t queue_for(const Node& node, const Context& context) const;
  void submit(Node& node, std::uint32_t context, std::uint32_t queue);
  void consider_preemption(Node& node);
  bool make_way(Node& node, std::uint32_t queue, int priority);
  std::uint32_t node_index(const Engine& engine) const;

  std::uint64_t quantum_ps_;
  FenceUnit& fences_;
  EventLog& log_;
  Agenda agenda_;
  std::vector<Node> nodes_;
  std::vector<Context> contexts_;
  Slots<Wait> waits_;
  std::vector<std::uint32_t> awake_;  // contexts to look at
  std::vector<Completion> completions_;
  std::vector<TimestampRecord> timestamps_;
  std::vector<Candidate> candidates_;        // scratch of serve
  std::vector<std::uint32_t> candidate_of_;  // scratch of serve
  std::uint64_t released_at_ps_ = 0;         // when a signal last released a waiting context
  std::uint32_t released_ = 0;               // how many it has released at that moment
  bool asking_ = false;                      // inside Engine::preempt: an answer now is no news
  std::uint64_t next_packet_id_ = 1;
  std::uint64_t outstanding_ = 0;
  sc_core::sc_event schedule_;
};

}  // namespace fenceline
