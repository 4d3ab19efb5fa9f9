// SPDX-License-Identifier: Apache-2.0
#include "tests/api/scenarios/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace fenceline::testing {

using nlohmann::json;

namespace {

/// In the order in which they came on screen.
std::vector<FrameRecord> shown_frames(const PlayedFile& played, const std::string& queue) {
  std::vector<FrameRecord> frames;
  const auto known = played.log.frames.find(queue);
  if (known == played.log.frames.end()) return frames;
  std::copy_if(known->second.begin(), known->second.end(), std::back_inserter(frames),
               [](const FrameRecord& frame) { return frame.fate != FrameRecord::Fate::discarded; });
  return frames;
}

void check_swap_chain(const json& one, const PlayedFile& played, Broken& broken) {
  const std::string queue = one.at("queue");
  const double tolerance_us = one.value("tolerance_us", 0.0);
  const std::vector<FrameRecord> frames = shown_frames(played, queue);
  json shown = json::array();
  json inputs = json::array();
  json presents = json::array();
  json tears = json::array();
  json lines = json::array();
  const auto us_of = [](std::uint64_t ps) { return static_cast<double>(ps) / 1e6; };
  for (const FrameRecord& frame : frames) {
    shown.push_back({frame.frame, us_of(frame.on_screen_ps)});
    presents.push_back(us_of(frame.on_screen_ps - frame.presented_ps));
    if (frame.tear_line) tears.push_back({frame.frame, *frame.tear_line});
    lines.push_back(frame.lines);
    if (frame.input_ps) inputs.push_back(us_of(frame.on_screen_ps - *frame.input_ps));
  }
  const auto report = std::find_if(played.swap_chains.begin(), played.swap_chains.end(),
                                   [&](const json& chain) { return chain.at("swap_chain") == queue; });
  const auto near = [&](const json& expected, const json& found) {
    constexpr double rounding_us = 2e-6;
    return holds(expected, found.get<double>(), tolerance_us + rounding_us);
  };
  for (const auto& [key, value] : one.items()) {
    if (key == "queue" || key == "tolerance_us") continue;
    json found;
    bool good = false;
    if (key == "shown") {
      found = shown;
      good = value.size() == found.size() &&
             std::equal(value.begin(), value.end(), found.begin(),
                        [&](auto& e, auto& f) { return e.at(0) == f.at(0) && near(e.at(1), f.at(1)); });
    } else if (key == "input_to_screen_us" || key == "present_to_screen_us") {
      found = key == "input_to_screen_us" ? inputs : presents;
      good = value.size() == found.size() && std::equal(value.begin(), value.end(), found.begin(), near);
    } else if (key == "tears" || key == "lines") {
      found = key == "tears" ? tears : lines;
      good = value == found;
    } else if (key == "presented" || key == "discarded" || key == "missed_vblanks" || key == "glitches") {
      found = report == played.swap_chains.end() ? json() : report->at(key);
      good = found.is_number() && holds(value, found.get<double>(), 0);
    } else {
      malformed("swap_chains: " + key);
    }
    if (!good)
      broken.push_back(fmt::format("frames of {}: {}: expected {}, found {}", queue, key, value.dump(), found.dump()));
  }
}

}  // namespace

void check_swap_chains(const json& expected, const PlayedFile& played, Broken& broken) {
  for (const json& one : expected) check_swap_chain(one, played, broken);
}

}  // namespace fenceline::testing
