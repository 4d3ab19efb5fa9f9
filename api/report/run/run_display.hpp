// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "api/report/run/swap_chain_result.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace fenceline {

class Display;

/// Of all swap chains, in the order in which they were made.
std::vector<SwapChainResult> swap_chains_of(const Display& display);

/// Of all outputs; none where nothing was presented.
std::vector<TornOutput> torn_outputs_of(const Display& display);

/// For report.json, `statistics.outputs`.
nlohmann::ordered_json json_of(const std::vector<TornOutput>& outputs);
/// For report.json, `statistics.swap_chains`.
nlohmann::ordered_json json_of(const std::vector<SwapChainResult>& chains);
/// For timeline.html: swap chains, and where frames tore; none where nothing was presented.
std::vector<HtmlTable> html_tables_of(const std::vector<SwapChainResult>& chains,
                                      const std::vector<TornOutput>& outputs);

}  // namespace fenceline
