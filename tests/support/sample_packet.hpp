// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

namespace fenceline::testing {

/// A packet of two preemptions, with another time in each of its stamps but one.
inline PacketRecord sample_packet(EventLog& log) {
  PacketRecord packet{};
  packet.id = 12;
  packet.context = log.name("adapter.app.compute");
  packet.node = log.name("adapter.compute0");
  packet.label = log.name("frame");
  packet.type = PacketType::render;
  packet.preemptions = 2;
  packet.submission_fence_id = 7;
  packet.submitted_ps = 1;
  packet.head_ps = 1'000'001;
  packet.ready_ps = 1'000'001;
  packet.hardware_ps = 2'500'000;
  packet.started_ps = 3'000'000;
  packet.finished_ps = 12'345'678;
  packet.completed_ps = 12'345'679;
  packet.preempted_ps = 2'345'678;
  return packet;
}

}  // namespace fenceline::testing
