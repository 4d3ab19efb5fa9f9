// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_display.hpp"

#include "api/report/html/html_text.hpp"
#include "api/report/run/run_distribution.hpp"
#include "scheduler/display/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

Distribution distribution_of(const std::deque<std::uint64_t>& times_ps) {
  return fenceline::distribution_of(std::vector<std::uint64_t>(times_ps.begin(), times_ps.end()));
}

}  // namespace

std::vector<SwapChainResult> swap_chains_of(const Display& display) {
  std::vector<SwapChainResult> results;
  for (std::uint32_t i = 0; i < display.count(); ++i) {
    const Display::Presented chain = display.presented(static_cast<SwapChainId>(i));
    std::vector<std::uint64_t> frame_ps;
    for (std::size_t frame = 1; frame < chain.shown_at_ps.size(); ++frame) {
      frame_ps.push_back(chain.shown_at_ps[frame] - chain.shown_at_ps[frame - 1]);
    }
    SwapChainResult result{chain.swap_chain,
                           chain.output,
                           chain.presented,
                           chain.shown,
                           chain.discarded,
                           chain.missed_vblanks,
                           chain.glitches,
                           fenceline::distribution_of(std::move(frame_ps)),
                           distribution_of(chain.present_to_screen_ps),
                           {}};
    if (!chain.input_to_screen_ps.empty()) result.input_to_screen = distribution_of(chain.input_to_screen_ps);
    results.push_back(std::move(result));
  }
  return results;
}

std::vector<TornOutput> torn_outputs_of(const Display& display) {
  std::vector<TornOutput> results;
  if (display.count() == 0) return results;
  for (const Display::Torn& output : display.torn()) {
    TornOutput result{output.output, output.lines.size(), {}, {}, 0};
    if (!output.lines.empty()) {
      const auto [least, most] = std::minmax_element(output.lines.begin(), output.lines.end());
      result.first_line = *least;
      result.last_line = *most;
      const auto sum = std::accumulate(output.lines.begin(), output.lines.end(), std::uint64_t{0});
      result.mean_line = static_cast<double>(sum) / static_cast<double>(output.lines.size());
    }
    results.push_back(std::move(result));
  }
  return results;
}

nlohmann::ordered_json json_of(const std::vector<TornOutput>& outputs) {
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  for (const TornOutput& output : outputs) {
    json.push_back({{"output", output.name}, {"tears", output.tears}});
    if (output.tears == 0) continue;
    json.back()["first_line"] = *output.first_line;
    json.back()["last_line"] = *output.last_line;
    json.back()["mean_line"] = output.mean_line;
  }
  return json;
}

nlohmann::ordered_json json_of(const std::vector<SwapChainResult>& chains) {
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  for (const SwapChainResult& chain : chains) {
    json.push_back({{"swap_chain", chain.name},
                    {"output", chain.output},
                    {"presented", chain.presented},
                    {"shown", chain.shown},
                    {"discarded", chain.discarded},
                    {"missed_vblanks", chain.missed_vblanks},
                    {"glitches", chain.glitches},
                    {"frame_ps", json_of(chain.frame)},
                    {"present_to_screen_ps", json_of(chain.present_to_screen)}});
    if (chain.input_to_screen) json.back()["input_to_screen_ps"] = json_of(*chain.input_to_screen);
  }
  return json;
}

namespace {

/// Outputs on which nothing tore have no row.
std::optional<HtmlTable> tears_of(const std::vector<TornOutput>& outputs) {
  HtmlTable table{
      "Tears",
      {"output", "frames that tore", "uppermost line", "lowest line", "mean line"},
      {},
      "A frame tears where it comes on screen in the middle of a picture: at the line that is being scanned out."};
  for (const TornOutput& output : outputs) {
    if (output.tears == 0) continue;
    table.rows.push_back({output.name, with_commas(output.tears), with_commas(*output.first_line),
                          with_commas(*output.last_line), fmt::format("{:.1f}", output.mean_line)});
  }
  return table.rows.empty() ? std::nullopt : std::optional<HtmlTable>(std::move(table));
}

}  // namespace

std::vector<HtmlTable> html_tables_of(const std::vector<SwapChainResult>& chains,
                                      const std::vector<TornOutput>& outputs) {
  if (chains.empty()) return {};
  HtmlTable table{
      "Swap chains",
      {"swap chain", "output", "presented", "shown", "discarded", "missed vertical blanks", "glitches",
       "frame \u00b5s, mean", "p99", "present to screen \u00b5s, mean", "p99", "input to screen \u00b5s, mean", "p99"},
      {},
      "Missed: vertical blanks at which a frame stayed longer than it was to; glitches: in how many places. "
      "frames.csv has a row for each frame."};
  for (const SwapChainResult& chain : chains) {
    std::vector<std::string> row = {chain.name, chain.output};
    for (const std::uint64_t count :
         {chain.presented, chain.shown, chain.discarded, chain.missed_vblanks, chain.glitches}) {
      row.push_back(with_commas(count));
    }
    for (const Distribution& times : {chain.frame, chain.present_to_screen}) {
      row.push_back(microseconds(times.mean_ps));
      row.push_back(microseconds(times.p99_ps));
    }
    row.push_back(chain.input_to_screen ? microseconds(chain.input_to_screen->mean_ps) : "");
    row.push_back(chain.input_to_screen ? microseconds(chain.input_to_screen->p99_ps) : "");
    table.rows.push_back(std::move(row));
  }
  std::vector<HtmlTable> tables = {std::move(table)};
  if (auto tears = tears_of(outputs)) tables.push_back(*std::move(tears));
  return tables;
}

}  // namespace fenceline
