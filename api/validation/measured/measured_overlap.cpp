// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_overlap.hpp"

#include "api/validation/measured/measured_ranges.hpp"
#include "sim/config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

constexpr double least_share = 0.1;     // of the samples that an outcome has
constexpr double greatest_step = 1.05;  // from one quantile of an outcome to the next

}  // namespace

void describe(Fields& f, MeasuredFillOverlap& c) {
  f.optional("draw_loops", c.draw_loops, "of the pixel shader", measured_range::loop_count);
  f.optional("draws", c.draws, "of one large triangle each", between(1, 1e6));
  f.required("groups", c.groups, "of the dispatch", measured_range::groups);
  f.optional("loops", c.loops, "of each of its threads", measured_range::loop_count);
  f.optional("draw_alone_us", c.draw_alone_us, "measured, less an empty list", measured_range::us);
  f.optional("dispatch_alone_us", c.dispatch_alone_us, "measured, less an empty list", measured_range::us);
  f.optional("draw_together_quantiles_us", c.draw_together_quantiles_us, "measured from release to fence",
             measured_range::us);
  f.optional("dispatch_together_quantiles_us", c.dispatch_together_quantiles_us, "measured from release to fence",
             measured_range::us);
}

void describe_keys(Fields& f, MeasuredOverlaps& c) {
  f.optional("quantiles", c.quantiles, "which quantiles the rows give, ascending", between(0, 1));
  f.optional("fill_overlap", c.fill_overlap, "draws of a large triangle and a dispatch on two queues");
  f.check(std::is_sorted(c.quantiles.begin(), c.quantiles.end()), "ascending quantiles", "quantiles out of order",
          "quantiles");
  const bool has_middle = std::any_of(c.quantiles.begin(), c.quantiles.end(),
                                      [](double q) { return q >= least_share && q <= 1 - least_share; });
  for (std::size_t i = 0; i < c.fill_overlap.size(); ++i) {
    const auto check = [&](const char* key, const std::vector<double>& values) {
      const std::string where = fmt::format("/fill_overlap/{}/{}", i, key);
      if (values.empty()) return;
      f.check(has_middle, "a quantile from 0.1 to 0.9", "none", "quantiles");
      f.check(values.size() == c.quantiles.size(),
              fmt::format("{} values, one for each of quantiles", c.quantiles.size()), fmt::format("{}", values.size()),
              where);
      f.check(std::is_sorted(values.begin(), values.end()), "ascending values", "values out of order", where);
    };
    check("draw_together_quantiles_us", c.fill_overlap[i].draw_together_quantiles_us);
    check("dispatch_together_quantiles_us", c.fill_overlap[i].dispatch_together_quantiles_us);
  }
}

std::vector<double> outcomes_of(const std::vector<double>& quantiles, const std::vector<double>& values) {
  std::vector<std::vector<double>> outcomes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (quantiles[i] < least_share || quantiles[i] > 1 - least_share) continue;
    if (outcomes.empty() || values[i] > outcomes.back().back() * greatest_step) outcomes.emplace_back();
    outcomes.back().push_back(values[i]);
  }
  std::vector<double> middles;
  middles.reserve(outcomes.size());
  for (const std::vector<double>& one : outcomes) middles.push_back(one[(one.size() - 1) / 2]);
  return middles;
}

}  // namespace fenceline
