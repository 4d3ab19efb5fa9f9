// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/distribution.hpp"

#include <nlohmann/json.hpp>

namespace fenceline {

/// Times of report.json: mean, percentiles and the longest, picoseconds.
inline nlohmann::ordered_json json_of(const Distribution& times) {
  return {{"mean", times.mean_ps},
          {"p50", times.p50_ps},
          {"p90", times.p90_ps},
          {"p99", times.p99_ps},
          {"max", times.max_ps}};
}

}  // namespace fenceline
