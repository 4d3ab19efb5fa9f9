// SPDX-License-Identifier: Apache-2.0
// The same work stopped at the same moment at every granularity: the finer, the sooner, and the more there is to save.
#include "tests/engines/random_engines.hpp"
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Lists on a random machine that a level is tried on again and again.
template <class Kind, class Config>
class Trial {
 public:
  Trial(RandomLists& random, std::uint64_t packets) : board_(random_board(random)) {
    config_ = random_engine<Config>(random);
    config_.hardware_queues = 1;
    config_.hardware_queue_depth = 4;
    config_.graphics_preemption = {};
    config_.compute_preemption = {};
    config_.copy_preemption = {};
    const SubmissionCost cost{random.below(3) * 50'000, random.below(3) * 1000, random.below(3) * 100'000};
    for (std::uint64_t id = 1; id <= packets; ++id) {
      packets_.push_back(packet_of(id, random.list(1 + random.below(12)), cost));
    }
    end_ps_ = 1 + run(config_, {})->top().completed.back().at_ps;
  }
  std::uint64_t end_ps() const { return end_ps_; }
  const ThreadContextState& state() const { return config_.context_state; }
  Board::Preempted stop(PreemptionLevel graphics, PreemptionLevel compute, std::uint64_t at_ps) const {
    const auto bench = run(stopping_at(config_, graphics, compute, std::min(compute, PreemptionLevel::group)), {at_ps});
    return bench->top().preempted.at(0);
  }
  std::unique_ptr<PreemptionBench> run(const Config& config, const std::vector<std::uint64_t>& requests_ps) const {
    auto bench = std::make_unique<PreemptionBench>(board_, engine_of<Kind>(config));
    for (const DmaPacket& packet : packets_) bench->submit(0, 0, packet);
    for (const std::uint64_t at_ps : requests_ps) bench->preempt(at_ps);
    bench->resubmit(1000 * ns);
    bench->kernel.run_to_end();
    return bench;
  }

 private:
  BoardConfig board_;
  Config config_;
  std::vector<DmaPacket> packets_;
  std::uint64_t end_ps_ = 0;
};

/// Another packet starts when the state has been saved: sooner, but for what saving more costs.
void check_finer(const PreemptionReport& coarse, const PreemptionReport& fine) {
  // A draw's write-back that is cut at a triangle begins anew with the byte that was on its way, of 100 GB/s that
  // others share.
  constexpr std::uint64_t byte_ps = 40;
  REQUIRE(fine.stopped_ps <= coarse.stopped_ps + byte_ps);
  REQUIRE(fine.free_ps <= coarse.free_ps + (fine.free_ps - fine.stopped_ps) + byte_ps);
}

/// It has come so far that there is state to save.
bool has_begun(const Board::Preempted& answer) { return !answer.packets.empty() && answer.packets.front().begun(); }

template <class Kind, class Config>
void check_order(std::uint64_t seed, RandomLists::Kind kind, int rounds) {
  RandomLists random(seed, kind);
  for (int round = 0; round < rounds; ++round) {
    const Trial<Kind, Config> trial(random, 2);
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t at_ps = random.below(trial.end_ps());
      INFO("round " << round << ", at " << at_ps);
      std::vector<Board::Preempted> answers;
      for (const PreemptionLevel level : preemption_levels) answers.push_back(trial.stop(level, level, at_ps));
      for (std::size_t finer = 1; finer < answers.size(); ++finer) {
        INFO("level " << finer);
        const PreemptionReport& coarse = answers[finer - 1].report;
        const PreemptionReport& fine = answers[finer].report;
        check_finer(coarse, fine);
        if (has_begun(answers[finer])) REQUIRE(fine.saved_bytes >= coarse.saved_bytes);
      }
    }
  }
}

}  // namespace

TEST_CASE("preemption: the finer a copy engine's granularity the sooner it stops", "[engines]") {
  check_order<CopyEngine, CopyEngineConfig>(51, RandomLists::Kind::copy, 60);
}

TEST_CASE("preemption: the finer a compute engine's granularity the sooner it stops", "[engines]") {
  check_order<ComputeEngine, ComputeEngineConfig>(52, RandomLists::Kind::compute, 60);
}

TEST_CASE("preemption: the finer the 3D engine's granularity the sooner it stops", "[engines]") {
  check_order<GraphicsEngine, GraphicsEngineConfig>(53, RandomLists::Kind::graphics, 60);
}

TEST_CASE("preemption: a finer granularity of draws or of dispatches stops the 3D engine no later", "[engines]") {
  RandomLists random(54, RandomLists::Kind::graphics);
  for (int round = 0; round < 30; ++round) {
    const Trial<GraphicsEngine, GraphicsEngineConfig> trial(random, 2);
    const std::uint64_t at_ps = random.below(trial.end_ps());
    INFO("round " << round << ", at " << at_ps);
    std::map<std::pair<PreemptionLevel, PreemptionLevel>, PreemptionReport> reports;
    for (const PreemptionLevel draws : preemption_levels) {
      for (const PreemptionLevel dispatches : preemption_levels) {
        reports[{draws, dispatches}] = trial.stop(draws, dispatches, at_ps).report;
        const PreemptionReport& report = reports[{draws, dispatches}];
        if (std::max(draws, dispatches) < PreemptionLevel::shader) REQUIRE(report.saved_bytes <= trial.state().bytes);
      }
    }
    for (const auto& [levels, report] : reports) {
      for (const auto& [coarser, other] : reports) {
        if (coarser.first > levels.first || coarser.second > levels.second) continue;
        INFO(static_cast<int>(levels.first)
             << ' ' << static_cast<int>(levels.second) << " after " << static_cast<int>(coarser.first) << ' '
             << static_cast<int>(coarser.second));
        check_finer(other, report);
      }
    }
  }
}
