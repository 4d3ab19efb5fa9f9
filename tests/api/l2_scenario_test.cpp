// SPDX-License-Identifier: Apache-2.0
// L2 and video memory as a lone engine sees them: on `tiny`, with what is worked out beside each case.
#include "api/machine.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// `tiny` with 400 GB/s of L2 before 100 of video memory, where sets lose hits from 10 to 40 MB.
MachineConfig tiny_with_l2() {
  MachineConfig config = builtin_machine("tiny");
  config.memory.l2.gb_per_s = 400;
  config.memory.l2.hit_bytes = 10 * mega;
  config.memory.l2.miss_bytes = 40 * mega;
  return config;
}

/// 2 groups of 1024 threads: with 32 bytes in flight each 65,536 bytes every 100 ns, more than L2 serves.
struct Reader {
  std::uint64_t bytes;  ///< of all groups
  std::uint64_t set;
};
void add(CommandStream& list, const Reader& reader) {
  ComputePipeline pipeline;
  pipeline.group = {1024, 32, 0};
  pipeline.work.vram_bytes = reader.bytes / 2;
  pipeline.work.working_set_bytes = reader.set;
  pipeline.work.bytes_in_flight_per_thread = 32;
  list.commands.emplace_back(Dispatch{static_cast<std::uint32_t>(list.compute_pipelines.size()), 2});
  list.compute_pipelines.push_back(pipeline);
}

/// Of kernels that begin together on the compute engine.
double us_of(const MachineConfig& config, const std::vector<Reader>& readers) {
  auto list = std::make_shared<CommandStream>();
  for (const Reader& reader : readers) add(*list, reader);
  Machine machine(config);
  machine.execute(machine.create_queue({"queue", QueueType::compute, QueuePriority::normal, ""}), std::move(list));
  CHECK(machine.run());
  return static_cast<double>(machine.now_ps()) / 1e6;
}

}  // namespace

TEST_CASE("L2 on tiny: hits go at its rate, the first access to each byte beside them", "[scenario]") {
  const MachineConfig config = tiny_with_l2();
  // A fortieth, an eighth, a quarter misses: video memory would do for 4000, 800 and 400 GB/s.
  CHECK(us_of(config, {{40 * mega, 1 * mega}}) == Approx(40e3 / 400).epsilon(1e-4));
  CHECK(us_of(config, {{80 * mega, 10 * mega}}) == Approx(80e3 / 400).epsilon(1e-4));
  CHECK(us_of(config, {{16 * mega, 4 * mega}}) == Approx(16e3 / 400).epsilon(1e-4));
}

TEST_CASE("L2 on tiny: misses go at video memory's rate, whatever L2's is", "[scenario]") {
  MachineConfig config = tiny_with_l2();
  CHECK(us_of(config, {{40 * mega, 0}}) == Approx(40e3 / 100).epsilon(1e-4));          // each byte once
  CHECK(us_of(config, {{80 * mega, 40 * mega}}) == Approx(80e3 / 100).epsilon(1e-4));  // too large a set
  CHECK(us_of(config, {{8 * mega, 8 * mega}}) == Approx(8e3 / 100).epsilon(1e-4));     // first accesses
  config.memory.l2.gb_per_s = 50;                                                      // all of it passes L2
  CHECK(us_of(config, {{40 * mega, 0}}) == Approx(40e3 / 50).epsilon(1e-4));
}

TEST_CASE("L2 on tiny: a set that finds a part is as fast as video memory serves the rest", "[scenario]") {
  MachineConfig config = tiny_with_l2();
  // 20 MB: half of the way from 10 to 40 in doublings. Of 80 MB 60 are accesses again: 30 found, 50 not.
  CHECK(us_of(config, {{80 * mega, 20 * mega}}) == Approx(50e3 / 100).epsilon(1e-4));
  // Of 200 MB 180 again: 90 found, 110 not.
  CHECK(us_of(config, {{200 * mega, 20 * mega}}) == Approx(110e3 / 100).epsilon(1e-4));
  config.memory.l2.hit_bytes = 20 * mega;  // twice the size at both ends: 20 of 80 MB miss, L2's 200 us decide
  config.memory.l2.miss_bytes = 80 * mega;
  CHECK(us_of(config, {{80 * mega, 20 * mega}}) == Approx(80e3 / 400).epsilon(1e-4));
}

TEST_CASE("L2 on tiny: sets of two kernels add up while both run", "[scenario]") {
  const MachineConfig config = tiny_with_l2();
  const Reader ten{80 * mega, 10 * mega};
  // Alone an eighth misses: 200 us each. Together they are 20 MB, where half is found: 80 - 70 / 2 = 45 MB of each
  // miss.
  CHECK(us_of(config, {ten}) == Approx(200).epsilon(1e-4));
  CHECK(us_of(config, {ten, ten}) == Approx(2 * 45e3 / 100).epsilon(1e-4));
  // Two of 5 MB fit: of 160 MB only 10 miss, and L2 decides.
  CHECK(us_of(config, {{80 * mega, 5 * mega}, {80 * mega, 5 * mega}}) == Approx(160e3 / 400).epsilon(1e-4));
  // Two of 20 MB do not: all of 160 MB miss.
  CHECK(us_of(config, {{80 * mega, 20 * mega}, {80 * mega, 20 * mega}}) == Approx(160e3 / 100).epsilon(1e-4));
  // A short one beside: until its 20 MB are read, both at video memory's pace. Of these 10 again, half of them found;
  // of the other's 80 MB 45 would miss. Each MB of both costs 0.75 + 0.5625 MB of video memory: 26.25 MB for 20 of
  // each. Then the rest of 60 MB of the first goes at 400 GB/s.
  CHECK(us_of(config, {ten, {20 * mega, 10 * mega}}) == Approx(26.25e3 / 100 + 60e3 / 400).epsilon(1e-3));
}

TEST_CASE("L2 on tiny: a stream evicts what is read again after as much of it", "[scenario]") {
  const MachineConfig config = tiny_with_l2();
  // Between two accesses to a byte of 10 MB come 10 MB of the stream: as a set of 20 MB, of 80 MB 45 miss, and all 80
  // of the stream.
  CHECK(us_of(config, {{80 * mega, 10 * mega}, {80 * mega, 0}}) == Approx(125e3 / 100).epsilon(1e-4));
  // 5 MB and 5 MB of the stream stay: of 80 MB 5 miss.
  CHECK(us_of(config, {{80 * mega, 5 * mega}, {80 * mega, 0}}) == Approx(85e3 / 100).epsilon(1e-4));
  // Two streams: 20 MB between two accesses to a byte of 10, a set of 30: log(40 / 30) / log(4) = 0.2075 found of 70.
  const double missed_mb = 80 - 70 * 0.20752;
  CHECK(us_of(config, {{80 * mega, 10 * mega}, {80 * mega, 0}, {80 * mega, 0}}) ==
        Approx((160 + missed_mb) * 10).epsilon(1e-3));
}

TEST_CASE("L2 on tiny: textures pass it as reads do", "[scenario]") {
  const auto us = [](const MachineConfig& config, double samples, std::uint64_t set) {
    auto list = std::make_shared<CommandStream>();
    ComputePipeline pipeline;
    pipeline.group = {1024, 32, 0};
    pipeline.work.shader.texture_samples = samples;
    pipeline.work.shader.texture_bytes_per_sample = 16;
    pipeline.work.shader.texture_working_set_bytes = set;
    pipeline.work.bytes_in_flight_per_thread = 64;
    list->compute_pipelines.push_back(pipeline);
    list->commands.emplace_back(Dispatch{0, 64});
    Machine machine(config);
    machine.execute(machine.create_queue({"queue", QueueType::compute, QueuePriority::normal, ""}), std::move(list));
    CHECK(machine.run());
    return static_cast<double>(machine.now_ps()) / 1e6;
  };
  const MachineConfig config = tiny_with_l2();
  // 64 groups of 1024 threads, 100 samples of 16 bytes: 104.8576 MB. Two groups an SM at 4 samples a cycle take longer
  // than L2 (64 x 1024 x 100 / 16 = 409.6 us), video memory takes longest.
  CHECK(us(config, 100, 0) == Approx(1048.576).epsilon(1e-3));
  CHECK(us(config, 100, 5 * mega) == Approx(409.6).epsilon(1e-2));
  MachineConfig quick = config;
  quick.shader_array.texture_samples_per_clock = 400;
  quick.shader_array.texture_latency_cycles = 1;
  CHECK(us(quick, 100, 5 * mega) == Approx(104857.6 / 400).epsilon(1e-2));
}

TEST_CASE("L2 on tiny: a draw whose textures miss is as slow as video memory, one whose textures hit as its pixels",
          "[scenario]") {
  const auto us = [](const MachineConfig& config, double bytes_per_sample, std::uint64_t set) {
    auto list = std::make_shared<CommandStream>();
    GraphicsPipeline pipeline;
    pipeline.pixel_shader.texture_samples = 1;
    pipeline.pixel_shader.texture_bytes_per_sample = bytes_per_sample;
    pipeline.pixel_shader.texture_working_set_bytes = set;
    pipeline.bytes_per_pixel = 0;
    list->graphics_pipelines.push_back(pipeline);
    list->commands.emplace_back(Draw{0, 0, 1, 1, 1'600'000, 0});
    Machine machine(config);
    machine.execute(machine.create_queue({"queue", QueueType::direct, QueuePriority::normal, ""}), std::move(list));
    CHECK(machine.run());
    return static_cast<double>(machine.now_ps()) / 1e6;
  };
  MachineConfig config = tiny_with_l2();
  // 1,600,000 pixels: 100 us at 16 a cycle rasterised, as many sampled. 16 bytes each are 25.6 MB: 256 us of video
  // memory at 100 GB/s, 64 us of L2.
  CHECK(us(config, 0, 0) == Approx(100).epsilon(0.02));
  CHECK(us(config, 16, 0) == Approx(256).epsilon(0.02));
  CHECK(us(config, 16, mega / 10) == Approx(us(config, 0, 0)).epsilon(0.02));
  config.memory.vram.gb_per_s = 200;
  CHECK(us(config, 16, 0) == Approx(128).epsilon(0.02));
}

namespace {

/// Any machine with an L2, often with caches behind it, and one engine's work: kernels one after another.
class RandomLoneWork {
 public:
  explicit RandomLoneWork(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  MachineConfig machine() {
    MachineConfig config = builtin_machine("tiny");
    MemoryConfig& memory = config.memory;
    memory.vram.gb_per_s = static_cast<double>(50 + below(400));
    memory.vram.contention_exponent = static_cast<double>(below(4));
    memory.l2.gb_per_s = static_cast<double>(50 + below(1000));
    memory.l2.contention_exponent = static_cast<double>(below(2) * below(4));
    memory.l2.hit_bytes = below(20 * mega);
    memory.l2.miss_bytes = memory.l2.hit_bytes + below(20 * mega);
    memory.l2.first_loss = static_cast<double>(10 + below(91)) / 100;
    memory.l2.last_hits = static_cast<double>(10 + below(50)) / 10;
    memory.l2.hit_latency_ns = static_cast<double>(10 + below(200));
    memory.l2_hits_wait = static_cast<double>(below(4));
    if (below(2) == 0) memory.caches.emplace();
    for (std::uint64_t count = memory.caches ? 1 + below(2) : 0; count > 0; --count) add_cache(*memory.caches);
    config.shader_array.load_latency_ns = static_cast<double>(10 + below(400));
    config.shader_array.memory_group_overhead_ns = static_cast<double>(below(2) * 100);
    return config;
  }
  std::shared_ptr<CommandStream> list() {
    auto list = std::make_shared<CommandStream>();
    for (std::uint64_t count = 1 + below(3); count > 0; --count) {
      ComputePipeline pipeline;
      pipeline.group = {static_cast<std::uint32_t>(32 * (1 + below(32))), 32, 0};
      pipeline.work.cycles = below(2) * below(3000);
      pipeline.work.vram_bytes = below(mega);
      pipeline.work.working_set_bytes = below(4) == 0 ? 0 : below(20 * mega);
      if (below(3) == 0) {
        pipeline.work.shader.texture_samples = static_cast<double>(below(20));
        pipeline.work.shader.texture_bytes_per_sample = static_cast<double>(below(32));
        pipeline.work.shader.texture_working_set_bytes = below(10 * mega);
      }
      list->commands.emplace_back(Dispatch{static_cast<std::uint32_t>(list->compute_pipelines.size()), 1 + below(40)});
      list->compute_pipelines.push_back(pipeline);
      list->commands.emplace_back(Barrier{});
    }
    return list;
  }

 private:
  void add_cache(std::vector<CacheConfig>& caches) {
    CacheConfig& cache = caches.emplace_back();
    cache.name = "cache" + std::to_string(caches.size());
    cache.gb_per_s = static_cast<double>(50 + below(600));
    cache.contention_exponent = static_cast<double>(below(2) * below(4));
    cache.hit_bytes = below(3) == 0 ? 0 : below(20 * mega);
    cache.miss_bytes = cache.hit_bytes + below(20 * mega);
    cache.hit_latency_ns = static_cast<double>(10 + below(300));
  }
  std::mt19937_64 random_;
};

std::uint64_t ps_of(const MachineConfig& config, const std::shared_ptr<CommandStream>& list) {
  Machine machine(config);
  machine.execute(machine.create_queue({"queue", QueueType::compute, QueuePriority::normal, ""}), list);
  CHECK(machine.run());
  return machine.now_ps();
}

}  // namespace

TEST_CASE("a lone engine: more of a cache, of its rate or of video memory's never takes longer", "[scenario]") {
  RandomLoneWork random(71);
  int faster = 0;
  for (int round = 0; round < 400; ++round) {
    const MachineConfig config = random.machine();
    const auto list = random.list();
    const std::uint64_t before = ps_of(config, list);
    const auto better = [&](const char* what, auto&& change) {
      MachineConfig changed = config;
      change(changed.memory, changed.shader_array);
      const std::uint64_t after = ps_of(changed, list);
      INFO("round " << round << ": " << what);
      REQUIRE(after <= before);
      faster += after < before ? 1 : 0;
    };
    const double factor = 1 + static_cast<double>(random.below(300)) / 100;
    better("l2_miss_bytes", [&](MemoryConfig& m, auto&) { m.l2.miss_bytes += 1 + random.below(20 * mega); });
    better("l2_hit_bytes", [&](MemoryConfig& m, auto&) { m.l2.hit_bytes = m.l2.miss_bytes; });
    better("l2_last_hits", [&](MemoryConfig& m, auto&) { m.l2.last_hits *= factor; });
    better("l2_first_loss", [&](MemoryConfig& m, auto&) { m.l2.first_loss = 1; });
    better("l2", [&](MemoryConfig& m, auto&) { m.l2.gb_per_s *= factor; });
    better("vram", [&](MemoryConfig& m, auto&) { m.vram.gb_per_s *= factor; });
    better("l2_latency_ns", [&](MemoryConfig& m, auto&) { m.l2.hit_latency_ns /= factor; });
    better("l2_hits_wait", [&](MemoryConfig& m, auto&) { m.l2_hits_wait = 0; });
    if (config.memory.caches) {
      const std::size_t level = random.below(config.memory.caches->size());
      const auto cache_of = [level](MemoryConfig& m) -> CacheConfig& { return m.caches->at(level); };
      better("caches: miss_bytes", [&](MemoryConfig& m, auto&) { cache_of(m).miss_bytes += random.below(20 * mega); });
      better("caches: hit_bytes", [&](MemoryConfig& m, auto&) { cache_of(m).hit_bytes = cache_of(m).miss_bytes; });
      better("caches: gb_per_s", [&](MemoryConfig& m, auto&) { cache_of(m).gb_per_s *= factor; });
      better("caches: hit_latency_ns", [&](MemoryConfig& m, auto&) { cache_of(m).hit_latency_ns /= factor; });
    }
    better("load_latency_ns", [&](auto&, ShaderArrayConfig& s) { s.load_latency_ns /= factor; });
  }
  CHECK(faster > 400);
}

TEST_CASE("a lone engine: fewer hits never make it faster", "[scenario]") {
  RandomLoneWork random(72);
  int slower = 0;
  for (int round = 0; round < 400; ++round) {
    const MachineConfig config = random.machine();
    const auto list = random.list();
    auto wider = std::make_shared<CommandStream>(*list);
    for (ComputePipeline& pipeline : wider->compute_pipelines) {
      std::uint64_t& set = pipeline.work.working_set_bytes;
      if (set > 0) set += random.below(20 * mega);
      if (random.below(3) == 0) set = 0;  // each byte once
    }
    const std::uint64_t before = ps_of(config, list);
    const std::uint64_t after = ps_of(config, wider);
    INFO("round " << round);
    REQUIRE(after >= before);
    slower += after > before ? 1 : 0;
  }
  CHECK(slower > 100);
}
