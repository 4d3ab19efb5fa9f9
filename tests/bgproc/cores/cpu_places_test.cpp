// SPDX-License-Identifier: Apache-2.0
#include "bgproc/cores/cpu_places.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace fenceline;

namespace {

CpuConfig shape_of(std::uint32_t cores, std::uint32_t smt_width, double smt_gain = 0.25,
                   double background_slowdown = 0.01) {
  CpuConfig config;
  config.cores = cores;
  config.smt_width = smt_width;
  config.smt_gain = smt_gain;
  config.background_slowdown = background_slowdown;
  return config;
}

/// Threads by a letter each: n is normal, i is idle.
std::vector<CpuPriority> crew_of(const std::string& letters) {
  std::vector<CpuPriority> threads;
  for (const char letter : letters) threads.push_back(letter == 'n' ? CpuPriority::normal : CpuPriority::idle);
  return threads;
}

using Rates = std::vector<std::uint64_t>;
using Processors = std::vector<int>;  // -1: none of its own

constexpr int in_turns = -1;

Rates rates_in(const std::vector<CpuPlace>& places) {
  Rates rates;
  for (const CpuPlace& place : places) rates.push_back(place.rate);
  return rates;
}
Processors processors_in(const std::vector<CpuPlace>& places) {
  Processors processors;
  for (const CpuPlace& place : places) processors.push_back(place.processor ? static_cast<int>(*place.processor) : -1);
  return processors;
}

void check_places(const CpuConfig& config, const std::string& letters, const Processors& processors,
                  const Rates& rates) {
  INFO(config.cores << " cores of " << config.smt_width << ": " << letters);
  const std::vector<CpuPlace> places = cpu_places(config, crew_of(letters));
  CHECK(processors_in(places) == processors);
  CHECK(rates_in(places) == rates);
}

constexpr std::uint64_t full_rate = full_cpu_rate;
// With a gain of 0.25: (1 + (b - 1) x 0.25) / b of full speed.
constexpr std::uint64_t of_two = 625'000;    // 1.25 / 2
constexpr std::uint64_t of_three = 500'000;  // 1.5 / 3
constexpr std::uint64_t of_four = 437'500;   // 1.75 / 4

}  // namespace

TEST_CASE("cpu places: nobody has none", "[bgproc]") {
  CHECK(cpu_places(shape_of(0, 1), {}).empty());
  CHECK(cpu_places(shape_of(4, 2), {}).empty());
}

TEST_CASE("cpu places: a thread alone runs at full speed on the first processor", "[bgproc]") {
  for (const std::uint32_t cores : {0u, 1u, 3u, 64u}) {
    for (const std::uint32_t width : {1u, 2u, 4u}) {
      check_places(shape_of(cores, width), "n", {0}, {full_rate});
      check_places(shape_of(cores, width), "i", {0}, {full_rate});
    }
  }
}

TEST_CASE("cpu places: without cores each runs at full speed on a processor of its own", "[bgproc]") {
  const CpuConfig config = shape_of(0, 2, 0.25, 0.5);
  check_places(config, "nn", {0, 1}, {full_rate, full_rate});
  check_places(config, "iini", {0, 1, 2, 3}, {full_rate, full_rate, full_rate, full_rate});
  CHECK(rates_in(cpu_places(config, crew_of(std::string(100, 'n')))) == Rates(100, full_rate));
  CHECK(processors_in(cpu_places(config, crew_of(std::string(100, 'i')))).back() == 99);
}

TEST_CASE("cpu places: one core of one processor is in_turns in turns, by normal threads first", "[bgproc]") {
  const CpuConfig config = shape_of(1, 1);
  check_places(config, "nn", {in_turns, in_turns}, {500'000, 500'000});
  check_places(config, "nnn", {in_turns, in_turns, in_turns}, {333'333, 333'333, 333'333});
  check_places(config, "iii", {in_turns, in_turns, in_turns}, {333'333, 333'333, 333'333});
  check_places(config, "nnnnnn", Processors(6, in_turns), Rates(6, 166'667));  // to the nearest
  check_places(config, "ni", {0, in_turns}, {full_rate, 0});
  check_places(config, "in", {in_turns, 0}, {0, full_rate});
  check_places(config, "inni", Processors(4, in_turns), {0, 500'000, 500'000, 0});
}

TEST_CASE("cpu places: threads spread over the cores first, then over the processors of each", "[bgproc]") {
  const CpuConfig two_by_two = shape_of(2, 2);
  check_places(two_by_two, "nn", {0, 2}, {full_rate, full_rate});
  check_places(two_by_two, "nnn", {0, 2, 1}, {of_two, full_rate, of_two});
  check_places(two_by_two, "nnnn", {0, 2, 1, 3}, Rates(4, of_two));
  check_places(two_by_two, "iii", {0, 2, 1}, {of_two, full_rate, of_two});
  // 5 on 4 processors of 0.625.
  check_places(two_by_two, "nnnnn", Processors(5, in_turns), Rates(5, 500'000));

  const CpuConfig four = shape_of(4, 1);
  check_places(four, "nnnn", {0, 1, 2, 3}, Rates(4, full_rate));
  check_places(four, "nnnnn", Processors(5, in_turns), Rates(5, 800'000));
  check_places(four, "iiii", {0, 1, 2, 3}, Rates(4, full_rate));

  const CpuConfig eight_by_two = shape_of(8, 2);
  check_places(eight_by_two, "nnnnnnnnnn", {0, 2, 4, 6, 8, 10, 12, 14, 1, 3},
               {of_two, of_two, full_rate, full_rate, full_rate, full_rate, full_rate, full_rate, of_two, of_two});
  check_places(eight_by_two, std::string(20, 'n'), Processors(20, in_turns), Rates(20, 500'000));  // 16 x 0.625 / 20

  const CpuConfig three_by_four = shape_of(3, 4);
  check_places(three_by_four, "nnnnn", {0, 4, 8, 1, 5}, {of_two, of_two, full_rate, of_two, of_two});
  check_places(three_by_four, "nnnnnnn", {0, 4, 8, 1, 5, 9, 2},
               {of_three, of_two, of_two, of_three, of_two, of_two, of_three});
  check_places(three_by_four, std::string(12, 'n'), {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}, Rates(12, of_four));
  check_places(three_by_four, std::string(15, 'i'), Processors(15, in_turns), Rates(15, 350'000));  // 12 x 0.4375 / 15
}

TEST_CASE("cpu places: the gain decides what the second processor of a core is worth", "[bgproc]") {
  check_places(shape_of(1, 2, 0), "nn", {0, 1}, {500'000, 500'000});
  check_places(shape_of(1, 2, 0.5), "nn", {0, 1}, {750'000, 750'000});
  check_places(shape_of(1, 2, 1), "nn", {0, 1}, {full_rate, full_rate});
  check_places(shape_of(1, 4, 0.5), "nnnn", {0, 1, 2, 3}, Rates(4, 625'000));              // 2.5 / 4
  check_places(shape_of(1, 2, 0.5), "nnnnn", Processors(5, in_turns), Rates(5, 300'000));  // 1.5 / 5
}

TEST_CASE("cpu places: each idle thread with a place slows every normal thread", "[bgproc]") {
  check_places(shape_of(2, 1), "ni", {0, 1}, {990'000, full_rate});
  check_places(shape_of(2, 1), "in", {1, 0}, {full_rate, 990'000});
  check_places(shape_of(3, 1), "nii", {0, 1, 2}, {980'100, full_rate, full_rate});  // 0.99 ^ 2
  check_places(shape_of(3, 1, 0.25, 0), "nii", {0, 1, 2}, Rates(3, full_rate));
  check_places(shape_of(4, 1, 0.25, 0.1), "inin", {2, 0, 3, 1}, {full_rate, 810'000, full_rate, 810'000});
  // On its core besides: 0.625 x 0.99.
  check_places(shape_of(1, 2), "ni", {0, 1}, {618'750, of_two});
  // The first idle one takes the free core, the second the first core's other processor: 0.625 x 0.98 ^ 2.
  check_places(shape_of(2, 2, 0.25, 0.02), "ini", {2, 0, 1}, {full_rate, 600'250, of_two});
  check_places(shape_of(8, 2), "niiiiiiii", {0, 2, 4, 6, 8, 10, 12, 14, 1},
               {static_cast<std::uint64_t>(std::llround(625'000 * std::pow(0.99, 8))), full_rate, full_rate, full_rate,
                full_rate, full_rate, full_rate, full_rate, of_two});
}

TEST_CASE("cpu places: idle threads that find too few processors take turns on what is left", "[bgproc]") {
  // One processor is left: it counts as one thread.
  check_places(shape_of(4, 1), "nniin", {0, 1, in_turns, in_turns, 2}, {990'000, 990'000, 500'000, 500'000, 990'000});
  check_places(shape_of(1, 2), "niii", {0, in_turns, in_turns, in_turns}, {618'750, 208'333, 208'333, 208'333});
  // Three are left, each of which is one of two: 3 x 0.625 / 5, and 0.625 x 0.9 ^ 3.
  check_places(shape_of(2, 2, 0.25, 0.1), "iiniii", {in_turns, in_turns, 0, in_turns, in_turns, in_turns},
               {375'000, 375'000, 455'625, 375'000, 375'000, 375'000});
  // Two are left: 2 x 0.625 / 5, and 0.625 x 0.9 ^ 2.
  check_places(shape_of(2, 2, 0.25, 0.1), "iiiniin", {in_turns, in_turns, in_turns, 0, in_turns, in_turns, 2},
               {250'000, 250'000, 250'000, 506'250, 250'000, 250'000, 506'250});
  // 2 of 12 are left: 2 x 0.4375 / 4, and 0.4375 x 0.8 ^ 2.
  const std::vector<CpuPlace> places = cpu_places(shape_of(3, 4, 0.25, 0.2), crew_of("nnnnnnnnnniiii"));
  for (std::size_t i = 0; i < 10; ++i) CHECK(places[i].rate == 280'000);
  for (std::size_t i = 10; i < 14; ++i) CHECK(places[i].rate == 218'750);
}

TEST_CASE("cpu places: normal threads that take all leave idle ones nothing, and are not slowed", "[bgproc]") {
  check_places(shape_of(2, 1), "nni", {0, 1, in_turns}, {full_rate, full_rate, 0});
  check_places(shape_of(2, 1), "nnnii", Processors(5, in_turns), {666'667, 666'667, 666'667, 0, 0});
  check_places(shape_of(2, 2), "inninin", {in_turns, 0, 2, in_turns, 1, in_turns, 3},
               {0, of_two, of_two, 0, of_two, 0, of_two});
}

TEST_CASE("cpu places: a thread that runs never has a rate of nothing", "[bgproc]") {
  check_places(shape_of(2, 1, 0.25, 0.9999999), "ni", {0, 1}, {1, full_rate});
  check_places(shape_of(4, 1, 0.25, 0.999), "niii", {0, 1, 2, 3}, {1, full_rate, full_rate, full_rate});
}

namespace {

/// A shape and threads at random.
struct RandomCrew {
  explicit RandomCrew(std::mt19937& random)
      : config(shape_of(1 + random() % 6, 1 + random() % 4, (random() % 5) / 4.0, (random() % 4) / 20.0)),
        threads(random() % 30) {
    const unsigned idle_of_eight = random() % 9;
    for (CpuPriority& thread : threads) {
      thread = random() % 8 < idle_of_eight ? CpuPriority::idle : CpuPriority::normal;
    }
  }
  CpuConfig config;
  std::vector<CpuPriority> threads;
};

std::uint64_t sum_of(const std::vector<CpuPlace>& places) {
  std::uint64_t sum = 0;
  for (const CpuPlace& place : places) sum += place.rate;
  return sum;
}

/// Of a core with that many processors taken, of full_cpu_rate.
double throughput_of(const CpuConfig& config, std::size_t taken) {
  return taken == 0 ? 0 : (1 + static_cast<double>(taken - 1) * config.smt_gain) * static_cast<double>(full_rate);
}

}  // namespace

TEST_CASE("cpu places: at random, no thread, no core and no machine is faster than it can be", "[bgproc]") {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    const RandomCrew crew(random);
    const std::vector<CpuPlace> places = cpu_places(crew.config, crew.threads);
    REQUIRE(places.size() == crew.threads.size());
    std::set<std::uint32_t> taken;
    std::map<std::uint32_t, std::vector<std::uint64_t>> by_core;
    for (const CpuPlace& place : places) {
      REQUIRE(place.rate <= full_rate);
      if (!place.processor) continue;
      REQUIRE(place.rate >= 1);
      REQUIRE(*place.processor < crew.config.cores * crew.config.smt_width);
      REQUIRE(taken.insert(*place.processor).second);
      by_core[*place.processor / crew.config.smt_width].push_back(place.rate);
    }
    for (const auto& [core, rates] : by_core) {
      double sum = 0;
      for (const std::uint64_t rate : rates) sum += static_cast<double>(rate);
      REQUIRE(sum <= throughput_of(crew.config, rates.size()) + static_cast<double>(rates.size()));  // they are rounded
    }
    REQUIRE(static_cast<double>(sum_of(places)) <=
            crew.config.cores * throughput_of(crew.config, crew.config.smt_width) + static_cast<double>(places.size()));
  }
}

TEST_CASE("cpu places: at random, an idle thread less slows no normal thread", "[bgproc]") {
  std::mt19937 random(12);
  for (int i = 0; i < 2000; ++i) {
    RandomCrew crew(random);
    const std::vector<CpuPlace> before = cpu_places(crew.config, crew.threads);
    std::vector<std::size_t> idle;
    for (std::size_t k = 0; k < crew.threads.size(); ++k) {
      if (crew.threads[k] == CpuPriority::idle) idle.push_back(k);
    }
    if (idle.empty()) continue;
    const std::size_t gone = idle[random() % idle.size()];
    crew.threads.erase(crew.threads.begin() + static_cast<std::ptrdiff_t>(gone));
    const std::vector<CpuPlace> after = cpu_places(crew.config, crew.threads);
    for (std::size_t k = 0; k < after.size(); ++k) {
      if (crew.threads[k] == CpuPriority::normal) REQUIRE(after[k].rate >= before[k < gone ? k : k + 1].rate);
    }
  }
}

TEST_CASE("cpu places: at random, idle threads get nothing where normal ones take all, and else something",
          "[bgproc]") {
  std::mt19937 random(13);
  for (int i = 0; i < 2000; ++i) {
    const RandomCrew crew(random);
    const std::vector<CpuPlace> places = cpu_places(crew.config, crew.threads);
    const auto normal = std::count(crew.threads.begin(), crew.threads.end(), CpuPriority::normal);
    const bool all_taken = normal >= static_cast<std::ptrdiff_t>(crew.config.cores * crew.config.smt_width);
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (crew.threads[k] == CpuPriority::normal) {
        REQUIRE(places[k].rate > 0);
      } else {
        REQUIRE((places[k].rate == 0) == all_taken);
        if (all_taken) REQUIRE_FALSE(places[k].processor.has_value());
      }
    }
  }
}

TEST_CASE("cpu places: at random, a core more never lowers what all do together", "[bgproc]") {
  std::mt19937 random(14);
  for (int i = 0; i < 2000; ++i) {
    RandomCrew crew(random);
    crew.config.background_slowdown = 0;  // else an idle thread that finds a place may cost more than it does
    const std::uint64_t before = sum_of(cpu_places(crew.config, crew.threads));
    ++crew.config.cores;
    const std::uint64_t after = sum_of(cpu_places(crew.config, crew.threads));
    REQUIRE(after + crew.threads.size() >= before);  // each rate is rounded
  }
}
