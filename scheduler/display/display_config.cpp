// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/display_config.hpp"

#include "sim/config/fields.hpp"

#include <fmt/format.h>

#include <set>

namespace fenceline {

void describe(Fields& f, DisplayConfig& c) {
  describe(f, static_cast<OutputConfig&>(c));
  f.about("the screen that swap chains present to, and further ones");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("outputs", c.outputs, "further screens, beside the one that the other keys describe");
  f.optional("queued_flips", c.queued_flips,
             "flips of a swap chain that the screen's registers hold before they happen (MaxQueuedFlipOnVSync); 0: any "
             "number, and all may still be discarded",
             between(0, 64));
  std::set<std::string> names = {c.name};
  for (std::size_t i = 0; i < c.outputs.size(); ++i) {
    const std::string& name = c.outputs[i].name;
    f.check(names.insert(name).second, "a name of its own", fmt::format("\"{}\" a second time", name),
            fmt::format("/outputs/{}/name", i));
  }
}

std::vector<OutputConfig> screens_of(const DisplayConfig& display) {
  std::vector<OutputConfig> outputs = {display};
  outputs.insert(outputs.end(), display.outputs.begin(), display.outputs.end());
  return outputs;
}

std::optional<OutputId> output_named(const DisplayConfig& display, const std::string& name) {
  if (name.empty() || name == display.name) return OutputId{};
  for (std::uint32_t i = 0; i < display.outputs.size(); ++i) {
    if (display.outputs[i].name == name) return static_cast<OutputId>(i + 1);
  }
  return {};
}

}  // namespace fenceline
