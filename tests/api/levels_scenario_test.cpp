// SPDX-License-Identifier: Apache-2.0
// A further cache between L2 and video memory as a lone engine sees it: on `tiny`, with what is worked out beside each
// case.
#include "api/machine.hpp"
#include "sim/config/config.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;

namespace {

constexpr std::uint64_t mega = 1'000'000;

/// `tiny` with 400 GB/s of L2 before 100 of video memory, where sets lose hits from 10 to 40 MB.
MachineConfig two_levels() {
  MachineConfig config = builtin_machine("tiny");
  config.memory.l2.gb_per_s = 400;
  config.memory.l2.hit_bytes = 10 * mega;
  config.memory.l2.miss_bytes = 40 * mega;
  return config;
}
/// Between the two 200 GB/s, where they lose them from 100 to 400 MB.
MachineConfig three_levels() {
  MachineConfig config = two_levels();
  CacheConfig cache;
  cache.name = "l3";
  cache.gb_per_s = 200;
  cache.hit_bytes = 100 * mega;
  cache.miss_bytes = 400 * mega;
  cache.hit_latency_ns = 100;
  config.memory.caches = {cache};
  return config;
}

struct Reader {
  std::uint64_t bytes;
  std::uint64_t set;
};
/// 2 groups of 1024 threads: with 32 bytes in flight each 65,536 bytes every 100 ns, more than L2 serves.
constexpr GroupFootprint many_threads{1024, 32, 0};

std::shared_ptr<CommandStream> list_of(const std::vector<Reader>& readers, const GroupFootprint& group) {
  auto list = std::make_shared<CommandStream>();
  for (const Reader& reader : readers) {
    const std::uint64_t groups = group.threads == many_threads.threads ? 2 : 1;
    ComputePipeline pipeline;
    pipeline.group = group;
    pipeline.work.vram_bytes = reader.bytes / groups;
    pipeline.work.working_set_bytes = reader.set;
    pipeline.work.bytes_in_flight_per_thread = 32;
    list->commands.emplace_back(Dispatch{static_cast<std::uint32_t>(list->compute_pipelines.size()), groups});
    list->compute_pipelines.push_back(pipeline);
  }
  return list;
}

double us_of(const MachineConfig& config, const std::vector<Reader>& readers,
             const GroupFootprint& group = many_threads, LogSink* sink = nullptr) {
  Machine machine(config);
  if (sink != nullptr) machine.log().attach(*sink, EventLog::Detail::waves);
  machine.execute(machine.create_queue({"queue", QueueType::compute, QueuePriority::normal, ""}),
                  list_of(readers, group));
  CHECK(machine.run());
  return static_cast<double>(machine.now_ps()) / 1e6;
}

/// MB that passed the tracks of rates, by their last names.
class Moved final : public LogSink {
 public:
  double mb(const std::string& level) const { return rates_.count(level) > 0 ? rates_.at(level).mb : -1; }

 private:
  struct Rate {
    double mb = 0;
    std::uint64_t since_ps = 0;
    std::uint64_t bytes_per_s = 0;
  };
  void counter(const EventLog& log, const Counter& counter) override {
    if (counter.kind != CounterKind::bytes_per_s) return;
    const std::string track(log.text(counter.track));
    Rate& rate = rates_[track.substr(track.rfind('.') + 1)];
    rate.mb += static_cast<double>(rate.bytes_per_s) * static_cast<double>(counter.at_ps - rate.since_ps) / 1e18;
    rate.since_ps = counter.at_ps;
    rate.bytes_per_s = counter.value;
  }
  std::map<std::string, Rate> rates_;
};

}  // namespace

TEST_CASE("levels on tiny: the level that has too much to move decides", "[scenario]") {
  const MachineConfig two = two_levels();
  const MachineConfig three = three_levels();
  // Nothing stays: video memory, with a further cache or without.
  for (const MachineConfig& config : {two, three}) {
    CHECK(us_of(config, {{40 * mega, 0}}) == Approx(40e3 / 100).epsilon(1e-4));
    CHECK(us_of(config, {{800 * mega, 400 * mega}}) == Approx(800e3 / 100).epsilon(1e-4));
    CHECK(us_of(config, {{80 * mega, 80 * mega}}) == Approx(80e3 / 100).epsilon(1e-4));  // first accesses
    // All stays in L2 but for first accesses, a tenth: 5 MB take the others 25 and 50 us.
    CHECK(us_of(config, {{50 * mega, 5 * mega}}) == Approx(50e3 / 400).epsilon(1e-4));
  }
  // 50 MB are too much for L2. They stay in the middle level: all 500 MB pass it, 50 go on.
  CHECK(us_of(two, {{500 * mega, 50 * mega}}) == Approx(500e3 / 100).epsilon(1e-4));
  CHECK(us_of(three, {{500 * mega, 50 * mega}}) == Approx(500e3 / 200).epsilon(1e-4));
  // 20 MB: L2 finds half of the 180 accessed again, and 110 come to the middle level, which finds the other half.
  CHECK(us_of(two, {{200 * mega, 20 * mega}}) == Approx(110e3 / 100).epsilon(1e-4));
  CHECK(us_of(three, {{200 * mega, 20 * mega}}) == Approx(110e3 / 200).epsilon(1e-4));
  // 200 MB: the middle level finds half of the 1800 accessed again; 1100 go on.
  CHECK(us_of(three, {{2000 * mega, 200 * mega}}) == Approx(1100e3 / 100).epsilon(1e-4));
}

TEST_CASE("levels on tiny: each level bounds, when its rate falls, what comes to it", "[scenario]") {
  // Of 200 MB 200 come to L2, 110 to the middle level, 20 to video memory.
  const Reader reader{200 * mega, 20 * mega};
  const auto us = [&](double l2, double l3, double vram) {
    MachineConfig config = three_levels();
    config.memory.l2.gb_per_s = l2;
    config.memory.caches->at(0).gb_per_s = l3;
    config.memory.vram.gb_per_s = vram;
    return us_of(config, {reader});
  };
  CHECK(us(100, 200, 100) == Approx(200e3 / 100).epsilon(1e-4));
  CHECK(us(400, 50, 100) == Approx(110e3 / 50).epsilon(1e-4));
  CHECK(us(400, 200, 10) == Approx(20e3 / 10).epsilon(1e-4));
}

TEST_CASE("levels on tiny: two kernels' sets add up in the middle level, too", "[scenario]") {
  // Two of 50 MB are 100: they stay. Two of 100 are 200: half of the 900 accessed again of each go on, with the first
  // 100: 550.
  CHECK(us_of(three_levels(), {{500 * mega, 50 * mega}, {500 * mega, 50 * mega}}) ==
        Approx(1000e3 / 200).epsilon(1e-4));
  CHECK(us_of(three_levels(), {{1000 * mega, 100 * mega}, {1000 * mega, 100 * mega}}) ==
        Approx(1100e3 / 100).epsilon(1e-4));
}

TEST_CASE("levels on tiny: few threads wait as long as the level that serves them takes", "[scenario]") {
  MachineConfig config = three_levels();
  config.memory.caches->at(0).hit_latency_ns = 300;
  config.shader_array.load_latency_ns = 500;
  const GroupFootprint few{32, 32, 0};  // 1024 bytes at a time
  const double rounds = 102.4e6 / 1024;
  const auto ns_a_round = [&](std::uint64_t set) { return us_of(config, {{102'400'000, set}}, few) * 1e3 / rounds; };
  CHECK(ns_a_round(0) == Approx(500).epsilon(1e-4));
  CHECK(ns_a_round(51'200'000) == Approx(0.5 * 500 + 0.5 * 300).epsilon(1e-4));  // each byte twice
  CHECK(ns_a_round(1'024'000) == Approx(0.01 * 500 + 0.99 * 100).epsilon(1e-4));
  // 20.48 MB: L2 finds log(40 / 20.48) / log(4) of the four fifths accessed again, the middle level the rest of them.
  const double found = 0.8 * 0.48289;
  CHECK(ns_a_round(20'480'000) == Approx(0.2 * 500 + (0.8 - found) * 300 + found * 100).epsilon(1e-4));
  config.memory.l2_hits_wait = 1;  // half of the accesses served here wait for one that is not
  CHECK(ns_a_round(51'200'000) == Approx(0.75 * 500 + 0.25 * 300).epsilon(1e-4));
}

TEST_CASE("levels on tiny: each has a track of its rate, by which the bytes that came to it add up", "[scenario]") {
  const auto check = [](const MachineConfig& config, const Reader& reader, double l2, double l3, double vram) {
    Moved moved;
    us_of(config, {reader}, many_threads, &moved);
    CHECK(moved.mb("l2") == Approx(l2).epsilon(1e-6));
    CHECK(moved.mb("l3") == Approx(l3).epsilon(1e-6));
    CHECK(moved.mb("vram") == Approx(vram).epsilon(1e-6));
  };
  check(three_levels(), {200 * mega, 20 * mega}, 200, 110, 20);
  check(three_levels(), {500 * mega, 50 * mega}, 500, 500, 50);
  check(three_levels(), {50 * mega, 5 * mega}, 50, 5, 5);
  check(three_levels(), {40 * mega, 0}, 40, 40, 40);
  check(two_levels(), {200 * mega, 20 * mega}, 200, -1, 110);  // -1: there is no such track
}

TEST_CASE("levels: a machine file names further caches", "[scenario]") {
  const auto with = [](const std::string& caches) {
    return read_with_overrides<MachineConfig>(nlohmann::json::parse(builtin_machine_text("tiny")), "tiny.json",
                                              {"/memory/caches=" + caches});
  };
  const MachineConfig config = with(R"([{"name": "l3", "gb_per_s": 200, "hit_bytes": 1, "miss_bytes": 2}])");
  REQUIRE(caches_of(config.memory).size() == 2);
  CHECK(caches_of(config.memory)[1].name == "l3");
  CHECK(caches_of(config.memory)[1].gb_per_s == 200);
  CHECK(caches_of(builtin_machine("tiny").memory).size() == 1);
  CHECK(dump_config(config)["memory"]["caches"][0]["miss_bytes"] == 2);
  CHECK_FALSE(dump_config(builtin_machine("tiny"))["memory"].contains("caches"));
  for (const char* wrong : {R"([{"name": "vram"}])", R"([{"name": "l3"}, {"name": "l3"}])", R"([{"name": ""}])",
                            R"([{"name": "L 3"}])", R"([{}])", R"([{"name": "l3", "hit_bytes": 2, "miss_bytes": 1}])",
                            R"([{"name": "a"}, {"name": "b"}, {"name": "c"}])"}) {
    INFO(wrong);
    CHECK_THROWS_AS(with(wrong), ConfigError);
  }
  CHECK(caches_of(with(R"([{"name": "a"}, {"name": "b"}])").memory).size() == 3);
}
