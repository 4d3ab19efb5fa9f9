// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/clock_domain.hpp"

#include "sim/assert.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>
#include <vector>

using namespace fenceline;

namespace {

using Wide = unsigned __int128;
constexpr std::uint64_t ps_times_khz = 1'000'000'000;  // one cycle at 1 kHz

/// Edges found one by one, carrying the fraction of a picosecond as an integer.
class EdgeByEdge {
 public:
  EdgeByEdge(std::uint64_t khz, std::uint64_t start_ps) : khz_(khz), floor_ps_(start_ps) {}
  void next() {
    floor_ps_ += ps_times_khz / khz_;
    fraction_ += ps_times_khz % khz_;
    if (fraction_ >= khz_) {
      fraction_ -= khz_;
      ++floor_ps_;
    }
  }
  std::uint64_t time_ps() const { return floor_ps_ + (fraction_ > 0 ? 1 : 0); }

 private:
  std::uint64_t khz_;
  std::uint64_t floor_ps_;
  std::uint64_t fraction_ = 0;
};

/// The first picosecond by which `cycles` have passed: t with t * khz >= cycles * 1e9, found by bisection.
std::uint64_t first_ps(std::uint64_t khz, std::uint64_t cycles) {
  Wide low = 0;
  Wide high = Wide{1} << 64;
  while (low < high) {
    const Wide middle = (low + high) / 2;
    if (middle * khz >= Wide{cycles} * ps_times_khz) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<std::uint64_t>(low);
}

const std::vector<std::uint64_t> awkward_khz = {1755000, 1410000, 1980000,   1830000,    1,      3,
                                                7,       999983,  999999999, 1000000000, 1500000};

}  // namespace

TEST_CASE("clock domain: edges stand where counting one by one puts them", "[sim]") {
  for (const std::uint64_t khz : awkward_khz) {
    INFO(khz << " kHz");
    const ClockDomain clock(khz);
    EdgeByEdge edge(khz, 0);
    std::uint64_t wrong = 0;
    std::uint64_t previous = 0;
    for (std::uint64_t n = 0; n < 100'000; ++n) {
      const std::uint64_t time = edge.time_ps();
      if (clock.time_of(n) != time || clock.cycle_at(time) != n) ++wrong;
      if (n > 0 && clock.cycle_at(time - 1) != n - 1) ++wrong;
      if (n > 0 && clock.duration_ps(1) < time - previous) ++wrong;  // holds a cycle from any edge
      previous = time;
      edge.next();
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("clock domain: edges far away are exact, hours of simulated time bring no drift", "[sim]") {
  std::mt19937_64 random(1);
  for (const std::uint64_t khz : awkward_khz) {
    INFO(khz << " kHz");
    const ClockDomain clock(khz);
    const std::uint64_t hours = 100;
    const std::uint64_t cycles_per_hour = khz * 1000 * 3600;
    CHECK(clock.time_of(hours * cycles_per_hour) == hours * 3600 * 1'000'000'000'000);
    CHECK(clock.cycle_at(hours * 3600 * 1'000'000'000'000) == hours * cycles_per_hour);
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t cycle = random() % (hours * cycles_per_hour);
      const std::uint64_t time = first_ps(khz, cycle);
      REQUIRE(clock.time_of(cycle) == time);
      REQUIRE(clock.duration_ps(cycle) == time);
      REQUIRE(clock.cycle_at(time) == cycle);
    }
  }
}

TEST_CASE("clock domain: work begins at the first edge at or after its time", "[sim]") {
  std::mt19937_64 random(2);
  for (const std::uint64_t khz : awkward_khz) {
    INFO(khz << " kHz");
    const ClockDomain clock(khz);
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t edge = random() % 1'000'000;
      const std::uint64_t time = first_ps(khz, edge);
      const std::uint64_t cycles = 1 + random() % 1000;
      REQUIRE(clock.after(time, cycles) == first_ps(khz, edge + cycles));
      if (first_ps(khz, edge + 1) > time + 1)
        REQUIRE(clock.after(time + 1, cycles) == first_ps(khz, edge + 1 + cycles));
      REQUIRE(clock.first_edge_from(time) == edge);
      REQUIRE(clock.first_edge_from(time + 1) == edge + 1);
      REQUIRE(clock.after(time + 1, 0) == time + 1);  // no work takes no time, not even until an edge
    }
  }
}

TEST_CASE("clock domain: pieces of work one behind the other take as long as the whole", "[sim]") {
  const ClockDomain clock(1755000);
  std::uint64_t time = 0;
  std::uint64_t cycles = 0;
  for (std::uint64_t i = 1; i <= 10'000; ++i) {
    time = clock.after(time, i % 97 + 1);
    cycles += i % 97 + 1;
  }
  CHECK(time == first_ps(1755000, cycles));
}

TEST_CASE("clock domain: frequencies out of range are refused", "[sim]") {
  CHECK_THROWS_AS(ClockDomain(0), InternalError);
  CHECK_THROWS_AS(ClockDomain(1'000'000'001), InternalError);
}
