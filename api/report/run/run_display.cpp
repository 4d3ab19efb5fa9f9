// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_display.hpp"

#include "api/report/run/run_distribution.hpp"
#include "scheduler/display/display.hpp"

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

nlohmann::ordered_json json_of(const std::deque<std::uint64_t>& times_ps) {
  return json_of(distribution_of({times_ps.begin(), times_ps.end()}));
}

}  // namespace

nlohmann::ordered_json json_of(const Display& display) {
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  for (std::uint32_t i = 0; i < display.count(); ++i) {
    const Display::Presented chain = display.presented(static_cast<SwapChainId>(i));
    std::vector<std::uint64_t> frame_ps;
    for (std::size_t frame = 1; frame < chain.shown_at_ps.size(); ++frame) {
      frame_ps.push_back(chain.shown_at_ps[frame] - chain.shown_at_ps[frame - 1]);
    }
    json.push_back({{"swap_chain", chain.swap_chain},
                    {"output", chain.output},
                    {"presented", chain.presented},
                    {"shown", chain.shown},
                    {"discarded", chain.discarded},
                    {"missed_vblanks", chain.missed_vblanks},
                    {"glitches", chain.glitches},
                    {"frame_ps", json_of(distribution_of(std::move(frame_ps)))},
                    {"present_to_screen_ps", json_of(chain.present_to_screen_ps)}});
    if (!chain.input_to_screen_ps.empty()) json.back()["input_to_screen_ps"] = json_of(chain.input_to_screen_ps);
  }
  return json;
}

}  // namespace fenceline
