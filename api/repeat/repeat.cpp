// SPDX-License-Identifier: Apache-2.0
#include "api/repeat/repeat.hpp"

#include "api/repeat/played_run.hpp"
#include "api/repeat/race_points.hpp"
#include "api/repeat/worker_processes.hpp"
#include "api/report/distribution.hpp"
#include "sim/config_error.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace fenceline {
namespace {

constexpr std::size_t table_bytes = std::size_t{64} << 20;
constexpr std::size_t most_followed = 256;
constexpr std::size_t counts_bytes = std::size_t{1} << 30;
constexpr std::size_t most_races = 10;

/// What the workers of a repetition write: counts of each worker, and of each run makespan and packets.
class Results {
 public:
  Results(const Program& program, const RepeatOptions& options)
      : queues_(program.queues.size()),
        deadlines_(program.deadlines.size()),
        runs_(options.runs),
        followed_(packets_followed(options.runs, queues_)),
        counts_(options.jobs * kinds() * sizeof(CountedTimes)),
        makespans_(runs_ * sizeof(std::uint64_t)),
        missed_(options.jobs * deadlines_ * sizeof(Missed) + 1),
        times_(runs_ * queues_ * followed_ * 2 * sizeof(std::uint64_t) + 1) {}

  void add(std::uint32_t job, std::uint64_t run, const PlayedRun& played) {
    if (!played.completed) return;
    makespans()[run] = std::max<std::uint64_t>(played.makespan_ps, 1);
    of(job, 0).add(played.makespan_ps);
    for (const std::uint64_t latency : played.preemption_ps) of(job, 1).add(latency);
    std::vector<std::size_t> seen(queues_);
    std::uint64_t* const times = times_of(run);
    for (const PlayedPacket& packet : played.packets) {
      of(job, 2 + packet.queue).add(packet.finished_ps - packet.submitted_ps);
      const std::size_t number = seen[packet.queue]++;
      if (number >= followed_) continue;
      std::uint64_t* const place = times + 2 * (packet.queue * followed_ + number);
      place[0] = packet.started_ps;
      place[1] = packet.finished_ps;
    }
    for (std::size_t i = 0; i < deadlines_; ++i) {
      const DeadlineResult& deadline = played.deadlines[i];
      Missed& missed = missed_of(job, i);
      missed.times += deadline.count;
      missed.missed += deadline.missed;
      missed.runs += deadline.missed > 0 ? 1 : 0;
      if (deadline.missed > 0) of(job, 2 + queues_ + i).add(deadline.worst_ps);
    }
  }

  Repeated result(const Program& program, const RepeatOptions& options) const {
    Repeated repeated;
    repeated.runs = options.runs;
    repeated.seed = options.seed;
    repeated.completed = static_cast<std::uint64_t>(
        std::count_if(makespans(), makespans() + runs_, [](std::uint64_t makespan_ps) { return makespan_ps > 0; }));
    repeated.makespan = times("makespan", options.jobs, 0);
    make_exact(repeated.makespan);
    repeated.preemption = times("preemption", options.jobs, 1);
    for (std::size_t i = 0; i < queues_; ++i) {
      repeated.queues.push_back(times(program.queues[i].name, options.jobs, 2 + i));
    }
    for (std::size_t i = 0; i < deadlines_; ++i) {
      RepeatedDeadline deadline;
      deadline.late = times(program.deadlines[i].name, options.jobs, 2 + queues_ + i);
      for (std::uint32_t job = 0; job < options.jobs; ++job) {
        const Missed& missed = missed_of(job, i);
        deadline.times += missed.times;
        deadline.missed += missed.missed;
        deadline.runs_missing += missed.runs;
      }
      repeated.deadlines.push_back(std::move(deadline));
    }
    for (const TimeMode& mode : repeated.makespan.modes) repeated.mode_seeds.push_back(seed_of(mode, options.seed));
    repeated.packets_followed = followed_;
    return repeated;
  }

  RunTable table() const {
    return {makespans(), static_cast<const std::uint64_t*>(times_.at(0)), runs_, queues_, followed_};
  }

 private:
  struct Missed {
    std::uint64_t times, missed, runs;
  };

  static std::size_t packets_followed(std::size_t runs, std::size_t queues) {
    const std::size_t fit = table_bytes / (runs * std::max<std::size_t>(queues, 1) * 2 * sizeof(std::uint64_t));
    return std::min(fit, most_followed);
  }
  /// Makespan, preemption, each queue, each deadline.
  std::size_t kinds() const { return 2 + queues_ + deadlines_; }
  CountedTimes& of(std::uint32_t job, std::size_t kind) const {
    return static_cast<CountedTimes*>(counts_.at(0))[job * kinds() + kind];
  }
  std::uint64_t* makespans() const { return static_cast<std::uint64_t*>(makespans_.at(0)); }
  std::uint64_t* times_of(std::uint64_t run) const {
    return static_cast<std::uint64_t*>(times_.at(0)) + run * queues_ * followed_ * 2;
  }
  Missed& missed_of(std::uint32_t job, std::size_t deadline) const {
    return static_cast<Missed*>(missed_.at(0))[job * deadlines_ + deadline];
  }

  RepeatedTimes times(const std::string& what, std::uint32_t jobs, std::size_t kind) const {
    const auto all = std::make_unique<CountedTimes>();  // too large for a stack
    for (std::uint32_t job = 0; job < jobs; ++job) all->add(of(job, kind));
    return {what,         all->count(), all->percentile(5000), all->percentile(9000), all->percentile(9900),
            all->least(), all->most(),  all->modes()};
  }

  /// Makespans are there one by one.
  void make_exact(RepeatedTimes& makespan) const {
    std::vector<std::uint64_t> sorted;
    std::copy_if(makespans(), makespans() + runs_, std::back_inserter(sorted),
                 [](std::uint64_t makespan_ps) { return makespan_ps > 0; });
    if (sorted.empty()) return;
    const std::uint64_t most_ps = *std::max_element(sorted.begin(), sorted.end());
    const Distribution exact = distribution_of(std::move(sorted));
    makespan.p50_ps = exact.p50_ps;
    makespan.p90_ps = exact.p90_ps;
    makespan.p99_ps = exact.p99_ps;
    makespan.most_ps = most_ps;
  }

  /// Of the run whose makespan is nearest to the mode's median.
  std::uint64_t seed_of(const TimeMode& mode, std::uint64_t first) const {
    const auto distance = [&](std::uint64_t makespan_ps) {
      if (makespan_ps == 0) return ~std::uint64_t{0};
      return std::max(makespan_ps, mode.median_ps) - std::min(makespan_ps, mode.median_ps);
    };
    const std::uint64_t* const nearest = std::min_element(
        makespans(), makespans() + runs_, [&](std::uint64_t a, std::uint64_t b) { return distance(a) < distance(b); });
    return first + static_cast<std::uint64_t>(nearest - makespans());
  }

  std::size_t queues_;
  std::size_t deadlines_;
  std::size_t runs_;
  std::size_t followed_;
  SharedMemory counts_;
  SharedMemory makespans_;
  SharedMemory missed_;
  SharedMemory times_;
};

/// Names of the packets from one more run, whatever order they had there.
std::vector<RepeatedRace> named(const std::vector<RacePoint>& points, const Program& program, std::size_t followed,
                                const PlayedRun& run) {
  const auto packet_at = [&](std::size_t place) {
    NamedPacket packet{program.queues[place / followed].name, place % followed + 1, ""};
    std::size_t number = 0;
    for (const PlayedPacket& played : run.packets) {
      if (played.queue == place / followed && number++ == place % followed) packet.list = played.list;
    }
    return packet;
  };
  const auto outcome = [](const RaceOutcome& of) {
    return RepeatedRace::Outcome{of.runs, of.makespan_ps, of.one_end_ps, of.other_end_ps};
  };
  std::vector<RepeatedRace> races;
  races.reserve(points.size());
  for (const RacePoint& point : points) {
    races.push_back({packet_at(point.one), packet_at(point.other), outcome(point.first), outcome(point.second)});
  }
  return races;
}

/// No more than there are runs, nor than counts fit.
std::uint32_t useful_jobs(const Program& program, const RepeatOptions& options) {
  const std::size_t of_job = (2 + program.queues.size() + program.deadlines.size()) * sizeof(CountedTimes);
  const std::uint64_t most = std::min<std::uint64_t>(options.runs, std::max<std::size_t>(counts_bytes / of_job, 1));
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(options.jobs, 1, most));
}

void check_independent(const MachineConfig& machine) {
  const std::string& directory = machine.shader_cache.directory;
  if (directory.empty()) return;
  throw ConfigError("--set", "/shader_cache/directory", "nothing beside --repeat: each run begins anew",
                    in_quotes(directory));
}

}  // namespace

Repeated repeat(const LoadedWorkload& loaded, const RepeatOptions& options) {
  check_independent(loaded.machine);
  RepeatOptions bounded = options;
  bounded.jobs = useful_jobs(loaded.program, options);
  Results results(loaded.program, bounded);
  in_processes(bounded.jobs, [&](std::uint32_t job) {
    for (std::uint64_t run = job; run < bounded.runs; run += bounded.jobs) {
      results.add(job, run, play_once(loaded, bounded.seed + run, bounded.limit_ps));
    }
  });
  Repeated repeated = results.result(loaded.program, bounded);
  const std::vector<RacePoint> points = race_points(results.table(), most_races);
  if (!points.empty()) {
    repeated.races =
        named(points, loaded.program, repeated.packets_followed, play_once(loaded, bounded.seed, bounded.limit_ps));
  }
  return repeated;
}

}  // namespace fenceline
