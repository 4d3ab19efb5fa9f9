// SPDX-License-Identifier: Apache-2.0
// What the threads of an imported kernel keep in flight: figures worked out by hand from the rule in kernel_bound.hpp.
#include "api/import/kernel_bound.hpp"

#include "tests/support/places.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>

using namespace fenceline;

namespace {

/// 1000 GB/s behind 500 ns, 10 SMs of 2048 threads.
MachineConfig round_machine() {
  MachineConfig machine = builtin_machine("h200");
  machine.memory.vram.gb_per_s = 1000;
  machine.shader_array.load_latency_ns = 500;
  machine.shader_array.sms = 10;
  return machine;
}

std::uint32_t in_flight(std::uint32_t threads, std::uint64_t groups, double us) {
  return bound_of({threads, 32, 0}, groups, us, round_machine()).bytes_in_flight_per_thread;
}

}  // namespace

TEST_CASE("kernel bound: a thread that could move 128 bytes or less has all it moves in flight", "[kineto]") {
  // 1000 GB/s x 10 us = 10 MB over 1000 groups x 100 threads: 100 bytes each.
  CHECK(in_flight(100, 1000, 10) == 100);
  CHECK(in_flight(100, 1000, 12.8) == 128);
  CHECK(in_flight(100, 1000, 5) == 50);
  CHECK(in_flight(100, 1000, 0.1) == 8);  // never less than 8
}

TEST_CASE("kernel bound: others use 36 % of the bandwidth: so much is in flight, over the threads that have places",
          "[kineto]") {
  // Little's law: 0.36 x 1000 GB/s x 500 ns = 180,000 bytes.
  CHECK(in_flight(512, 40, 1000) == 9);     // 20,480 threads, all at once: 8.8
  CHECK(in_flight(512, 400, 1000) == 9);    // ten times as many, of which as many have places
  CHECK(in_flight(512, 20, 1000) == 16);    // 17.6 for each of 10,240: no more than 16
  CHECK(in_flight(128, 1, 5) == 16);        // one group
  CHECK(in_flight(1024, 20, 100000) == 9);  // two groups an SM
}

TEST_CASE("kernel bound: whatever the kernel, from 1 byte to 128", "[kineto]") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto threads = static_cast<std::uint32_t>(1 + random() % 1024);
    const std::uint64_t groups = 1 + random() % (std::uint64_t{1} << (random() % 31));
    const double us = 1e-3 * static_cast<double>(1 + random() % (std::uint64_t{1} << (random() % 40)));
    const std::uint32_t bytes = in_flight(threads, groups, us);
    CAPTURE(threads, groups, us);
    CHECK(bytes >= 1);
    CHECK(bytes <= 128);
  }
}
