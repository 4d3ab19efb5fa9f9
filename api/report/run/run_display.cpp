// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_display.hpp"

#include "api/report/distribution.hpp"
#include "scheduler/display/display.hpp"

#include <utility>
#include <vector>

namespace fenceline {

nlohmann::ordered_json json_of(const Display& display) {
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  for (std::uint32_t i = 0; i < display.count(); ++i) {
    const Display::Presented chain = display.presented(static_cast<SwapChainId>(i));
    std::vector<std::uint64_t> frame_ps;
    for (std::size_t frame = 1; frame < chain.shown_at_ps.size(); ++frame) {
      frame_ps.push_back(chain.shown_at_ps[frame] - chain.shown_at_ps[frame - 1]);
    }
    const Distribution times = distribution_of(std::move(frame_ps));
    json.push_back({{"swap_chain", chain.swap_chain},
                    {"presented", chain.presented},
                    {"shown", chain.shown},
                    {"discarded", chain.discarded},
                    {"missed_vblanks", chain.missed_vblanks},
                    {"frame_ps",
                     {{"mean", times.mean_ps},
                      {"p50", times.p50_ps},
                      {"p90", times.p90_ps},
                      {"p99", times.p99_ps},
                      {"max", times.max_ps}}}});
  }
  return json;
}

}  // namespace fenceline
