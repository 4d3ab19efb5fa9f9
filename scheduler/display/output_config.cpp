// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/output_config.hpp"

#include "sim/config/fields.hpp"

#include <fmt/format.h>

namespace fenceline {

void describe(Fields& f, OutputConfig& c) {
  f.about("an output: a screen with vertical blanks of its own");
  f.optional("name", c.name, "how queues call it; names are unique");
  f.optional("refresh_hz", c.refresh_hz, "vertical blanks a second; of variable refresh: at most", between(1, 1000));
  f.optional("variable_refresh_min_hz", c.variable_refresh_min_hz,
             "a refresh begins when a frame is there, but so many times a second at least; absent: the rate is fixed",
             between(1, 1000));
  f.optional("width", c.width, "pixels: of a swap chain that leaves its size to its window", between(1, 16384));
  f.optional("height", c.height, "lines: the same, and those that a refresh scans out", between(1, 16384));
  f.optional("blank_lines", c.blank_lines, "lines' time of each refresh in which none is scanned out, before the first",
             between(0, 16384));
  f.check(!c.variable_refresh_min_hz || *c.variable_refresh_min_hz < c.refresh_hz,
          fmt::format("less than refresh_hz, {}", c.refresh_hz),
          fmt::format("{}", c.variable_refresh_min_hz.value_or(0)), "variable_refresh_min_hz");
}

}  // namespace fenceline
