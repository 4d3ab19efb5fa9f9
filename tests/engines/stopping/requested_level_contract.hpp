// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/engines/engine_contract.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline::testing {
namespace contract {

/// Each copy takes 40 us of PCIe's 25 GB/s, and barriers keep them apart.
inline DmaPacket four_copies(std::uint64_t id) {
  CommandStream stream;
  for (int i = 0; i < 4; ++i) {
    if (i > 0) stream.commands.emplace_back(Barrier{});
    stream.commands.emplace_back(CopyBuffer{CopyRoute::host_to_device, 1'000'000});
  }
  return packet_of(id, std::move(stream), {1'000, 1'000, 0});
}

inline EngineConfig engine_stopping_at(PreemptionLevel level) {
  EngineConfig config;
  config.hardware_queue_depth = 4;
  config.context_state.bytes = 1000;
  config.context_state.save_us = 2;
  config.context_state.restore_us = 5;
  return stopping_at(config, level);
}

/// What is asked of the engine when; finest levels.
struct Ask {
  std::uint64_t at_ps;
  PreemptionLevel finest;
};

/// Three packets; the first Ask preempts, those that follow deepen. What came back is submitted again at 1 ms.
inline std::unique_ptr<ContractBench> run_asked(const MakeContractEngine& make, PreemptionLevel granularity,
                                                const std::vector<Ask>& asks, bool restoring = false) {
  auto bench = std::make_unique<ContractBench>(make, engine_stopping_at(granularity));
  for (std::uint64_t id = 1; id <= 3; ++id) bench->submit(0, 0, four_copies(id));
  if (restoring) bench->preempt(20 * us, 0);
  Board& board = bench->top();
  board.on_preempted = [&board](Board::Preempted& answer) {
    for (DmaPacket& packet : answer.packets) {
      auto again = std::make_shared<DmaPacket>(packet);
      board.script.at(1000 * us * board.preempted.size(),
                      [&board, again] { board.engine->submit(0, std::move(*again)); });
    }
  };
  bench->enter([&](Board&) {
    for (std::size_t i = 0; i < asks.size(); ++i) {
      board.script.at(asks[i].at_ps, [&board, ask = asks[i], first = i == 0] {
        if (first) {
          board.engine->preempt(0, ask.finest);
        } else {
          board.engine->deepen(0, ask.finest);
        }
      });
    }
  });
  bench->kernel.run_to_end();
  CHECK(board.completed.size() == 3);
  return bench;
}

/// The same answer, but for when it was asked.
inline void check_same_answer(const Board::Preempted& a, const Board::Preempted& b) {
  CHECK(a.at_ps == b.at_ps);
  CHECK(a.report.stopped_ps == b.report.stopped_ps);
  CHECK(a.report.free_ps == b.report.free_ps);
  CHECK(a.report.saved_bytes == b.report.saved_bytes);
  CHECK(a.report.last_completed_fence_id == b.report.last_completed_fence_id);
  REQUIRE(a.packets.size() == b.packets.size());
  for (std::size_t i = 0; i < a.packets.size(); ++i) {
    CHECK(a.packets[i].id == b.packets[i].id);
    CHECK(a.packets[i].cursor.command == b.packets[i].cursor.command);
    CHECK(a.packets[i].halted.size() == b.packets[i].halted.size());
  }
}

inline void a_request_is_no_finer_than_asked(const MakeContractEngine& make) {
  // In the first packet's first copy, between two, in its last one, in the second packet.
  for (const std::uint64_t at_ps : {10 * us, 60 * us, 155 * us, 200 * us}) {
    for (const PreemptionLevel finest : preemption_levels) {
      for (const PreemptionLevel granularity : preemption_levels) {
        if (std::min(finest, granularity) == PreemptionLevel::none) continue;  // no answer before all is done
        INFO("at " << at_ps << ", finest " << static_cast<int>(finest) << " of " << static_cast<int>(granularity));
        const auto limited = run_asked(make, granularity, {{at_ps, finest}});
        const auto coarse = run_asked(make, std::min(finest, granularity), {{at_ps, PreemptionLevel::shader}});
        REQUIRE(limited->top().preempted.size() == 1);
        check_same_answer(limited->top().preempted[0], coarse->top().preempted.at(0));
        CHECK(limited->top().preempted[0].report.requested_ps == at_ps);
      }
    }
  }
}

inline void a_deepened_request_is_as_one_made_then(const MakeContractEngine& make) {
  for (const bool restoring : {false, true}) {
    // Being restored: the first packet from 1000 us on, for 5 us and what saving it took of bytes.
    const std::uint64_t begin_ps = restoring ? 1000 * us : 0;
    for (const std::uint64_t deepened_ps : {begin_ps + 2 * us, begin_ps + 4 * us, begin_ps + 37 * us}) {
      const std::uint64_t at_ps = begin_ps + 1 * us;
      for (const PreemptionLevel finest : {PreemptionLevel::command, PreemptionLevel::group}) {
        INFO("deepened at " << deepened_ps << " to " << static_cast<int>(finest));
        const auto deepened = run_asked(make, PreemptionLevel::group,
                                        {{at_ps, PreemptionLevel::dma_buffer}, {deepened_ps, finest}}, restoring);
        const auto made_then = run_asked(make, PreemptionLevel::group, {{deepened_ps, finest}}, restoring);
        REQUIRE(deepened->top().preempted.size() == (restoring ? 2 : 1));
        check_same_answer(deepened->top().preempted.back(), made_then->top().preempted.back());
        CHECK(deepened->top().preempted.back().report.requested_ps == at_ps);
      }
    }
  }
}

inline void deepening_counts_while_commands_are_halting(const MakeContractEngine& make) {
  // At 10 us the copy in flight is to finish (at 40); at 20 it may stop between two transfers.
  const auto deepened =
      run_asked(make, PreemptionLevel::group, {{10 * us, PreemptionLevel::command}, {20 * us, PreemptionLevel::group}});
  const auto made_then = run_asked(make, PreemptionLevel::group, {{20 * us, PreemptionLevel::group}});
  check_same_answer(deepened->top().preempted.at(0), made_then->top().preempted.at(0));
  CHECK(deepened->top().preempted[0].report.stopped_ps == 20 * us);
  // Coarser than it may stop already, or the same: nothing changes.
  const auto finer = run_asked(make, PreemptionLevel::group,
                               {{10 * us, PreemptionLevel::command},
                                {20 * us, PreemptionLevel::command},
                                {21 * us, PreemptionLevel::dma_buffer}});
  const auto undisturbed = run_asked(make, PreemptionLevel::group, {{10 * us, PreemptionLevel::command}});
  check_same_answer(finer->top().preempted.at(0), undisturbed->top().preempted.at(0));
}

inline void deepening_as_the_packet_ends_changes_nothing(const MakeContractEngine& make) {
  const auto undisturbed = run_asked(make, PreemptionLevel::group, {{10 * us, PreemptionLevel::dma_buffer}});
  const DmaPacket& first = undisturbed->top().completed.at(0).packet;
  const std::uint64_t retired_ps = undisturbed->top().completed[0].at_ps;
  REQUIRE(first.id == 1);
  REQUIRE(undisturbed->top().preempted.at(0).at_ps == retired_ps);
  // The packet is complete and not retired, retires at this moment, has retired: then there is no request any more.
  for (const std::uint64_t deepened_ps :
       {first.finished_ps, first.finished_ps + 1, retired_ps - 1, retired_ps, retired_ps + 1, retired_ps + us}) {
    INFO("deepened at " << deepened_ps);
    const auto deepened = run_asked(make, PreemptionLevel::group,
                                    {{10 * us, PreemptionLevel::dma_buffer}, {deepened_ps, PreemptionLevel::group}});
    REQUIRE(deepened->top().preempted.size() == 1);
    check_same_answer(deepened->top().preempted[0], undisturbed->top().preempted[0]);
    CHECK(deepened->top().completed[0].at_ps == retired_ps);
  }
}

}  // namespace contract

/// How fine a request may stop, of whatever kind the engine is.
inline void requested_level_contract(const MakeContractEngine& make) {
  SECTION("a request stops as on an engine whose granularity is what it asks for at most") {
    contract::a_request_is_no_finer_than_asked(make);
  }
  SECTION("a deepened request is answered as one made at that moment, during a restore, too") {
    contract::a_deepened_request_is_as_one_made_then(make);
  }
  SECTION("deepening counts while commands are halting") {
    contract::deepening_counts_while_commands_are_halting(make);
  }
  SECTION("deepening as the packet ends changes nothing") {
    contract::deepening_as_the_packet_ends_changes_nothing(make);
  }
}

}  // namespace fenceline::testing
