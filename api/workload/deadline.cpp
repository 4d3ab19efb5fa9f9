// SPDX-License-Identifier: Apache-2.0
#include "api/workload/deadline.hpp"

#include "api/resources/names.hpp"
#include "api/timeline/workload_range.hpp"
#include "sim/config/fields.hpp"
#include "sim/config_errors.hpp"
#include "sim/duration.hpp"
#include "sim/time_limit.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace fenceline {

void describe(Fields& f, DeadlineInfo& c) {
  f.about("a fence is to reach a value in time; the run counts how often it did");
  f.required("name", c.name, "name of the deadline");
  f.required("fence", c.fence, "name of the fence");
  f.required("value", c.value, "value to be reached, the first time");
  f.optional("value_step", c.value_step, "added to the value each further time");
  f.optional("count", c.count, "how many times", workload_range::count);
  f.optional("us", c.us, "microseconds since the start until which it is in time, the first time", workload_range::us);
  f.optional("us_step", c.us_step, "added to that each further time", workload_range::us);
  f.optional("beat", c.beat, "one of `beats`, in place of us, us_step and count: it is due at each of its times");
  f.in_place_of("beat", {"us", "us_step", "count"});
  f.optional("offset_us", c.offset_us, "microseconds behind the beat; negative: before it", workload_range::offset_us);
  f.check(c.beat || c.offset_us == 0, "0 without a beat", fmt::format("{}", c.offset_us), "offset_us");
}
namespace {

using Wide = unsigned __int128;

}  // namespace

void check_last_time(const std::string& file, std::uint64_t first_ps, std::uint64_t step_ps, std::uint64_t count,
                     const std::string& pointer) {
  if (static_cast<Wide>(step_ps) * (count - 1) + first_ps <= max_time_ps) return;
  throw ConfigError(file, pointer + "/us_step", "times within 2^63 ps (106 days)",
                    fmt::format("{} us, {} times", static_cast<double>(step_ps) / 1e6, count));
}

void check_last_step(const std::string& file, const Step& step, std::uint64_t count, const std::string& pointer) {
  if (count <= step.from_iteration) return;
  const unsigned __int128 last =
      static_cast<unsigned __int128>(step.value_step) * (count - 1 - step.from_iteration) + step.value;
  if (last > std::numeric_limits<std::uint64_t>::max()) {
    throw ConfigError(file, pointer + "/value_step", "values that stay within 64 bits",
                      fmt::format("{} over {} iterations", step.value_step, count));
  }
  check_last_time(file, step.until_ps, step.until_step_ps, count - step.from_iteration, pointer);
}

std::vector<Deadline> deadlines_of(const Workload& workload, const std::string& file) {
  const Names names(file, "deadlines", workload.deadlines);
  const Names fences(file, "fences", workload.fences);
  std::vector<Deadline> deadlines;
  ConfigErrors errors;
  errors.keep([&] { names.check(); });
  const auto add = [&](const DeadlineInfo& info, const std::string& pointer) {
    Deadline deadline{info.name,
                      fences.index(info.fence, pointer + "/fence"),
                      info.value,
                      info.value_step,
                      info.count,
                      ps_of_us(info.us),
                      ps_of_us(info.us_step)};
    if (static_cast<Wide>(info.value_step) * (info.count - 1) + info.value >
        std::numeric_limits<std::uint64_t>::max()) {
      throw ConfigError(file, pointer + "/value_step", "values that stay within 64 bits",
                        fmt::format("{}, {} times", info.value_step, info.count));
    }
    check_last_time(file, deadline.due_ps, deadline.due_step_ps, info.count, pointer);
    deadlines.push_back(std::move(deadline));
  };
  for (std::size_t i = 0; i < workload.deadlines.size(); ++i) {
    errors.keep([&] { add(workload.deadlines[i], fmt::format("/deadlines/{}", i)); });
  }
  errors.throw_any();
  return deadlines;
}

}  // namespace fenceline
