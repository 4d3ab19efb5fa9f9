// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cmath>
#include <cstdint>
#include <string>

namespace fenceline::testing {

/// Writes what a scheduler and one node, adapter.3d0, tell each other. Times are in microseconds.
class ProtocolScript {
 public:
  explicit ProtocolScript(EventLog& log) : log_(log), node_(log.name("adapter.3d0")) {}

  static std::uint64_t ps(double micros) { return static_cast<std::uint64_t>(std::llround(micros * 1e6)); }
  LogName context(const std::string& name) { return log_.name("adapter.scheduler." + name); }

  void queued(std::uint64_t packet, const std::string& name, double at) {
    log_.queued({context(name), node_, packet, PacketType::render, {}, 0, 0, ps(at)});
  }
  void ready(std::uint64_t packet, const std::string& name, double at) {
    log_.ready({context(name), node_, packet, ps(at)});
  }
  void submit(std::uint64_t packet, const std::string& name, std::uint64_t fence_id, double at,
              std::uint32_t resubmissions = 0, std::uint32_t queue = 0) {
    log_.submission({node_, queue, context(name), packet, fence_id, PacketType::render, resubmissions, ps(at)});
  }
  /// All three at once.
  void arrive(std::uint64_t packet, const std::string& name, std::uint64_t fence_id, double at) {
    queued(packet, name, at);
    ready(packet, name, at);
    submit(packet, name, fence_id, at);
  }
  void attempt(std::uint64_t waiting, std::uint64_t running, const char* result, double at) {
    log_.attempt({node_, 0, waiting, running, log_.name(result), ps(at)});
  }
  void request(std::uint64_t fence_id, PreemptionReason reason, std::uint64_t victim, std::uint64_t beneficiary,
               double at, const char* limit = "", std::uint32_t queue = 0) {
    log_.request({node_, queue, fence_id, ps(at), reason, victim, beneficiary, log_.name(limit)});
    requested_ps_ = ps(at);
  }
  /// A packet, or moving its state.
  void ran(std::uint64_t packet, double from, double to, bool stopped = false) {
    log_.span({node_, SpanKind::packet, log_.name("list"), ps(from), ps(to), packet, stopped});
  }
  void moved(SpanKind what, std::uint64_t packet, double from, double to) {
    log_.span({node_, what, log_.name(name_of(what)), ps(from), ps(to), packet});
  }
  /// DMA_PREEMPTED and, when the scheduler has learned of it, its record.
  void preempted(std::uint64_t fence_id, std::uint64_t last_completed, std::uint32_t packets, double stopped,
                 double free, double known, const StateBytes& saved = {}, double restore_wait = 0,
                 const char* level = "", std::uint32_t queue = 0, double first_requested = -1) {
    log_.interrupt({node_, queue, InterruptType::dma_preempted, fence_id, last_completed, ps(free), ps(known)});
    PreemptionRecord record{};
    record.node = node_;
    record.hardware_queue = queue;
    record.preemption_fence_id = fence_id;
    record.requested_ps = first_requested < 0 ? requested_ps_ : ps(first_requested);
    record.stopped_ps = ps(stopped);
    record.free_ps = ps(free);
    record.known_ps = ps(known);
    record.packets = packets;
    record.saved = saved;
    record.saved_bytes = saved.total();
    record.restore_wait_ps = ps(restore_wait);
    record.level_asked = log_.name("shader_boundary");
    record.level_reached = log_.name(level);
    log_.preemption(record);
  }
  /// DMA_COMPLETED and the packet's record.
  void complete(std::uint64_t packet, const std::string& name, std::uint64_t fence_id, double at,
                std::uint32_t queue = 0) {
    log_.interrupt({node_, queue, InterruptType::dma_completed, fence_id, fence_id, ps(at), ps(at)});
    PacketRecord record{};
    record.id = packet;
    record.context = context(name);
    record.node = node_;
    record.submission_fence_id = fence_id;
    record.started_ps = record.finished_ps = record.completed_ps = ps(at);
    log_.packet(record);
  }
  LogName node() const { return node_; }

 private:
  EventLog& log_;
  LogName node_;
  std::uint64_t requested_ps_ = 0;
};

/// Packet 1 of the game runs from 0 on; packet 2 of the compositor is ready at 100 and asks at 150, after a grace of
/// 50. The game stops at 170, the engine is free at 175, the scheduler knows at 180. The compositor's context is loaded
/// from 181 to 183, it runs until 203. The game goes on at 217, once its state is back, and ends at 300.
inline void play_game_and_compositor(ProtocolScript& script) {
  script.arrive(1, "game", 1, 0);
  script.queued(2, "compositor", 100);
  script.ready(2, "compositor", 100);
  script.attempt(2, 1, "MissRemainingPreemptionQuantum", 100);
  script.attempt(2, 1, "Success", 150);
  script.request(2, PreemptionReason::higher_rank, 1, 2, 150, "pixel_boundary");
  script.ran(1, 0, 170, true);
  script.moved(SpanKind::save, 1, 170, 175);
  script.preempted(2, 0, 1, 170, 175, 180, {1000, 200, 30, 4}, 0, "pixel_boundary");
  script.submit(2, "compositor", 3, 180);
  script.ready(1, "game", 180);
  script.submit(1, "game", 4, 180, 1);
  script.moved(SpanKind::context_switch, 2, 181, 183);
  script.ran(2, 183, 203);
  script.complete(2, "compositor", 3, 204);
  script.moved(SpanKind::context_switch, 1, 204, 205);
  script.moved(SpanKind::restore, 1, 205, 217);
  script.ran(1, 217, 300);
  script.complete(1, "game", 4, 301);
}

}  // namespace fenceline::testing
