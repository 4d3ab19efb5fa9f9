// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/display_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, DisplayConfig& c) {
  f.about("the screen that swap chains present to");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("refresh_hz", c.refresh_hz, "vertical blanks a second", between(1, 1000));
  f.optional("width", c.width, "pixels: of a swap chain that leaves its size to its window", between(1, 16384));
  f.optional("height", c.height, "lines: the same", between(1, 16384));
}

}  // namespace fenceline
