// SPDX-License-Identifier: Apache-2.0
// CPU cores at random: what a thread has done is what its rates add up to.
#include "bgproc/cores/cpu_cores.hpp"
#include "tests/bgproc/cores/cores_bench.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Picoseconds x full_cpu_rate.
using WideWork = unsigned __int128;

CpuPriority priority_at(const Computing& thread, std::uint64_t time_ps) {
  CpuPriority priority = thread.priorities.front().second;
  for (const auto& [since_ps, changed] : thread.priorities) {
    if (since_ps <= time_ps) priority = changed;
  }
  return priority;
}

/// What each thread has done, by the rates of `cpu_places` between any two times at which something changed.
std::vector<WideWork> integrals_of(const CpuConfig& config, const CoresTop& t) {
  std::set<std::uint64_t> times;
  for (const Computing& thread : t.threads) {
    times.insert({thread.begin, thread.end});
    for (const auto& [since_ps, priority] : thread.priorities) times.insert(since_ps);
  }
  std::vector<WideWork> done(t.threads.size());
  for (auto from = times.begin(); from != times.end() && std::next(from) != times.end(); ++from) {
    const std::uint64_t length = *std::next(from) - *from;
    std::vector<std::size_t> active;
    std::vector<CpuPriority> priorities;
    for (const std::size_t index : t.begun) {
      const Computing& thread = t.threads[index];
      if (thread.begin > *from || thread.end <= *from) continue;
      active.push_back(index);
      priorities.push_back(priority_at(thread, *from));
    }
    const std::vector<CpuPlace> places = cpu_places(config, priorities);
    for (std::size_t i = 0; i < active.size(); ++i) done[active[i]] += WideWork{places[i].rate} * length;
  }
  return done;
}

CpuPriority random_priority(std::mt19937& random) { return random() % 3 == 0 ? as_idle : as_normal; }

void plan_at_random(CoresTop& t, std::mt19937& random, std::uint64_t scale) {
  const std::size_t count = 1 + random() % 12;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t begin = random() % (4 * scale);
    const std::uint64_t work = random() % (3 * scale);
    const std::size_t index = t.start(begin, work, random_priority(random));
    for (unsigned changes = random() % 3; changes > 0; --changes) {
      t.set_priority(begin + random() % (2 * scale), index, random_priority(random));
    }
    if (random() % 4 == 0) t.cancel(begin + random() % (2 * scale), index);
  }
}

}  // namespace

TEST_CASE("cpu cores: at random, work done is the integral of the rates", "[bgproc]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const CpuConfig config = cpu_of(seed % 4, 1 + seed % 3, 0.25 * (seed % 5), 0.03 * (seed % 2));
    const std::uint64_t scale = seed % 2 == 0 ? 20 : 1'000'000'007;  // many changes at one time, or none
    CoresBench bench(config);
    bench.enter([&](CoresTop& t) { plan_at_random(t, random, scale); });
    bench.ends();  // each is called back once, unless it was cancelled
    const std::vector<WideWork> done = integrals_of(config, bench.top());
    for (std::size_t i = 0; i < done.size(); ++i) {
      const Computing& thread = bench.top().threads[i];
      const WideWork wanted = WideWork{thread.work - thread.left} * full_cpu_rate;
      // An end lies at a whole picosecond, and what is left is told in whole ones.
      const WideWork difference = done[i] > wanted ? done[i] - wanted : wanted - done[i];
      REQUIRE(static_cast<std::uint64_t>(difference) <= full_cpu_rate);
      REQUIRE(thread.end >= thread.begin);
      if (!thread.cancelled) REQUIRE(thread.end - thread.begin >= thread.work);  // nobody is faster than alone
    }
  }
}

TEST_CASE("cpu cores: at random, the same threads end at the same times again", "[bgproc]") {
  const auto ends_of = [](std::uint32_t seed) {
    std::mt19937 random(seed);
    CoresBench bench(cpu_of(2, 2));
    bench.enter([&](CoresTop& t) { plan_at_random(t, random, 1000); });
    return bench.ends();
  };
  for (std::uint32_t seed = 0; seed < 40; ++seed) CHECK(ends_of(seed) == ends_of(seed));
}

TEST_CASE("cpu cores: at random, threads that end together may change and cancel each other", "[bgproc]") {
  int together = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    CoresBench bench(cpu_of(seed % 3, 1 + seed % 2));
    bench.enter([&](CoresTop& t) {
      for (int i = 0; i < 8; ++i) t.start(100 * (random() % 3), 100 * (random() % 4), random_priority(random));
      t.when_done = [&t, &random, &together](std::size_t index) {
        Computing& other = t.threads[random() % t.threads.size()];
        const bool ends_too = other.active && other.begin + other.work == t.threads[index].end;
        if (ends_too) ++together;
        if (!other.active) return;
        if (random() % 2 == 0) {
          t.cores.set_priority(other.id, random_priority(random));
          return;
        }
        other.active = false;
        other.cancelled = true;
        other.end = t.threads[index].end;
        other.left = t.cores.cancel(other.id);
        CHECK(other.left <= other.work);
      };
    });
    bench.ends();  // each is called back once, unless it was cancelled
  }
  CHECK(together > 20);
}
