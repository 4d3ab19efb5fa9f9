// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/pgo/pgo_driver.hpp"
#include "bgproc/pgo/pipeline_profile.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// Constants and rounds of recompiles, to compare.
using Wanted = std::vector<std::pair<ConstantsKey, std::uint32_t>>;
using Histogram = std::map<ConstantsKey, std::uint64_t>;

inline Wanted wanted(const std::vector<Variant>& recompiles) {
  Wanted result;
  result.reserve(recompiles.size());
  for (const Variant& one : recompiles) result.emplace_back(one.constants, one.rounds);
  return result;
}

inline PgoConfig config_of(std::uint64_t act_now, double part = 0.25) {
  PgoConfig config;
  config.act_now_executions = act_now;
  config.frequent_part = part;
  return config;
}

inline void measure(PipelineProfile& profile, const Histogram& histogram, Measurement how) {
  for (const auto& [constants, executions] : histogram) profile.measured(constants, how, executions);
}

inline void compile(PipelineProfile& profile, const std::vector<Variant>& recompiles) {
  for (const Variant& one : recompiles) profile.compiled(one);
}

/// Measures, acts and compiles as long as more is wanted: how many variants were compiled.
inline std::size_t converge(PipelineProfile& profile, const PgoConfig& config, ConstantsKey constants,
                            Measurement how) {
  std::size_t compiled = 0;
  for (int tries = 0; tries < 10; ++tries) {
    profile.measured(constants, how, config.act_now_executions);
    const std::vector<Variant> recompiles = profile.act(config, false);
    compiled += recompiles.size();
    const bool more = profile.wants_more();
    compile(profile, recompiles);
    if (!more) return compiled;
  }
  FAIL("never converges");
  return compiled;
}

constexpr Measurement light = Measurement::light;
constexpr Measurement intrusive = Measurement::intrusive;

}  // namespace fenceline::testing
