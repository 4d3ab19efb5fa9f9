// SPDX-License-Identifier: Apache-2.0
// How packets of one context and of several share a node.
#include "tests/scheduler/bench.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Packets between their hand-over to the hardware and their completion, at the worst moment.
std::size_t most_in_hardware(const Bench& bench) {
  std::size_t most = 0;
  for (const auto& [id, packet] : bench.records()) {
    std::size_t together = 0;
    for (const auto& [other_id, other] : bench.records()) {
      together += other.hardware_ps <= packet.hardware_ps && packet.hardware_ps < other.completed_ps;
    }
    most = std::max(most, together);
  }
  return most;
}

/// The contexts, by number, in the order their packets ran.
std::vector<std::uint32_t> turns(const Bench& bench, const std::vector<std::vector<std::uint64_t>>& packets) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> starts;
  for (std::uint32_t context = 0; context < packets.size(); ++context) {
    for (const std::uint64_t packet : packets[context]) starts.emplace_back(bench.record(packet).started_ps, context);
  }
  std::sort(starts.begin(), starts.end());
  std::vector<std::uint32_t> result;
  for (const auto& [start, context] : starts) result.push_back(context);
  return result;
}

}  // namespace

TEST_CASE("context: its packets run one after another in the order submitted", "[scheduler]") {
  const std::uint32_t queues = GENERATE(1, 4);
  Bench bench({plain_node(3, queues)});
  const ContextId queue = bench.context(0);
  std::vector<std::uint64_t> packets;
  for (std::uint64_t i = 0; i < 50; ++i) packets.push_back(bench.execute(queue, (1 + i * 17 % 7) * us));
  CHECK(bench.run());
  CHECK(bench.order() == packets);
  for (std::size_t i = 1; i < packets.size(); ++i) {
    CHECK(bench.record(packets[i]).started_ps == bench.record(packets[i - 1]).finished_ps);
    CHECK(bench.record(packets[i]).submission_fence_id == bench.record(packets[i - 1]).submission_fence_id + 1);
  }
}

TEST_CASE("hardware queue: it holds as many packets as its depth and no more", "[scheduler]") {
  const std::uint32_t depth = GENERATE(1, 2, 5, 15);
  Bench bench({plain_node(depth)});
  const ContextId first = bench.context(0);
  const ContextId second = bench.context(0);
  for (int i = 0; i < 20; ++i) {
    bench.execute(first, 1 * us);
    bench.execute(second, 1 * us);
  }
  CHECK(bench.run());
  CHECK(most_in_hardware(bench) == depth);
}

TEST_CASE("hardware queues: contexts run side by side, each in one queue at a time", "[scheduler]") {
  Bench bench({plain_node(2, 2)});
  const std::vector<ContextId> contexts = {bench.context(0), bench.context(0), bench.context(0)};
  std::vector<std::vector<std::uint64_t>> packets(3);
  for (int i = 0; i < 6; ++i) {
    for (std::size_t c = 0; c < 3; ++c) packets[c].push_back(bench.execute(contexts[c], 10 * us));
  }
  CHECK(bench.run());
  CHECK(bench.record(packets[0][0]).started_ps == 0);
  CHECK(bench.record(packets[1][0]).started_ps == 0);
  CHECK(most_in_hardware(bench) == 4);  // 2 queues of depth 2
  // Each keeps its queue for its turn, in which it is done: the third comes after one of the first two.
  CHECK(bench.record(packets[2][0]).started_ps == 60 * us);
  CHECK(bench.now() == 120 * us);
  for (const auto& of_context : packets) {
    for (std::size_t i = 1; i < of_context.size(); ++i) {
      CHECK(bench.record(of_context[i]).started_ps >= bench.record(of_context[i - 1]).finished_ps);
    }
  }
}

TEST_CASE("quantum: equal contexts take turns of the quantum, rounded up to whole packets", "[scheduler]") {
  const std::uint64_t packet_us = GENERATE(50, 100, 130, 400);
  constexpr std::uint64_t quantum_us = 250;
  SchedulerConfig config;
  config.bands.normal.quantum_us = config.bands.normal.process_quantum_us = quantum_us;
  Bench bench({plain_node(1)}, config);  // depth 1: what a turn has used is known when the next packet is chosen
  const std::vector<ContextId> contexts = {bench.context(0), bench.context(0), bench.context(0)};
  std::vector<std::vector<std::uint64_t>> packets(3);
  const std::uint64_t of_turn = (quantum_us + packet_us - 1) / packet_us;
  constexpr std::uint64_t rounds = 4;
  for (std::uint64_t i = 0; i < rounds * of_turn; ++i) {
    for (std::size_t c = 0; c < 3; ++c) packets[c].push_back(bench.execute(contexts[c], packet_us * us));
  }
  CHECK(bench.run());
  std::vector<std::uint32_t> expected;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::uint32_t c = 0; c < 3; ++c) expected.insert(expected.end(), of_turn, c);
  }
  CHECK(turns(bench, packets) == expected);
}

TEST_CASE("quantum: a context alone goes on without a gap, and gives way when somebody comes after its quantum",
          "[scheduler]") {
  SchedulerConfig config;
  config.bands.normal.quantum_us = config.bands.normal.process_quantum_us = 250;
  Bench bench({plain_node(1)}, config);
  const ContextId alone = bench.context(0);
  const ContextId late = bench.context(0);
  std::vector<std::vector<std::uint64_t>> packets(2);
  for (int i = 0; i < 9; ++i) packets[0].push_back(bench.execute(alone, 100 * us));
  // At 350 us it has had the node for longer than its quantum: a turn is engine time since its owner got the engine.
  bench.at(350 * us, [&] { packets[1].push_back(bench.execute(late, 100 * us)); });
  CHECK(bench.run());
  CHECK(bench.record(packets[1][0]).started_ps == 400 * us);  // packets are not stopped inside
  CHECK(bench.now() == 1000 * us);
}

TEST_CASE("packet stamps: they never decrease and their reasons tile the packet's life", "[scheduler]") {
  NodePath path;
  path.launch_ns = 700;
  path.retire_ns = 300;
  path.follow_ns = 50;
  path.fence_cross_node_ns = 900;
  Bench bench({plain_node(2), plain_node(2)});
  const ContextId first = bench.context(0, 0, path);
  const ContextId second = bench.context(1, 0, path);
  const FenceId fence = bench.fence();
  const std::uint64_t a = bench.execute(first, 4 * us);
  const std::uint64_t b = bench.execute(first, 4 * us);
  bench.signal(first, fence, 1);
  const std::uint64_t wait = bench.wait(second, fence, 1);
  const std::uint64_t c = bench.execute(second, 1 * us, 3);
  CHECK(bench.run());
  for (const auto& [id, packet] : bench.records()) {
    const auto reasons = reasons_of(bench.log(), packet);  // throws where a stamp is before the one before it
    std::uint64_t at = packet.submitted_ps;
    for (const PacketReason& reason : reasons) {
      CHECK(reason.start_ps == at);
      at = reason.end_ps;
    }
    CHECK(at == packet.completed_ps);
  }
  CHECK(bench.record(a).started_ps == 700'000);
  CHECK(bench.record(a).completed_ps == 700'000 + 4 * us + 300'000);
  CHECK(bench.record(b).started_ps == bench.record(a).completed_ps + 700'000 + 50'000);
  CHECK(bench.record(wait).ready_ps == bench.record(b).completed_ps + 900'000);
  CHECK(bench.record(c).head_ps == bench.record(wait).completed_ps);
  CHECK(bench.record(c).finished_ps - bench.record(c).started_ps == 3 * us);
}
