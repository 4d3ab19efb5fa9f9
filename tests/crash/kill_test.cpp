// SPDX-License-Identifier: Apache-2.0
// Writers killed at random times beside four processes that go on: what was reported stored is there.
#include "tests/crash/crash_figures.hpp"
#include "tests/crash/kill_board.hpp"
#include "tests/crash/kill_victim.hpp"
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Kills one writer after the other, and looks after each for what was reported.
class Killer {
 public:
  explicit Killer(std::uint32_t seed) : random_(seed) {
    for (std::size_t process = 1; process < KillBoard::processes; ++process) {
      companions_.push_back(std::make_unique<ChildProcess>([this, process, companion_seed = random_()] {
        end_with_parent();
        return be_companion(board_, bench_.config, process, companion_seed);
      }));
    }
  }

  void kill_one(std::uint32_t round) {
    board_.round = round;
    const VictimTask task = task_of_round();
    const std::uint32_t seed = random_();
    NumberPipe begun;
    ChildProcess victim([&] {
      end_with_parent();
      begun.write(0);
      return be_victim(board_, bench_.config, task, seed);
    });
    begun.close_writing();
    std::uint32_t nothing = 0;
    begun.read(nothing);
    constexpr std::array<std::uint32_t, 4> most_us{300, 1500, 6000, 20000};
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % most_us[random_() % most_us.size()]));
    victim.kill();
    const int result = victim.wait();
    if (victim.signal() == SIGKILL) {
      figures().count(CrashFigures::kills);
    } else if (result != 0) {
      figures().fail(CrashFigures::crashes, fmt::format("round {}, task {}: a victim ended with {}, signal {}", round,
                                                        static_cast<int>(task), result, victim.signal()));
    }
  }

  /// New reports, and some of the others or all.
  void look(bool at_all) {
    for (const auto cache : {KillBoard::shared, KillBoard::own}) {
      CacheDescription description = KillBoard::description(cache);
      if (cache == KillBoard::own) description.version = board_.own_version;
      const auto caches = bench_.another_process();
      const auto session = CacheBench::open_in(*caches, description);
      for (std::size_t process = 0; process < KillBoard::processes; ++process) {
        look(cache, process, *session, at_all);
      }
      // What the victim was clearing is cleared now, or never will be.
      board_.end_clear(cache);
    }
  }

  void stop() {
    board_.stop = true;
    for (const auto& companion : companions_) {
      const int result = companion->wait();
      if (result == 0) continue;
      figures().fail(CrashFigures::crashes,
                     fmt::format("a process beside ended with {}, signal {}", result, companion->signal()));
    }
    companions_.clear();
  }

 private:
  VictimTask task_of_round() {
    const std::uintmax_t bytes =
        std::filesystem::file_size(bench_.file(KillBoard::description(KillBoard::shared), ".val"), ignored_);
    if (!ignored_ && bytes > KillBoard::description(KillBoard::shared).file_bytes / 4 * 3) return VictimTask::clear;
    const std::uint32_t percent = random_() % 100;
    if (percent < 35) return VictimTask::store;
    if (percent < 50) return VictimTask::reopen;
    if (percent < 55) return VictimTask::sync;
    if (percent < 57) return VictimTask::clear;
    if (percent < 75) return VictimTask::own_store;
    if (percent < 83) return VictimTask::own_versions;
    if (percent < 91) return VictimTask::own_deleted;
    return VictimTask::own_mended;
  }

  void look(KillBoard::CacheNumber cache, std::size_t process, ShaderCacheSession& session, bool at_all) {
    std::size_t& live = live_[cache][process];
    std::size_t& looked = looked_[cache][process];
    const std::size_t count = board_.reports(cache, process);
    while (live < looked && board_.may_be_gone(cache, board_.report(cache, process, live))) ++live;
    const auto look_at = [&](std::size_t number) {
      const bool found = board_.look_for(cache, session, board_.report(cache, process, number), "after a kill");
      figures().count(CrashFigures::reports);
      figures().count(found ? CrashFigures::found : CrashFigures::cleared);
    };
    if (at_all) looked = live;
    for (int some = 0; some < 50 && live < looked; ++some) look_at(live + random_() % (looked - live));
    for (; looked < count; ++looked) look_at(looked);
  }

  CacheBench bench_;
  KillBoard& board_ = KillBoard::make();
  std::mt19937 random_;
  std::vector<std::unique_ptr<ChildProcess>> companions_;
  std::array<std::array<std::size_t, KillBoard::processes>, KillBoard::caches> live_{};
  std::array<std::array<std::size_t, KillBoard::processes>, KillBoard::caches> looked_{};
  std::error_code ignored_;
};

}  // namespace

TEST_CASE("shader cache crash: killed at random times beside four processes, it loses nothing and is never wrong",
          "[crash]") {
  const auto kills = static_cast<std::uint32_t>(crash_size("FENCELINE_CRASH_KILLS", 150));
  CAPTURE(crash_seed());
  Killer killer(crash_seed());
  for (std::uint32_t round = 1; round <= kills; ++round) {
    killer.kill_one(round);
    killer.look(round % 64 == 0 || round == kills);
    if (round % 50 == 0 || round == kills) tell_progress("kills", round, kills);
  }
  killer.stop();
  INFO(figures().failures());
  CHECK(figures()[CrashFigures::kills] == kills);
  CHECK(figures()[CrashFigures::found] > 0);
  CHECK(figures()[CrashFigures::lost] == 0);
  CHECK(figures()[CrashFigures::wrong] == 0);
  CHECK(figures()[CrashFigures::crashes] == 0);
}
