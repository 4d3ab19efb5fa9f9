// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/channel.hpp"

#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"
#include "tests/sim/channel_reference.hpp"
#include "tests/support/script.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

struct ChannelTop : sc_core::sc_module {
  ChannelTop(sc_core::sc_module_name module_name, const ChannelConfig& config)
      : sc_module(module_name), channel("channel", config, log), script("script") {}
  void start(std::uint64_t at_ps, std::uint64_t bytes, ShareRequest share = {0, 1, Channel::no_limit},
             bool latency_bound = false) {
    const std::size_t index = ends_ps.size();
    ends_ps.push_back(0);
    calls.push_back(0);
    const Callback done = script.callback([this, index] {
      ends_ps[index] = now_ps();
      ++calls[index];
    });
    script.at(at_ps, [this, bytes, share, latency_bound, done] { channel.start({bytes, share, latency_bound, done}); });
  }
  EventLog log;
  Channel channel;
  Script script;
  std::vector<std::uint64_t> ends_ps;
  std::vector<int> calls;
};

/// One channel with transfers started at given times.
class Bench : public KernelOf<ChannelTop> {
 public:
  using KernelOf::KernelOf;
  template <class... Arguments>
  void start(Arguments... arguments) {
    enter([&](ChannelTop& t) { t.start(arguments...); });
  }
  const std::vector<std::uint64_t>& run() {
    kernel.run_to_end();
    CHECK(top().calls == std::vector<int>(top().calls.size(), 1));  // every transfer is done exactly once
    CHECK(top().channel.transfers() == 0);
    return top().ends_ps;
  }
};

using Ends = std::vector<std::uint64_t>;

ChannelConfig config_of(double gb_per_s, double latency_ns = 0, ChannelSharing sharing = ChannelSharing::fair,
                        double exponent = 0) {
  return {{gb_per_s, latency_ns, sharing}, exponent};
}

/// First picosecond by which `bytes` have passed at `bytes_per_s`.
std::uint64_t passing_ps(std::uint64_t bytes, std::uint64_t bytes_per_s) {
  using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{bytes} * 1'000'000'000'000 + bytes_per_s - 1) / bytes_per_s);
}

constexpr std::uint64_t giga = 1'000'000'000;

}  // namespace

TEST_CASE("channel: one transfer takes its bytes over the bandwidth, rounded up, and the latency", "[sim]") {
  for (const std::uint64_t bytes : {1ull, 2ull, 7ull, 4096ull, 1'000'003ull, 123'456'789'012ull}) {
    for (const std::uint64_t rate : {7 * giga, 3 * giga, 4800 * giga, 53'700'000'000ul}) {
      Bench bench(config_of(static_cast<double>(rate) / 1e9, 123.456));
      bench.start(1000, bytes);
      CHECK(bench.run() == Ends{1000 + passing_ps(bytes, rate) + 123'456});
    }
  }
}

TEST_CASE("channel: a transfer of no bytes costs the latency alone and disturbs nobody", "[sim]") {
  for (const double latency_ns : {0.0, 5.0}) {
    const auto latency = static_cast<std::uint64_t>(latency_ns * 1000);
    Bench bench(config_of(10, latency_ns));
    bench.start(0, 1000);
    bench.start(7, 0);
    CHECK(bench.run() == Ends{passing_ps(1000, 10 * giga) + latency, 7 + latency});
  }
}

TEST_CASE("channel: two transfers share equally and a late starter takes half of what is left", "[sim]") {
  const std::uint64_t rate = 10 * giga;
  {
    Bench bench(config_of(10));
    bench.start(0, 1000);
    bench.start(0, 1000);
    const std::uint64_t both = passing_ps(2000, rate);
    CHECK(bench.run() == Ends{both, both});
  }
  {
    Bench bench(config_of(10));
    bench.start(0, 1000);
    bench.start(0, 3000);  // half the rate until the first is done, then all of it
    const std::uint64_t first = passing_ps(2 * 1000, rate);
    CHECK(bench.run() == Ends{first, first + passing_ps(3000 - 1000, rate)});
  }
  {
    Bench bench(config_of(10));
    bench.start(0, 2000);
    bench.start(50'000, 2000);  // by then 500 bytes have passed
    const std::uint64_t first = 50'000 + passing_ps(2 * 1500, rate);
    CHECK(bench.run() == Ends{first, first + passing_ps(500, rate)});
  }
}

TEST_CASE("channel: a limited transfer leaves the rest to the others", "[sim]") {
  Bench bench(config_of(10));
  bench.start(0, 1000, ShareRequest{0, 1, 2 * giga});
  bench.start(0, 4000);
  const std::uint64_t both = passing_ps(1000, 2 * giga);  // 2 and 8 GB/s end together
  CHECK(bench.run() == Ends{both, both});
  Bench alone(config_of(10));
  alone.start(0, 1000, ShareRequest{0, 1, 2 * giga});  // the limit holds on an idle channel
  CHECK(alone.run() == Ends{both});
}

TEST_CASE("channel: weights divide the bandwidth in their proportion", "[sim]") {
  Bench bench(config_of(12));
  bench.start(0, 9000, ShareRequest{0, 3, Channel::no_limit});  // 9 GB/s
  bench.start(0, 9000, ShareRequest{0, 1, Channel::no_limit});  // 3 GB/s, then all
  CHECK(bench.run() == Ends{passing_ps(9000, 9 * giga), passing_ps(9000 + 9000, 12 * giga)});
}

TEST_CASE("channel: a higher priority is served in full before a lower one gets anything", "[sim]") {
  Bench bench(config_of(10));
  bench.start(0, 1000, ShareRequest{0, 1000, Channel::no_limit});
  bench.start(20'000, 1000, ShareRequest{1, 1, 8 * giga});
  const auto& ends = bench.run();
  const std::uint64_t high = 20'000 + passing_ps(1000, 8 * giga);
  CHECK(ends[1] == high);
  // 200 bytes before, 2 GB/s beside the high one, everything after.
  const std::uint64_t beside = (high - 20'000) * 2 / 1000;
  CHECK(ends[0] == high + passing_ps(1000 - 200 - beside, 10 * giga));
}

TEST_CASE("channel: in order, the first to come is served in full and the next gets what is left", "[sim]") {
  const ChannelConfig config = config_of(10, 3, ChannelSharing::in_order);
  {
    Bench bench(config);
    for (int i = 0; i < 4; ++i) bench.start(0, 1000, ShareRequest{i, 1, Channel::no_limit});
    Ends expected;
    for (std::uint64_t i = 1; i <= 4; ++i) expected.push_back(passing_ps(i * 1000, 10 * giga) + 3000);
    CHECK(bench.run() == expected);
  }
  {
    Bench bench(config);
    bench.start(0, 1000, ShareRequest{0, 1, 4 * giga});
    bench.start(10, 600);  // 6 GB/s beside the first
    CHECK(bench.run() == Ends{passing_ps(1000, 4 * giga) + 3000, 10 + passing_ps(600, 6 * giga) + 3000});
  }
}

TEST_CASE("channel: bytes are conserved, a busy channel moves its bandwidth", "[sim]") {
  std::mt19937_64 random(1);
  const ChannelSharing sharing = GENERATE(ChannelSharing::fair, ChannelSharing::in_order);
  for (int round = 0; round < 50; ++round) {
    const std::uint64_t rate = (1 + random() % 5000) * giga;
    Bench bench(config_of(static_cast<double>(rate) / 1e9, 0, sharing));
    std::uint64_t bytes = 0;
    const std::uint64_t count = 1 + random() % 40;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t size = 1'000'000 + random() % 10'000'000;
      bytes += size;
      // All start while the first million bytes pass: the channel is never idle before the end.
      bench.start(random() % passing_ps(500'000, rate), size,
                  ShareRequest{static_cast<int>(random() % 2), 1 + random() % 8, Channel::no_limit});
    }
    bench.start(0, 1'000'000);
    bytes += 1'000'000;
    const Ends& ends = bench.run();
    const std::uint64_t end = *std::max_element(ends.begin(), ends.end());
    CHECK(end >= passing_ps(bytes, rate));
    CHECK(end <= passing_ps(bytes, rate) + ends.size());  // each end is rounded up to a whole picosecond
  }
}

TEST_CASE("channel: loaded latency follows the contention formula in all three regimes", "[sim]") {
  const std::uint64_t bytes = 100'000'000;
  const double capacity = 1e12;
  for (const double exponent : {1.0, 2.0, 8.0}) {
    for (const double load : {0.01, 0.5, 1.0, 2.0, 100.0}) {
      INFO("exponent " << exponent << ", load " << load);
      const std::size_t users = 4;
      Bench bench(config_of(1000, 0, ChannelSharing::fair, exponent));
      const auto limit = static_cast<std::uint64_t>(load * capacity / users);
      for (std::size_t i = 0; i < users; ++i) bench.start(0, bytes, ShareRequest{0, limit, limit}, true);
      const double unloaded = static_cast<double>(bytes) / static_cast<double>(limit) * 1e12;  // ps
      const double loaded = unloaded * std::pow(1 + std::pow(load, exponent), 1 / exponent);
      for (const std::uint64_t end : bench.run()) {
        // Rates are whole bytes/s (of at least 2.4e9) and ends whole picoseconds (of at least 1e8).
        CHECK(static_cast<double>(end) == Approx(loaded).epsilon(1e-8).margin(1));
        if (load <= 0.01 && exponent >= 2) {
          CHECK(static_cast<double>(end) == Approx(unloaded).epsilon(load));  // bound by latency
        }
        if (load >= 100) {
          CHECK(static_cast<double>(end) ==
                Approx(users * bytes / capacity * 1e12).epsilon(1.001 / load));  // by bandwidth
        }
      }
    }
  }
}

TEST_CASE("channel: without an exponent latency-bound transfers keep their limit until the bandwidth is full",
          "[sim]") {
  Bench bench(config_of(10));
  bench.start(0, 1000, ShareRequest{0, 1, 4 * giga}, true);
  bench.start(0, 1000, ShareRequest{0, 1, 4 * giga}, true);
  const std::uint64_t both = passing_ps(1000, 4 * giga);
  CHECK(bench.run() == Ends{both, both});
}

TEST_CASE("channel: only latency-bound transfers count as demand and are stretched", "[sim]") {
  Bench bench(config_of(10, 0, ChannelSharing::fair, 1));
  bench.start(0, 1000, ShareRequest{0, 1, 2 * giga}, true);   // demand 2 of 10: latency grows to 1.2
  bench.start(0, 9000, ShareRequest{0, 1, 5 * giga}, false);  // has its own limit
  const auto& ends = bench.run();
  CHECK(ends[0] == passing_ps(1000, static_cast<std::uint64_t>(2e9 / 1.2)));
  CHECK(ends[1] == passing_ps(9000, 5 * giga));
}

TEST_CASE("channel: the next transfer may start from the callback of the one before", "[sim]") {
  struct Chain : sc_core::sc_module {
    explicit Chain(sc_core::sc_module_name module_name) : sc_module(module_name), channel("channel", {10, 1}, log) {}
    void next(std::uint64_t left) {
      if (left > 0) channel.start({1000, {0, 1, Channel::no_limit}, false, Callback::to<&Chain::next>(this, left - 1)});
      end_ps = now_ps();
    }
    EventLog log;
    Channel channel;
    std::uint64_t end_ps = 0;
  };
  KernelOf<Chain> simulation;
  simulation.enter([](Chain& chain) { chain.next(100); });
  simulation.kernel.run_to_end();
  CHECK(simulation.top().end_ps == 100 * (passing_ps(1000, 10 * giga) + 1000));
}

TEST_CASE("channel: random transfers end when a fluid reference says", "[sim]") {
  std::mt19937_64 random(7);
  const auto sharing = GENERATE(ChannelSharing::fair, ChannelSharing::in_order);
  const double exponent = GENERATE(0.0, 1.5, 4.0);
  for (int round = 0; round < 100; ++round) {
    const std::uint64_t gb_per_s = 100 + random() % 5000;
    const std::uint64_t latency_ps = random() % 1'000'000;
    const std::uint64_t count = 1 + random() % 30;
    Bench bench(config_of(static_cast<double>(gb_per_s), static_cast<double>(latency_ps) / 1e3, sharing, exponent));
    std::vector<ReferenceTransfer> reference(count);
    std::vector<std::uint64_t> starts(count);
    for (std::uint64_t& start : starts) start = random() % 3 == 0 ? 0 : random() % 100'000'000;
    std::sort(starts.begin(), starts.end());
    for (std::uint64_t i = 0; i < count; ++i) {
      ShareRequest share{static_cast<int>(random() % 2), 1 + random() % 100, Channel::no_limit};
      const bool latency_bound = random() % 2 == 0;
      if (latency_bound || random() % 2 == 0) share.limit = (1 + random() % 2000) * giga;
      const std::uint64_t bytes = 1 + random() % 100'000'000;
      bench.start(starts[i], bytes, share, latency_bound);
      reference[i] = {static_cast<long double>(starts[i]) * 1e-12L,
                      static_cast<long double>(bytes),
                      share.priority,
                      static_cast<long double>(share.weight),
                      share.limit == Channel::no_limit ? INFINITY : static_cast<long double>(share.limit),
                      latency_bound,
                      0};
    }
    ChannelReference(static_cast<long double>(gb_per_s) * 1e9L, sharing, exponent).run(reference);
    const Ends& ends = bench.run();
    for (std::uint64_t i = 0; i < count; ++i) {
      const long double expected = reference[i].end_s * 1e12L + static_cast<long double>(latency_ps);
      // Each start and end ahead of it may waste one rounded-up picosecond of the channel, and a slow one waits for
      // what faster ones wasted: times the ratio of the rates, here at most a few hundred. Rates are whole bytes/s of
      // about 1e9 or more: a part in 1e9 of its time.
      const long double slack = 2 * static_cast<long double>(count) + 2e-9L * expected;
      INFO("transfer " << i << ": " << ends[i] << " ps, reference " << static_cast<double>(expected));
      REQUIRE(std::abs(static_cast<long double>(ends[i]) - expected) <= slack + 1);
    }
  }
}
