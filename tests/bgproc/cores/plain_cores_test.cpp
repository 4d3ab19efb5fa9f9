// SPDX-License-Identifier: Apache-2.0
// CPU cores against their plain rule, at random: the same ends, remainders and processors, to the picosecond.
#include "tests/bgproc/cores/plain_cores.hpp"

#include "bgproc/cores/cpu_cores.hpp"
#include "bgproc/cores/cpu_seats.hpp"
#include "tests/bgproc/cores/cores_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

CpuPriority random_priority(std::mt19937& random) { return random() % 3 == 0 ? as_idle : as_normal; }

/// What happened, in its order: when, to which thread, on which processor, and what it had left if it was cancelled.
using Story = std::vector<std::tuple<std::uint64_t, std::size_t, std::optional<std::uint32_t>, std::uint64_t>>;

template <class Cores>
Story story_of(std::uint32_t seed) {
  std::mt19937 random(seed);
  const CpuConfig config = cpu_of(seed % 5, 1 + seed % 3, 0.25 * (seed % 4), 0.03 * (seed % 2));
  const std::uint64_t scale = seed % 3 == 0 ? 20 : 1'000'000'007;  // many changes at one time, or none
  CoresBenchOf<Cores> bench(config);
  Story story;
  bench.enter([&](CoresTopOf<Cores>& t) {
    const std::size_t count = 1 + random() % 40;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t begin = random() % (4 * scale);
      const std::uint64_t work = random() % (3 * scale);
      const std::uint64_t order = random() % 2 == 0 ? CpuCores::last : random() % 5;
      const std::size_t index = t.start(begin, work, random_priority(random), order);
      for (unsigned changes = random() % 3; changes > 0; --changes) {
        t.set_priority(begin + random() % (2 * scale), index, random_priority(random));
      }
      if (random() % 4 == 0) t.cancel(begin + random() % (2 * scale), index);
      t.script.at(begin + random() % (2 * scale), [&t, &story, index] {
        if (!t.threads[index].active) return;
        story.emplace_back(now_ps(), index, t.cores.processor_of(t.threads[index].id), 0);
      });
    }
    t.when_done = [&t, &story](std::size_t index) {
      story.emplace_back(now_ps(), index, t.cores.processor_of(t.threads[index].id), 0);
    };
  });
  bench.ends();
  for (std::size_t i = 0; i < bench.top().threads.size(); ++i) {
    const Computing& thread = bench.top().threads[i];
    if (thread.cancelled) story.emplace_back(thread.end, i, std::nullopt, thread.left);
  }
  return story;
}

}  // namespace

TEST_CASE("cpu cores: at random, everything is as by the plain rule", "[bgproc]") {
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    REQUIRE(story_of<CpuCores>(seed) == story_of<PlainCores>(seed));
  }
}

TEST_CASE("cpu seats: threads are where cpu_places puts them, by their numbers alone", "[bgproc]") {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const CpuConfig config = cpu_of(1 + random() % 9, 1 + random() % 4, 0.1 * (random() % 11), 0.01 * (random() % 9));
    std::vector<CpuPriority> threads(random() % 50);
    for (CpuPriority& one : threads) one = random_priority(random);
    const auto normal = static_cast<std::uint64_t>(std::count(threads.begin(), threads.end(), as_normal));
    CpuSeats seats(config);
    seats.set(normal, threads.size() - normal);
    const std::vector<CpuPlace> wanted = cpu_places(config, threads);
    std::uint64_t numbers[2] = {0, 0};
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const std::uint64_t number = numbers[threads[i] == as_normal ? 0 : 1]++;
      const std::optional<std::uint64_t> shared = seats.shared_rate(threads[i]);
      const CpuPlace place = shared ? CpuPlace{{}, *shared} : seats.place_of(threads[i], number);
      REQUIRE(place.rate == wanted[i].rate);
      REQUIRE(place.processor == wanted[i].processor);
    }
  }
}
