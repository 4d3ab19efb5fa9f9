// SPDX-License-Identifier: Apache-2.0
#include "sim/clock_domain.hpp"

#include "sim/assert.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>

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

TEST_CASE("clock domain: a new frequency begins at the next edge and the count goes on", "[sim]") {
  ClockDomain clock(1'000'000);  // 1000 ps
  clock.set_frequency(500'000, 2500);
  CHECK(clock.khz() == 500'000);
  CHECK(clock.time_of(3) == 3000);  // the edge under way comes at the old frequency
  CHECK(clock.time_of(4) == 5000);
  CHECK(clock.cycle_at(4999) == 3);
  CHECK(clock.cycle_at(5000) == 4);
  CHECK(clock.after(3001, 1) == 7000);
  clock.set_frequency(2'000'000, 5000);  // on an edge: at once
  CHECK(clock.time_of(4) == 5000);
  CHECK(clock.time_of(6) == 6000);
}

TEST_CASE("clock domain: at the time of a frequency change the clock can be asked and changed again", "[sim]") {
  ClockDomain clock(1'000'000);
  clock.set_frequency(500'000, 2500);
  CHECK(clock.cycle_at(2500) == 2);  // edge 3 is still to come
  CHECK(clock.cycle_at(2999) == 2);
  CHECK(clock.after(2500, 1) == 5000);
  CHECK(clock.after(2500, 0) == 2500);
  clock.set_frequency(250'000, 2500);
  clock.set_frequency(250'000, 2700);
  CHECK(clock.time_of(3) == 3000);
  CHECK(clock.time_of(4) == 7000);
  CHECK_THROWS_AS(clock.cycle_at(2699), InternalError);
  CHECK_THROWS_AS(clock.set_frequency(1'000'000, 2699), InternalError);
}

TEST_CASE("clock domain: any sequence of frequency changes matches edges counted one by one", "[sim]") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    std::uint64_t khz = awkward_khz[random() % 4];
    ClockDomain clock(khz);
    EdgeByEdge edge(khz, 0);
    std::uint64_t cycle = 0;
    std::uint64_t earliest_change = 0;  // after the edge before, and not before the last change
    for (int change = 0; change < 20; ++change) {
      for (std::uint64_t n = random() % 3 == 0 ? 0 : random() % 300; n > 0; --n) {
        REQUIRE(clock.time_of(cycle) == edge.time_ps());
        REQUIRE(clock.cycle_at(edge.time_ps()) == cycle);
        earliest_change = edge.time_ps() + 1;
        edge.next();
        ++cycle;
      }
      const std::uint64_t at = earliest_change + random() % (edge.time_ps() - earliest_change + 1);
      khz = awkward_khz[random() % 4];
      clock.set_frequency(khz, at);
      earliest_change = at;
      edge = EdgeByEdge(khz, edge.time_ps());
      REQUIRE(clock.after(at, 1) == clock.time_of(cycle + 1));
    }
  }
}

TEST_CASE("clock domain: frequencies out of range and times before the last change are refused", "[sim]") {
  CHECK_THROWS_AS(ClockDomain(0), InternalError);
  CHECK_THROWS_AS(ClockDomain(1'000'000'001), InternalError);
  ClockDomain clock(1'000'000);
  CHECK_THROWS_AS(clock.set_frequency(0, 0), InternalError);
  clock.set_frequency(2'000'000, 10'000);
  CHECK_THROWS_AS(clock.cycle_at(9'999), InternalError);
  CHECK_THROWS_AS(clock.time_of(9), InternalError);
}
