// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/sweep_silent.hpp"

#include "api/workload/knobs/silent_knobs.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::cli {
namespace {

constexpr std::uint64_t most_looked_at = 64;

/// Goes through all runs once, in steps that suit no axis.
std::uint64_t step_of(std::uint64_t runs) {
  std::uint64_t step = runs * 5 / 8 + 1;
  while (std::gcd(step, runs) != 1) ++step;
  return step;
}

/// What the plan sets by itself, for repetitions.
bool is_of_repetitions(const SweepPlan& plan, const std::string& pointer) {
  return plan.repetitions() > 1 && (pointer == "/scheduler/jitter" || pointer == "/scheduler/seed");
}

/// A pointer that is set and cannot matter, and in how many runs.
struct Silent {
  std::string pointer;
  std::string reason;
  std::uint64_t runs;
};

}  // namespace

std::string silent_lines(const SweepPlan& plan) {
  const std::uint64_t looked_at = std::min(plan.runs(), most_looked_at);
  const std::uint64_t step = step_of(plan.runs());
  std::vector<Silent> all;
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    const SweepPoint point = plan.point(i * step % plan.runs());
    try {
      for (const SilentKnobs& knobs : silent_knobs(load_workload(point.workload, point.machine, plan.sets(point)))) {
        if (knobs.file != "--set") continue;
        for (const std::string& pointer : knobs.pointers) {
          if (is_of_repetitions(plan, pointer)) continue;
          const auto same = [&](const Silent& one) { return one.pointer == pointer && one.reason == knobs.reason; };
          const auto found = std::find_if(all.begin(), all.end(), same);
          if (found == all.end()) {
            all.push_back({pointer, knobs.reason, 1});
          } else {
            ++found->runs;
          }
        }
      }
    } catch (const ConfigError&) {  // its row says so
    }
  }
  // The runs come in the order of the steps: the lines have one of their own.
  std::sort(all.begin(), all.end(), [](const Silent& one, const Silent& other) {
    return std::pair(one.pointer, one.reason) < std::pair(other.pointer, other.reason);
  });
  std::string text;
  for (const Silent& one : all) {
    text += fmt::format("no effect    {}", line_of({"--set", {one.pointer}, one.reason, 1, false}));
    if (looked_at < plan.runs()) {
      text += fmt::format(", in {} of {} runs that were looked at", one.runs, looked_at);
    } else if (one.runs < looked_at) {
      text += fmt::format(", in {} of {} runs", one.runs, looked_at);
    }
    text += '\n';
  }
  return text;
}

}  // namespace fenceline::cli
