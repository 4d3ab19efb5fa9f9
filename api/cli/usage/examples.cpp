// SPDX-License-Identifier: Apache-2.0
#include "api/cli/usage/examples.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <vector>

namespace fenceline::cli {
namespace {

struct VerbExamples {
  const char* verb;  ///< with the one that it is inside of
  std::vector<const char*> commands;
};

/// Those of one verb need nothing but shipped files, and what those before them leave.
const std::vector<VerbExamples>& examples() {
  static const std::vector<VerbExamples> all = {
      {"run",
       {"fenceline run configs/workloads/multi_engine.json",
        "fenceline run configs/workloads/game_and_compositor.json --machine rtx_4090 --set /engines/3d/clock_mhz=2000 "
        "--html",
        "fenceline run configs/workloads/game_and_compositor.json --fork 40ms --set "
        "/engines/3d/graphics_preemption/granularity=pixel_boundary",
        "fenceline run configs/workloads/ring_buffer.json --repeat 5 --jobs 2 --out runs/five"}},
      {"sweep",
       {"fenceline sweep configs/sweeps/preemption_granularity.json",
        "fenceline sweep configs/workloads/game_and_compositor.json --vary /engines/3d/clock_mhz=1000..2000+500 "
        "--metric makespan_us --metric queue_p99_us:game",
        "fenceline sweep configs/sweeps/preemption_granularity.json --launcher slurm --sbatch=--partition=long --out "
        "/shared/results",
        "fenceline sweep configs/workloads/game_and_compositor.json --vary "
        "/engines/3d/graphics_preemption/granularity=dma_buffer_boundary,pixel_boundary --optimise queue_p99_us "
        "--within 'lost_percent<=2' --out runs/best"}},
      {"check",
       {"fenceline check configs/workloads/ring_buffer.json configs/machines/h200.json",
        "fenceline check configs/workloads/multi_engine.json --machine rtx_4090",
        "fenceline check configs/machines/h100_measured.json --expanded"}},
      {"schema", {"fenceline schema workload", "fenceline schema --write schemas"}},
      {"validate",
       {"fenceline validate bench/hardware/h200/workloads.json",
        "fenceline validate bench/hardware/published/rtx_4090 --machine rtx_4090 --rows",
        "fenceline validate bench/hardware --check"}},
      {"import kineto",
       {"fenceline import kineto bench/hardware/h200/torch_decode.kineto.json -o decode.json",
        "fenceline import kineto bench/hardware/h200/torch_decode.kineto.json "
        "bench/hardware/h200/torch_train.kineto.json --context decode --context train -o mix.json"}},
      {"import nsys",
       {"fenceline import nsys examples/nsys/two_streams.sqlite -o two_streams.json",
        "fenceline run two_streams.json --html"}},
      {"pack", {"fenceline pack configs/workloads/multi_engine.json -o multi_engine.capture"}},
      {"unpack",
       {"fenceline pack configs/workloads/multi_engine.json -o multi_engine.capture",
        "fenceline unpack multi_engine.capture -o multi_engine.json --machine-out multi_engine_machine.json"}},
      {"trim",
       {"fenceline trim configs/workloads/flip_storm.json --from frame:10 --to frame:20 -o ten_frames.json",
        "fenceline run ten_frames.json"}},
      {"info",
       {"fenceline info configs/workloads/multi_engine.json",
        "fenceline info configs/workloads/flip_storm.json --json"}},
      {"report",
       {"fenceline run configs/workloads/staging_buffer.json",
        "fenceline report runs/staging_buffer --resource texture", "fenceline report runs/staging_buffer --html"}},
      {"explain",
       {"fenceline run configs/workloads/game_and_compositor.json",
        "fenceline explain runs/game_and_compositor --deadline vsync --at 20833",
        "fenceline explain runs/game_and_compositor --queue compositor --at 18000",
        "fenceline run configs/workloads/flip_storm.json && fenceline explain runs/flip_storm --frame 12 --swap-chain "
        "game"}},
      {"compare",
       {"fenceline run configs/workloads/multi_engine.json --out runs/before",
        "fenceline run configs/workloads/multi_engine.json --set /shader_array/graphics_sms=8 --out runs/after",
        "fenceline compare runs/before runs/after",
        "fenceline compare runs/before runs/after --html runs/compare.html"}},
      {"cache list", {"fenceline cache list"}},
      {"cache stat", {"fenceline cache stat --json"}},
      {"cache verify", {"fenceline cache verify --directory runs"}},
      {"cache clear", {"fenceline cache clear", "fenceline cache clear --all --directory runs"}},
      {"shader",
       {"fenceline shader -T ps_6_0 examples/tint.hlsl",
        "fenceline shader -T cs_6_0 -E darken -D AMOUNT=0.5 -Fo darken.dxbc examples/tint.hlsl"}},
      {"completion", {"source <(fenceline completion bash)"}},
      {"manual", {"fenceline manual --write man/man1"}},
  };
  return all;
}

/// Of the verb, and of those inside it.
std::string lines_of(const std::string& verb) {
  std::string lines;
  for (const VerbExamples& one : examples()) {
    if (one.verb != verb && std::string(one.verb).compare(0, verb.size() + 1, verb + ' ') != 0) continue;
    for (const char* command : one.commands) lines += fmt::format("{}  {}", lines.empty() ? "" : "\n", command);
  }
  return lines;
}

void add_to(CLI::App& app, const std::string& path) {
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    add_to(*verb, path + verb->get_name() + ' ');
  }
  if (path.empty()) return;
  const std::string footer = app.get_footer();
  app.footer(footer + (footer.empty() ? "" : "\n\n") + examples_text(path.substr(0, path.size() - 1)));
}

}  // namespace

void add_examples(CLI::App& app) { add_to(app, ""); }

std::string examples_text(const std::string& verb) { return examples_heading + lines_of(verb); }

}  // namespace fenceline::cli
