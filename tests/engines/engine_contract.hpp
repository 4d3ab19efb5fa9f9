// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/assert.hpp"
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// Makes an engine of one kind from what every engine has.
using MakeContractEngine = std::function<Board::MakeEngine(const EngineConfig&)>;

namespace contract {

/// The usual board, with this engine.
class ContractBench : public PreemptionBench {
 public:
  ContractBench(const MakeContractEngine& make, const EngineConfig& config)
      : PreemptionBench(BoardConfig{}, make(config)) {}
};

/// Commands that every kind of engine runs.
inline CommandStream copies(std::uint64_t count, std::uint64_t bytes) {
  CommandStream stream;
  for (std::uint64_t i = 0; i < count; ++i) {
    stream.commands.emplace_back(CopyBuffer{CopyRoute::host_to_device, bytes});
    if (i % 3 == 1) stream.commands.emplace_back(Barrier{});
    if (i % 3 == 2) stream.commands.emplace_back(Timestamp{static_cast<std::uint32_t>(i)});
  }
  return stream;
}

inline void latencies_add_up(const MakeContractEngine& make) {
  ContractBench bench(make, {});
  const SubmissionCost cost{10'000, 3'000, 2'000};
  bench.submit(5'000, 0, packet_of(1, {}, cost));
  bench.submit(6'000, 0, packet_of(2, {}, cost));    // waits behind the first
  bench.submit(100'000, 0, packet_of(3, {}, cost));  // finds the queue empty
  bench.submit(112'000, 0, packet_of(4, {}, cost));  // the third has finished and is not yet retired
  bench.kernel.run_to_end();
  const auto& completed = bench.top().completed;
  REQUIRE(completed.size() == 4);
  const auto check = [&](std::size_t i, std::uint64_t hardware_ps, std::uint64_t started_ps) {
    CHECK(completed[i].packet.hardware_ps == hardware_ps);
    CHECK(completed[i].packet.started_ps == started_ps);
    CHECK(completed[i].packet.finished_ps == started_ps);  // no commands
    CHECK(completed[i].at_ps == started_ps + cost.retire_ps);
  };
  check(0, 5'000, 5'000 + cost.launch_ps);
  check(1, 6'000, completed[0].at_ps + cost.launch_ps + cost.follow_ps);
  check(2, 100'000, 100'000 + cost.launch_ps);
  check(3, 112'000, completed[2].at_ps + cost.launch_ps + cost.follow_ps);
}

inline void packets_complete_in_order(const MakeContractEngine& make) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    EngineConfig config;
    config.hardware_queues = static_cast<std::uint32_t>(1 + random() % 3);
    config.hardware_queue_depth = static_cast<std::uint32_t>(1 + random() % 4);
    config.commands_in_flight = static_cast<std::uint32_t>(1 + random() % 4);
    config.command_cycles = static_cast<std::uint32_t>(random() % 2 * 100);
    config.barrier_cycles = static_cast<std::uint32_t>(random() % 2 * 50);
    ContractBench bench(make, config);
    Board& board = bench.top();
    const std::uint64_t count = 40;
    std::vector<std::uint64_t> sent_to(count + 1);
    std::vector<std::size_t> commands(count + 1);
    std::uint64_t next = 1;
    const auto fill = [&] {
      for (std::uint32_t queue = 0; queue < config.hardware_queues; ++queue) {
        while (next <= count && board.engine->has_room(queue)) {
          DmaPacket packet = packet_of(next, copies(random() % 6, random() % 100'000),
                                       {random() % 3 * 1000, random() % 3 * 1000, random() % 3 * 1000});
          sent_to[next] = queue;
          commands[next] = packet.stream->commands.size();
          const std::size_t before = board.engine->packets_in(queue);
          board.engine->submit(queue, std::move(packet));
          REQUIRE(board.engine->packets_in(queue) == before + 1);
          ++next;
        }
        REQUIRE((next > count || board.engine->packets_in(queue) == config.hardware_queue_depth));
      }
    };
    board.on_completed = fill;  // from inside the listener, too
    bench.enter([&](Board&) { fill(); });
    bench.kernel.run_to_end();
    REQUIRE(board.completed.size() == count);
    std::vector<std::uint64_t> last(config.hardware_queues, 0);
    std::vector<std::uint64_t> last_completed_ps(config.hardware_queues, 0);
    std::vector<int> times(count + 1, 0);
    for (const Board::Completed& done : board.completed) {
      const DmaPacket& packet = done.packet;
      REQUIRE(++times[packet.id] == 1);
      REQUIRE(sent_to[packet.id] == done.queue);
      REQUIRE(packet.id > last[done.queue]);
      REQUIRE(packet.cursor.command == commands[packet.id]);
      REQUIRE(packet.hardware_ps + packet.cost.launch_ps <= packet.started_ps);
      REQUIRE(packet.started_ps >= last_completed_ps[done.queue] + packet.cost.launch_ps);  // one runs at a time
      REQUIRE(packet.started_ps <= packet.finished_ps);
      REQUIRE(packet.finished_ps + packet.cost.retire_ps == done.at_ps);
      std::size_t timestamps = 0;
      for (const Command& command : packet.stream->commands) timestamps += std::holds_alternative<Timestamp>(command);
      REQUIRE(packet.timestamps.size() == timestamps);
      for (const auto& [slot, time] : packet.timestamps) {
        REQUIRE(time >= packet.started_ps);
        REQUIRE(time <= packet.finished_ps);
      }
      last[done.queue] = packet.id;
      last_completed_ps[done.queue] = done.at_ps;
    }
    for (std::uint32_t queue = 0; queue < config.hardware_queues; ++queue) {
      REQUIRE(board.engine->packets_in(queue) == 0);
    }
  }
}

inline void depth_is_honoured(const MakeContractEngine& make) {
  EngineConfig config;
  config.hardware_queues = 2;
  config.hardware_queue_depth = 3;
  ContractBench bench(make, config);
  bench.enter([&](Board& board) {
    for (std::uint64_t id = 1; id <= 3; ++id) {
      CHECK(board.engine->has_room(1));
      board.engine->submit(1, packet_of(id, {}));
    }
    CHECK_FALSE(board.engine->has_room(1));
    CHECK(board.engine->has_room(0));  // each queue has a depth of its own
    CHECK_THROWS_AS(board.engine->submit(1, packet_of(4, {})), InternalError);
    std::vector<std::uint64_t> ids;
    board.engine->for_each_packet(1, [&](const DmaPacket& packet) { ids.push_back(packet.id); });
    CHECK(ids == std::vector<std::uint64_t>{1, 2, 3});
  });
  bench.top().on_completed = [&] {
    if (bench.top().completed.size() == 1) CHECK(bench.top().engine->has_room(1));  // its place is free by then
  };
  bench.kernel.run_to_end();
  CHECK(bench.top().completed.size() == 3);
}

inline void preemption_withholds_what_its_granularity_allows(const MakeContractEngine& make) {
  for (const auto level : {PreemptionLevel::none, PreemptionLevel::dma_buffer}) {
    EngineConfig config;
    config.hardware_queues = 2;
    config.hardware_queue_depth = 4;
    config = stopping_at(config, level);
    const SubmissionCost cost{1'000, 1'000, 1'000};
    const auto run = [&](bool preempt) {
      auto bench = std::make_unique<ContractBench>(make, config);
      for (std::uint64_t id = 1; id <= 3; ++id) bench->submit(0, 0, packet_of(id, copies(2, 1'000'000), cost));
      bench->submit(0, 1, packet_of(11, copies(1, 1'000'000), cost));
      bench->submit(0, 1, packet_of(12, copies(1, 1'000'000), cost));
      if (preempt) bench->preempt(5'000'000, 0);  // the first packet's bytes are on their way
      bench->submit(1'000'000'000, 0, packet_of(4, copies(1, 1000), cost));  // long after the answer
      bench->kernel.run_to_end();
      return bench;
    };
    const auto undisturbed = run(false);
    const auto preempted = run(true);
    CHECK(undisturbed->top().preempted.empty());
    REQUIRE(preempted->top().preempted.size() == 1);
    const Board::Preempted& answer = preempted->top().preempted[0];
    CHECK(answer.queue == 0);
    std::vector<std::uint64_t> withheld;
    for (const DmaPacket& packet : answer.packets) {
      withheld.push_back(packet.id);
      CHECK(packet.cursor.command == 0);
      CHECK(packet.timestamps.empty());
    }
    const bool some = level == PreemptionLevel::dma_buffer;
    CHECK(withheld == (some ? std::vector<std::uint64_t>{2, 3} : std::vector<std::uint64_t>{}));
    std::vector<std::uint64_t> completed;
    for (const auto& done : preempted->top().completed) {
      if (done.queue == 0) completed.push_back(done.packet.id);
    }
    CHECK(completed == (some ? std::vector<std::uint64_t>{1, 4} : std::vector<std::uint64_t>{1, 2, 3, 4}));
    // The running packet and the other queue did not notice.
    for (const std::uint64_t id : {1, 11}) {
      const auto finished = [&](Board& board) {
        for (const auto& done : board.completed) {
          if (done.packet.id == id) return done.packet.finished_ps;
        }
        return std::uint64_t{0};
      };
      CHECK(finished(preempted->top()) > 5'000'000);
      CHECK(finished(preempted->top()) == finished(undisturbed->top()));
    }
    if (!some) continue;
    // What came back runs to its end when submitted again.
    std::uint64_t at = preempted->kernel.now_ps();
    std::vector<DmaPacket> again = std::move(preempted->top().preempted[0].packets);
    for (DmaPacket& packet : again) preempted->submit(at, 0, std::move(packet));
    preempted->kernel.run_to_end();
    CHECK(preempted->top().completed.back().packet.id == 3);
    CHECK(preempted->top().completed.size() == 6);
    CHECK(preempted->top().completed.back().packet.hardware_ps == at);
  }
}

inline void preemption_is_always_answered(const MakeContractEngine& make) {
  EngineConfig config;
  config.hardware_queue_depth = 4;
  const SubmissionCost cost{1'000, 1'000, 0};
  ContractBench bench(make, config);
  bench.preempt(0, 0);  // nothing there
  bench.submit(10'000, 0, packet_of(1, {}, cost));
  bench.preempt(10'500, 0);  // launching
  bench.preempt(13'000, 0);  // nothing there any more
  bench.submit(20'000, 0, packet_of(2, {}, cost));
  bench.submit(20'000, 0, packet_of(3, {}, cost));
  bench.preempt(21'500, 0);  // retiring, one behind it
  bench.kernel.run_to_end();
  const Board& board = bench.top();
  REQUIRE(board.preempted.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(board.preempted[i].packets.empty());
  REQUIRE(board.preempted[3].packets.size() == 1);
  CHECK(board.preempted[3].packets[0].id == 3);
  const std::vector<std::uint64_t> at_ps = {0, 12'000, 13'000, 22'000};
  for (std::size_t i = 0; i < at_ps.size(); ++i) {
    CHECK(board.preempted[i].at_ps == at_ps[i]);
    CHECK(board.preempted[i].report.free_ps == at_ps[i]);
    CHECK(board.preempted[i].report.saved_bytes == 0);
  }
  CHECK(board.preempted[3].report.requested_ps == 21'500);
  CHECK(board.preempted[3].report.last_completed_fence_id == board.completed[1].packet.submission_fence_id);
  REQUIRE(board.completed.size() == 2);
  CHECK(board.completed[0].at_ps == 12'000);
  CHECK(board.completed[1].at_ps == 22'000);
}

}  // namespace contract

/// What a scheduler may rely on, of whatever kind the engine is.
inline void engine_contract(const MakeContractEngine& make) {
  SECTION("launch, follow and retire latencies add up") { contract::latencies_add_up(make); }
  SECTION("packets of each hardware queue complete in order, exactly once, with ordered stamps") {
    contract::packets_complete_in_order(make);
  }
  SECTION("the depth of a hardware queue is honoured") { contract::depth_is_honoured(make); }
  SECTION("preemption withholds exactly the queued packets, and the running one finishes") {
    contract::preemption_withholds_what_its_granularity_allows(make);
  }
  SECTION("a request to preempt is always answered") { contract::preemption_is_always_answered(make); }
}

}  // namespace fenceline::testing
