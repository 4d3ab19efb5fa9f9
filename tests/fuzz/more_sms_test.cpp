// SPDX-License-Identifier: Apache-2.0
// What more SMs do to random draws and dispatches: held against the same list on fewer.
//
// Where arithmetic decides, more SMs are never slower, at any count. Elsewhere they can be, and on hardware, too:
// - Groups that read move their bytes together. Of N groups that find m places, what is left for the last wave depends
//   on N mod m: with fewer groups in it than fill the memory's pipe it is slower for its bytes. 137 groups of 68,381
//   bytes, of which 18 fill a pipe of 2,168 bytes/ns, on 24 places: 5 full waves and 17 groups, 120 x 68,381 / 2,168 =
//   3,785 ns and a wave at the groups' own 117 bytes/ns each, 584 ns. On 32 places: 4 full waves and 9 groups, 128 x
//   68,381 / 2,168 = 4,037 and 584 ns again. Twice the places never leave fewer for the last wave.
// - Pixels come in batches. Where the last one finds the SMs' places in another order, or its SMs at work, it is later
//   by part of its shader's time.
// - Commands that overlap are list scheduling: what finds places sooner may take them from what everybody waits for.
#include "api/machine.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using SharedList = std::shared_ptr<const CommandStream>;

class RandomFrames {
 public:
  explicit RandomFrames(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

  MachineConfig machine() {
    MachineConfig config = builtin_machine("tiny");
    ShaderArrayConfig& array = config.shader_array;
    array.groups_per_sm = static_cast<std::uint32_t>(1 + below(8));
    array.issue_conflicts = one_in(2) ? 0 : 0.35;
    array.group_overhead_cycles = static_cast<std::uint32_t>(below(3) * 50);
    config.memory.vram.gb_per_s = static_cast<double>(100 + below(4000));
    config.memory.l2.gb_per_s = 2 * config.memory.vram.gb_per_s;
    if (one_in(2)) {
      config.memory.l2.hit_bytes = below(20 * mega);
      config.memory.l2.miss_bytes = config.memory.l2.hit_bytes + below(20 * mega);
    }
    auto& rates = std::get<GraphicsEngineConfig>(config.engines.at(0)).rates;
    rates.lanes_per_clock = static_cast<double>(1 + below(64));
    rates.rop_pixels_per_clock = static_cast<double>(1 + below(64));
    return config;
  }

  /// What lists are made of.
  struct Family {
    bool draws = true;
    bool dispatches = true;
    bool memory = true;   ///< some shaders read
    bool overlap = true;  ///< some commands begin beside the one before
  };
  SharedList list(const Family& family) {
    auto list = std::make_shared<CommandStream>();
    for (std::uint64_t count = 1 + below(4); count > 0; --count) {
      if (!family.dispatches || (family.draws && one_in(2))) {
        add_draw(*list, family.memory);
      } else {
        add_dispatch(*list, family.memory);
      }
      if (!family.overlap || one_in(2)) list->commands.emplace_back(Barrier{});
    }
    return list;
  }

 private:
  void add_draw(CommandStream& list, bool memory) {
    GraphicsPipeline pipeline;
    pipeline.pixel_shader.alu_instructions = static_cast<double>(one_in(3) ? below(4) : below(100));
    pipeline.vertex_shader.alu_instructions = static_cast<double>(below(40));
    if (memory && one_in(3)) {
      pipeline.pixel_shader.texture_samples = static_cast<double>(below(4));
      pipeline.pixel_shader.texture_bytes_per_sample = static_cast<double>(below(16));
      pipeline.pixel_shader.texture_working_set_bytes = below(10 * mega);
    }
    const std::uint64_t triangles = 1 + below(100);
    list.commands.emplace_back(Draw{static_cast<std::uint32_t>(list.graphics_pipelines.size()), 3 * triangles, 1,
                                    triangles, 1 + below(400'000), 0});
    list.graphics_pipelines.push_back(pipeline);
  }
  void add_dispatch(CommandStream& list, bool memory) {
    ComputePipeline pipeline;
    pipeline.group = {static_cast<std::uint32_t>(32 * (1 + below(32))), 32, 0};
    pipeline.work.cycles = below(2) * below(3000);
    if (one_in(2)) pipeline.work.shader.alu_instructions = static_cast<double>(below(300));
    if (memory && one_in(3)) {
      pipeline.work.vram_bytes = below(100'000);
      pipeline.work.working_set_bytes = one_in(3) ? 0 : below(10 * mega);
    }
    list.commands.emplace_back(Dispatch{static_cast<std::uint32_t>(list.compute_pipelines.size()), 1 + below(300)});
    list.compute_pipelines.push_back(pipeline);
  }

  std::mt19937_64 random_;
};

MachineConfig with_sms(MachineConfig config, std::uint32_t sms, std::uint32_t graphics_sms) {
  config.shader_array.sms = sms;
  config.shader_array.graphics_sms = graphics_sms;
  return config;
}

std::uint64_t lone_ps(const MachineConfig& config, const SharedList& list) {
  Machine machine(config);
  machine.execute(machine.create_queue({"queue", QueueType::direct, QueuePriority::normal, ""}), list);
  CHECK(machine.run());
  return machine.now_ps();
}

constexpr std::initializer_list<std::uint32_t> any_counts = {1, 2, 3, 4, 6, 8, 12, 16, 32, 132};
constexpr std::initializer_list<std::uint32_t> doubled = {1, 2, 4, 8, 16, 32, 64, 128};

/// The machine of `config` with that many SMs.
using Resize = MachineConfig (*)(MachineConfig, std::uint32_t);
MachineConfig with_sms(MachineConfig config, std::uint32_t sms) { return with_sms(std::move(config), sms, sms); }
MachineConfig with_graphics_sms(MachineConfig config, std::uint32_t sms) {
  return with_sms(std::move(config), 132, sms);
}

/// Random lists on more and more SMs.
class Growth {
 public:
  Growth(std::uint64_t seed, const RandomFrames::Family& family, std::initializer_list<std::uint32_t> counts,
         Resize resize) {
    RandomFrames random(seed);
    for (int round = 0; round < 200; ++round) {
      const MachineConfig config = random.machine();
      const SharedList list = random.list(family);
      std::uint64_t before_ps = 0;
      for (const std::uint32_t sms : counts) {
        const std::uint64_t ps = lone_ps(resize(config, sms), list);
        if (before_ps > 0) step(before_ps, ps);
        before_ps = ps;
      }
    }
  }
  int faster = 0;
  int slower = 0;
  double worst = 1;  ///< times as long as on fewer

 private:
  void step(std::uint64_t before_ps, std::uint64_t ps) {
    faster += ps < before_ps ? 1 : 0;
    slower += ps > before_ps ? 1 : 0;
    worst = std::max(worst, static_cast<double>(ps) / static_cast<double>(before_ps));
  }
};

}  // namespace

TEST_CASE("a lone engine: more SMs never make dispatches slower that the SMs decide", "[fuzz]") {
  const Growth growth(81, {false, true, false, false}, any_counts, with_sms);
  CHECK(growth.slower == 0);
  CHECK(growth.faster > 400);  // it does matter
}

TEST_CASE("a lone engine: more SMs make draws slower by 1 % at most", "[fuzz]") {
  for (const Resize resize : {Resize{with_sms}, Resize{with_graphics_sms}}) {
    const Growth growth(83, {true, false, false, false}, any_counts, resize);
    CHECK(growth.worst <= 1.01);
    CHECK(growth.faster > 400);
  }
}

TEST_CASE("a lone engine: twice the SMs make commands one after another slower by 2 % at most", "[fuzz]") {
  for (const Resize resize : {Resize{with_sms}, Resize{with_graphics_sms}}) {
    const Growth growth(85, {true, true, true, false}, doubled, resize);
    CHECK(growth.worst <= 1.02);
    CHECK(growth.faster > 200);
  }
}

TEST_CASE("a lone engine: more SMs make overlapping commands slower in one step of a hundred at most", "[fuzz]") {
  for (const Resize resize : {Resize{with_sms}, Resize{with_graphics_sms}}) {
    const Growth growth(87, {true, true, true, true}, any_counts, resize);
    CHECK(growth.slower < 18);  // of 1,800
    CHECK(growth.faster > 200);
  }
}
