// SPDX-License-Identifier: Apache-2.0
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/load_measured.hpp"
#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/program.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/mutator.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

const std::vector<std::string> files = {
    R"({"device": {"name": "x", "spin_regs": 10},
"copies_us": [{"dir": "d2d", "bytes": 4096, "us": 3.1}],
"block_waves": [{"threads": 256, "smem": 102400, "blocks_per_sm": 2, "cycles": 4000, "grid": 9, "us": 2.1}],
"launch": {"empty_1block_period_us": 1.4, "empty_1056block_period_us": 2, "host_to_device_to_host_us": 6},
"fences": {"same_queue_gap_ns": 1536, "cross_queue_event_gap_ns": 1536, "cross_queue_value_fence_gap_ns": 3840},
"block_boundary_preemption": [{"mode": "high_priority", "block_us": 20, "latency_us_min": 6, "p50": 17}],
"bandwidth_sharing": [{"kernel_8GiB_read_us": 2000, "copy": "d2d 4x1GiB", "copy_us": 4000}],
"l2_us": [{"beside": "nothing, all SMs", "blocks": 9, "threads": 1024, "set_mb": 4, "bytes_per_block": 65536, "us": 9},
{"beside": "a streaming read", "blocks": 6, "set_mb": 0.5, "bytes_per_block": 6710, "us": 14, "other_us": 15}]})",
    R"({"device": {"timestamp_ns": 1, "families": [{"flags": 15, "count": 16}], "used": [0, 2, 1]},
"empty_submit_us": [9.8, 9, 8.9],
"pixel_fill_us": [{"triangle_pixels": 32768, "loops": 16, "us": 4.6}],
"triangles_us": [{"triangles": 10, "edge_px": 1.5, "us": 5.6}],
"draw_calls_us": [{"draws": 9, "us": 2.2, "us_with_state_change": 2.3}],
"dispatches_us": [{"dispatches": 5, "groups": 13, "us": 1, "us_with_barrier": 4, "us_with_barrier_on_3d_queue": 5}],
"compute_loops_us": [{"groups_of_256": 13, "loops": 64, "us": 3}],
"copies_us": [{"bytes": 4096, "dir": "h2d", "us": 3}],
"fence_chain_us_per_hop": [{"queues": [0, 1], "us": 8.6}],
"async_overlap": [{"groups": 13, "loops": 20, "draw_alone_us": 8, "dispatch_alone_us": 3, "draw_together_us": 9}]})",
    R"({"quantiles": [0, 0.5, 1],
"fill_overlap": [{"draw_loops": 4, "draws": 2, "groups": 13, "loops": 20, "draw_alone_us": 8, "dispatch_alone_us": 3,
"draw_together_quantiles_us": [8, 9, 10], "dispatch_together_quantiles_us": [3, 4, 9]}]})",
    R"({"quantiles": [0, 0.5, 1],
"async_overlap": [{"groups": 13, "loops": 20, "draw_alone_us": 8, "dispatch_alone_us": 3,
"draw_together_quantiles_us": [[8, 9, 19]], "dispatch_together_quantiles_us": [[3, 4, 9], [3, 7, 9]]}],
"compute_loops_us": [{"groups_of_256": 13, "loops": 64, "quantiles_us": [[3, 3, 5]], "replaced_by": "x"}]})",
    R"({"published": [{"figure": "vram_read_gb_per_s", "value": 90.5, "source": "a", "year": 2023, "measured": "b"},
{"figure": "load_latency_ns", "value": 9, "source": "a", "year": 2023, "measured": "b", "set_mib": 1.5}]})",
    R"({"graphics_workloads": [{"seed": 1, "makespan_us": 53.9, "submissions": [
{"queue": "compute", "commands": [{"dispatch": {"groups": 30, "loops": 16}}, {"barrier": {}}], "waits": [], "end_us": 8},
{"queue": "3d", "commands": [{"draw": {"triangles": 1, "edge_px": 15, "loops": 8}}], "waits": [0, 0], "end_us": 17},
{"queue": "copy", "commands": [{"copy": {"bytes": 9, "dir": "d2h"}}], "waits": [1], "start_us": 1, "end_us": 53}]}]})",
    R"({"time_slicing": [{"blocks": 1, "threads": 32, "smem": 4, "ok": true, "gaps": [4], "slice_us": [2.5],
"switch_us": {"n": 87, "p50": 153}}],
"context_preemption": [{"background_queue": 0, "loops": 0, "groups": 0, "latency_us": {"min": 13}}],
"two_processes": {"n": 200, "min": 3367, "mean": 5203}, "decode_alone_us": {"p50": 3}})"};

}  // namespace

TEST_CASE("measured fuzz: any text is a plan of cases or a config error", "[api][fuzz]") {
  Mutator mutator(20261121);
  const MachineConfig machine = builtin_machine("h200");
  std::size_t read = 0;
  std::size_t planned = 0;
  constexpr std::size_t rounds = 8000;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::string text = mutator.mutated(files[round % files.size()]);
    try {
      const MeasuredFile file = measured_file(parse_json(text, "x.json"), "x.json");
      ++read;
      skipped_kinds(file);
      for (const MeasuredKind& kind : measured_kinds()) {
        for (const PlannedCase& one : kind.plan({file, machine})) {
          ++planned;
          if (one.plays.empty()) continue;
          const Program program = make_program(one.plays.front(), "x.json");
          check_waits(program, "x.json");
          check_machine(program, "x.json", machine);
        }
      }
    } catch (const ConfigError& error) {
      if (!has_the_form(error.what())) FAIL("not one line of the form: " << error.what());
    }
  }
  CHECK(read > rounds / 200);
  CHECK(planned > read);
}
