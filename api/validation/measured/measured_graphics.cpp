// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_graphics.hpp"

#include "api/validation/measured/measured_frames.hpp"
#include "api/validation/measured/measured_ranges.hpp"
#include "sim/config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

const Range command_count = between(1, 1e6);

}  // namespace

void describe(Fields& f, MeasuredFill& c) {
  f.required("triangle_pixels", c.triangle_pixels, "that the triangle covers", between(1, 1e11));
  f.optional("loops", c.loops, "of the pixel shader", measured_range::loop_count);
  f.required("us", c.us, "measured", measured_range::us);
}

void describe(Fields& f, MeasuredTriangles& c) {
  f.required("triangles", c.triangles, "of the draw", between(1, 1e8));
  f.required("edge_px", c.edge_px, "legs of each triangle, pixels", between(0, 16384));
  check_pixels(f, c.triangles, c.edge_px);
  f.required("us", c.us, "measured", measured_range::us);
}

void describe(Fields& f, MeasuredDrawCalls& c) {
  f.required("draws", c.draws, "of 10 small triangles each", command_count);
  f.optional("us", c.us, "measured, all with one pipeline", measured_range::us);
  f.optional("us_with_state_change", c.us_with_state_change, "measured, another pipeline for each draw",
             measured_range::us);
}

void describe(Fields& f, MeasuredDispatches& c) {
  f.required("dispatches", c.dispatches, "empty ones", command_count);
  f.required("groups", c.groups, "of 256 threads, of each dispatch", measured_range::groups);
  f.optional("us", c.us, "measured on the compute queue", measured_range::us);
  f.optional("us_with_barrier", c.us_with_barrier, "measured there, a barrier after each", measured_range::us);
  f.optional("us_with_barrier_on_3d_queue", c.us_with_barrier_on_3d_queue, "the same on the 3D queue",
             measured_range::us);
}

void describe(Fields& f, MeasuredComputeLoops& c) {
  f.required("groups_of_256", c.groups_of_256, "groups of 256 threads", measured_range::groups);
  f.optional("loops", c.loops, "of each thread", measured_range::loop_count);
  f.optional("us", c.us, "measured", measured_range::us);
  f.optional("quantiles_us", c.quantiles_us, "measured, quantiles of several runs", measured_range::us);
  f.optional("replaced_by", c.replaced_by, "the file that measures this row again: it is shown and not judged");
  f.check(c.us || !c.quantiles_us.empty(), "us, quantiles_us or both", "neither");
}

void describe(Fields& f, MeasuredFenceChain& c) {
  f.required("queues", c.queues, "the two queues: 0 3D, 1 compute, 2 copy", between(0, 2));
  f.required("us", c.us, "measured, each submission", measured_range::us);
  f.check(c.queues.size() == 2, "two queues", fmt::format("{}", c.queues.size()), "queues");
}

void describe(Fields& f, MeasuredOverlap& c) {
  f.required("groups", c.groups, "of the dispatch", measured_range::groups);
  f.optional("loops", c.loops, "of each of its threads", measured_range::loop_count);
  f.optional("draw_alone_us", c.draw_alone_us, "measured, less an empty list", between(1e-6, 1e5));
  f.optional("dispatch_alone_us", c.dispatch_alone_us, "measured, less an empty list", measured_range::us);
  f.optional("draw_together_us", c.draw_together_us, "measured from submit to fence", measured_range::us);
  f.optional("dispatch_together_us", c.dispatch_together_us, "measured from submit to fence", measured_range::us);
  f.optional("draw_together_quantiles_us", c.draw_together_quantiles_us,
             "measured from release to fence, quantiles of several runs", measured_range::us);
  f.optional("dispatch_together_quantiles_us", c.dispatch_together_quantiles_us,
             "measured from release to fence, quantiles of several runs", measured_range::us);
  const bool together = c.draw_together_us || c.dispatch_together_us || !c.draw_together_quantiles_us.empty() ||
                        !c.dispatch_together_quantiles_us.empty();
  f.check(c.draw_alone_us || !together, "draw_alone_us, which says how large the draw is", "none");
}

void check_spreads(Fields& f, const MeasuredGraphics& c, const std::vector<double>& quantiles) {
  const auto check = [&](const std::string& pointer, const std::vector<std::vector<double>>& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::string where = fmt::format("{}/{}", pointer, i);
      f.check(!quantiles.empty(), "which quantiles the rows give", "none", "quantiles");
      f.check(runs[i].size() == quantiles.size(), fmt::format("{} values, one for each of quantiles", quantiles.size()),
              fmt::format("{}", runs[i].size()), where);
      f.check(std::is_sorted(runs[i].begin(), runs[i].end()), "ascending values", "values out of order", where);
    }
  };
  for (std::size_t i = 0; i < c.async_overlap.size(); ++i) {
    const std::string row = fmt::format("/async_overlap/{}", i);
    check(row + "/draw_together_quantiles_us", c.async_overlap[i].draw_together_quantiles_us);
    check(row + "/dispatch_together_quantiles_us", c.async_overlap[i].dispatch_together_quantiles_us);
  }
  for (std::size_t i = 0; i < c.compute_loops_us.size(); ++i) {
    check(fmt::format("/compute_loops_us/{}/quantiles_us", i), c.compute_loops_us[i].quantiles_us);
  }
}

bool MeasuredGraphics::empty() const {
  return empty_submit_us.empty() && pixel_fill_us.empty() && triangles_us.empty() && draw_calls_us.empty() &&
         dispatches_us.empty() && compute_loops_us.empty() && fence_chain_us_per_hop.empty() && async_overlap.empty();
}

void describe_keys(Fields& f, MeasuredGraphics& c) {
  f.optional("empty_submit_us", c.empty_submit_us, "an empty list on the 3D, compute and copy queue",
             measured_range::us);
  f.optional("pixel_fill_us", c.pixel_fill_us, "one large triangle");
  f.optional("triangles_us", c.triangles_us, "one draw of many triangles");
  f.optional("draw_calls_us", c.draw_calls_us, "many draws");
  f.optional("dispatches_us", c.dispatches_us, "many empty dispatches");
  f.optional("compute_loops_us", c.compute_loops_us, "one dispatch");
  f.optional("fence_chain_us_per_hop", c.fence_chain_us_per_hop, "submissions that take turns between two queues");
  f.optional("async_overlap", c.async_overlap, "a draw and a dispatch on two queues");
  f.check(c.empty_submit_us.size() <= 3, "at most three queues", fmt::format("{}", c.empty_submit_us.size()),
          "empty_submit_us");
}

}  // namespace fenceline
