// SPDX-License-Identifier: Apache-2.0
// The machines of configs/machines: built in by name, true to their public peaks, able to run what is shipped.
#include "api/machine.hpp"
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "sim/config/config.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const fs::path machine_directory = source_directory() / "configs/machines";

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(machine_directory)) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

const GraphicsEngineConfig& graphics_node(const MachineConfig& machine) {
  return std::get<GraphicsEngineConfig>(machine.engines.at(0));
}

/// 1e9 of one unit a second, on all SMs.
double giga_per_s(const ShaderArrayConfig& array, double per_sm) { return per_sm * array.sms * array.clock_mhz / 1e3; }

std::shared_ptr<CommandStream> list_of(std::vector<Command> commands) {
  auto stream = std::make_shared<CommandStream>();
  stream->name = "list";
  stream->commands = std::move(commands);
  stream->graphics_pipelines.resize(1);
  return stream;
}

std::shared_ptr<CommandStream> dispatch_of(std::uint64_t groups, const GroupWork& work) {
  auto stream = list_of({Dispatch{0, groups}});
  stream->compute_pipelines.resize(1);
  stream->compute_pipelines[0].work = work;
  return stream;
}

/// Until one list alone on the machine is complete.
double us_of(const MachineConfig& config, QueueType type, std::shared_ptr<const CommandStream> list) {
  Machine machine(config);
  machine.execute(machine.create_queue({"queue", type, QueuePriority::normal, ""}), std::move(list));
  CHECK(machine.run());
  return static_cast<double>(machine.now_ps()) / 1e6;
}

double tiny_us(QueueType type, std::shared_ptr<const CommandStream> list) {
  return us_of(builtin_machine("tiny"), type, std::move(list));
}

GroupWork cycles(std::uint64_t count) {
  GroupWork work;
  work.cycles = count;
  return work;
}
GroupWork alu(double instructions) {
  GroupWork work;
  work.shader.alu_instructions = instructions;
  return work;
}
GroupWork reading(std::uint64_t bytes) {
  GroupWork work;
  work.vram_bytes = bytes;
  return work;
}

}  // namespace

TEST_CASE("machines: every shipped file is built in by its name", "[configs]") {
  const std::vector<std::string> names = shipped_names();
  CHECK(names == std::vector<std::string>{"arc_a770", "h100", "h100_measured", "h200", "quadro_gv100", "rtx_3080",
                                          "rtx_4090", "rx_6800_xt", "rx_7900_xtx", "tiny", "tiny_linked"});
  CHECK(builtin_machine_names() == names);
  for (const std::string& name : names) {
    INFO(name);
    const fs::path file = machine_directory / (name + ".json");
    CHECK(builtin_machine_text(name) == contents_of(file));
    const MachineConfig shipped = load_machine(file.string(), "", {});
    CHECK(shipped.name == name);
    CHECK(dump_config(builtin_machine(name)) == dump_config(shipped));
  }
}

TEST_CASE("machines: an unknown name is answered with the known ones", "[configs]") {
  CHECK_THROWS_AS(builtin_machine("h10"), ConfigError);
  CHECK_THROWS_AS(builtin_machine(""), ConfigError);
  CHECK_THROWS_WITH(builtin_machine("rtx_409"), Contains("did you mean \"rtx_4090\"?"));
  const Shell shell;
  const auto refused = shell.fenceline({"run", shipped_workload("multi_engine").string(), "--machine", "voodoo"});
  CHECK(refused.code == 2);
  const std::string help = shell.fenceline({"run", "--help"}).out;
  for (const std::string& name : shipped_names()) {
    CHECK_THAT(refused.err, Contains('"' + name + '"'));
    CHECK_THAT(help, Contains(name));
  }
}

TEST_CASE("machines: of what was not measured, every number is named beside its source", "[configs]") {
  for (const std::string& name : shipped_names()) {
    if (name[0] == 'h' || name == "tiny" || name == "tiny_linked") continue;
    const nlohmann::json machine = load_json(machine_directory / (name + ".json"));
    CHECK_THAT(machine["source"].get<std::string>(), Contains("Nothing here was measured"));
    std::vector<nlohmann::json> parts = {machine["shader_array"], machine["memory"], machine["scheduler"],
                                         machine["video_memory"], machine["host"]};
    for (const auto& engine : machine["engines"]) parts.push_back(engine);
    for (const nlohmann::json& part : parts) {
      const std::string source = part["source"];
      if (source.rfind("as the first ", 0) == 0) continue;
      CHECK_THAT(source, Contains("assumption"));
      for (const auto& [key, value] : part.items()) {
        INFO(name << ", " << key);
        if (key != "source" && key != "type") CHECK_THAT(source, Contains(key));
      }
    }
    for (const auto& path : machine["submission_paths"]) {
      CHECK_THAT(path["source"].get<std::string>(), Contains("Assumption"));
    }
  }
}

// Public peaks: TFLOP/s without dual issue, Gpixel/s, Gtexel/s, GB/s of video memory, GB/s of PCIe in one direction,
// MiB of last-level cache. Sources: those that the files name; H200: NVIDIA's data sheet, texture units from its
// H100 whitepaper.
struct Peak {
  const char* machine;
  double tflops, gpixels, gtexels, vram, pcie, cache_mib;
};
const std::vector<Peak> peaks = {
    {"quadro_gv100", 16.7, 208, 521, 870, 15.75, 6}, {"rtx_3080", 29.8, 164, 465, 760, 31.5, 5},
    {"rtx_4090", 82.6, 444, 1290, 1008, 31.5, 72},   {"rx_6800_xt", 20.7, 288, 648, 512, 31.5, 128},
    {"rx_7900_xtx", 30.7, 480, 960, 960, 31.5, 96},  {"arc_a770", 17.2, 269, 538, 560, 31.5, 16},
    {"h200", 66.9, 0, 1045, 4800, 63, 60},           {"h100", 66.9, 0, 1045, 3350, 63, 50},
    {"h100_measured", 66.9, 0, 1045, 3350, 63, 50},
};

TEST_CASE("machines: peak rates are the public ones", "[configs]") {
  CHECK(peaks.size() + 2 == shipped_names().size());  // tiny and its like have none
  for (const Peak& peak : peaks) {
    INFO(peak.machine);
    const MachineConfig machine = builtin_machine(peak.machine);
    const ShaderArrayConfig& array = machine.shader_array;
    const double rounding = 0.005;  // the public figures have three digits
    CHECK(2 * giga_per_s(array, array.alu_lanes) / 1e3 == Approx(peak.tflops).epsilon(rounding));
    CHECK(giga_per_s(array, array.texture_samples_per_clock) == Approx(peak.gtexels).epsilon(rounding));
    const MemoryConfig& memory = machine.memory;
    for (const double pcie : {memory.pcie_to_device.gb_per_s, memory.pcie_to_host.gb_per_s}) {
      CHECK(pcie > 0.85 * peak.pcie);
      CHECK(pcie < 0.90 * peak.pcie);
    }
    const double cache_bytes = peak.cache_mib * 1048576;
    CHECK(static_cast<double>(memory.l2.hit_bytes) == Approx(cache_bytes * 2 / 3).epsilon(0.01));
    CHECK(static_cast<double>(memory.l2.miss_bytes) == Approx(cache_bytes * 5 / 6).epsilon(0.01));
    CHECK(memory.l2.gb_per_s > memory.vram.gb_per_s);
    if (peak.gpixels == 0) continue;  // measured where public figures say little: 3D work on 4 of 132 SMs
    const GraphicsEngineConfig& graphics = graphics_node(machine);
    CHECK(graphics.rates.rop_pixels_per_clock * graphics.clock_mhz / 1e3 == Approx(peak.gpixels).epsilon(rounding));
    CHECK(memory.vram.gb_per_s == Approx(0.90 * peak.vram).epsilon(1e-3));
    CHECK(graphics.clock_mhz == Approx(array.clock_mhz));
    CHECK(array.graphics_sms == array.sms);
  }
}

TEST_CASE("machines: each runs the shipped workloads", "[scenario]") {
  for (const std::string& name : shipped_names()) {
    for (const char* workload : {"multi_engine", "ring_buffer", "pipelined_compute_graphics", "commands"}) {
      INFO(name << ", " << workload);
      const LoadedWorkload loaded = load_workload(shipped_workload(workload), name, {});
      Machine machine(loaded.machine);
      Player player(machine, loaded.program);
      CHECK(player.play());
      CHECK(machine.outstanding() == 0);
    }
  }
}

TEST_CASE("machines: arithmetic takes as long as their TFLOP/s say", "[scenario]") {
  const std::uint64_t groups = 100'000;
  const double instructions = 2000;
  std::vector<std::pair<double, double>> measured;  // TFLOP/s, -us
  for (const Peak& peak : peaks) {
    INFO(peak.machine);
    const double us = us_of(builtin_machine(peak.machine), QueueType::compute, dispatch_of(groups, alu(instructions)));
    const double least = 2.0 * static_cast<double>(groups) * 256 * instructions / peak.tflops / 1e6;
    CHECK(us > least * 0.995);  // the public figure is rounded
    CHECK(us < least * 1.04);   // groups start and retire, the last wave is not full
    measured.emplace_back(peak.tflops, -us);
  }
  std::sort(measured.begin(), measured.end());
  CHECK(std::is_sorted(measured.rbegin(), measured.rend(), [](auto& a, auto& b) { return a.second > b.second; }));
}

TEST_CASE("tiny: a grid runs in waves of two groups on each of four SMs", "[scenario]") {
  CHECK(tiny_us(QueueType::compute, dispatch_of(1, cycles(1000))) == 1);
  CHECK(tiny_us(QueueType::compute, dispatch_of(8, cycles(1000))) == 1);
  CHECK(tiny_us(QueueType::compute, dispatch_of(9, cycles(1000))) == 2);
  CHECK(tiny_us(QueueType::direct, dispatch_of(9, cycles(1000))) == 2);
}

TEST_CASE("tiny: groups of one SM share its 32 lanes", "[scenario]") {
  // 256 threads x 100 instructions / 32 lanes: 800 cycles. Two on one SM: 1600, then the ninth alone.
  CHECK(tiny_us(QueueType::compute, dispatch_of(4, alu(100))) == Approx(0.8));
  CHECK(tiny_us(QueueType::compute, dispatch_of(8, alu(100))) == Approx(1.6));
  CHECK(tiny_us(QueueType::compute, dispatch_of(9, alu(100))) == Approx(2.4));
}

TEST_CASE("tiny: reads are bound by latency, then by bandwidth", "[scenario]") {
  // 256 threads x 16 bytes in 100 ns: 40.96 GB/s. Eight groups want more than 100 GB/s.
  CHECK(tiny_us(QueueType::compute, dispatch_of(1, reading(40'960))) == Approx(1));
  CHECK(tiny_us(QueueType::compute, dispatch_of(8, reading(12'500))) == Approx(1));
}

TEST_CASE("tiny: a copy takes its bytes over the slowest channel", "[scenario]") {
  CHECK(tiny_us(QueueType::copy, list_of({CopyBuffer{CopyRoute::host_to_device, 1'000'000}})) == Approx(100));
  CHECK(tiny_us(QueueType::copy, list_of({CopyBuffer{CopyRoute::device_to_host, 1'000'000}})) == Approx(100));
  CHECK(tiny_us(QueueType::copy, list_of({CopyBuffer{CopyRoute::device_to_device, 1'000'000}})) == Approx(20));
}

TEST_CASE("tiny: a draw takes as long as its slowest stage", "[scenario]") {
  CHECK(tiny_us(QueueType::direct, list_of({Draw{0, 3, 1, 1, 16'000}})) == Approx(1));
  CHECK(tiny_us(QueueType::direct, list_of({Draw{0, 6000, 1, 2000, 2000}})) == Approx(2));
}

TEST_CASE("tiny: fences cost nothing", "[scenario]") {
  Machine machine(builtin_machine("tiny"));
  const ContextId copy = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const ContextId compute = machine.create_queue({"compute", QueueType::compute, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("uploaded");
  machine.wait(compute, fence, 1);
  machine.execute(compute, dispatch_of(8, cycles(1000)));
  machine.execute(copy, list_of({CopyBuffer{CopyRoute::host_to_device, 1'000'000}}));
  machine.signal(copy, fence, 1);
  CHECK(machine.run());
  CHECK(machine.now_ps() == 101'000'000);
}

TEST_CASE("machines: the adapter reports the coarsest granularity of the engines that run a class of work", "[api]") {
  GraphicsEngineConfig graphics;
  graphics.graphics_preemption.granularity = GraphicsPreemption::pixel_boundary;
  graphics.compute_preemption.granularity = ComputePreemption::thread_group_boundary;
  ComputeEngineConfig compute;
  compute.compute_preemption.granularity = ComputePreemption::shader_boundary;
  compute.graphics_preemption.granularity = GraphicsPreemption::none;  // it draws nothing
  MachineConfig machine;
  const auto caps = [&](std::vector<NodeConfig> engines) {
    machine.engines = std::move(engines);
    const PreemptionCaps reported = preemption_caps(machine);
    return std::pair(reported.graphics, reported.compute);
  };
  using Caps = std::pair<GraphicsPreemption, ComputePreemption>;
  CHECK(caps({graphics, compute, CopyEngineConfig{}}) ==
        Caps{GraphicsPreemption::pixel_boundary, ComputePreemption::thread_group_boundary});
  CHECK(caps({compute}) == Caps{GraphicsPreemption::none, ComputePreemption::shader_boundary});
  CHECK(caps({CopyEngineConfig{}}) == Caps{GraphicsPreemption::none, ComputePreemption::none});
  ComputeEngineConfig coarse = compute;
  coarse.compute_preemption.granularity = ComputePreemption::none;
  CHECK(caps({compute, graphics, coarse}).second == ComputePreemption::none);
  machine.engines = {graphics};
  CHECK(Machine(machine).preemption_caps().compute == ComputePreemption::thread_group_boundary);
}
