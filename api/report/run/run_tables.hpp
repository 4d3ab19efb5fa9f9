// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "api/report/run/deadlines.hpp"
#include "api/report/run/run_background.hpp"
#include "api/report/run/run_creation.hpp"
#include "api/report/run/run_preemption.hpp"
#include "api/report/run/run_recovery.hpp"
#include "api/report/run/run_residency.hpp"
#include "api/report/run/swap_chain_result.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace fenceline {

/// Preemption and deadlines for report.json.
nlohmann::ordered_json json_of(const RunPreemption& preemption);
nlohmann::ordered_json json_of(const std::vector<DeadlineResult>& deadlines);

/// Preemption, timeouts, video memory, deadlines, swap chains, background processing and creating pipeline states for
/// timeline.html; no table where there is nothing to tell.
std::vector<HtmlTable> html_tables_of(const RunPreemption& preemption, const std::vector<RecoveryEpisode>& recovery,
                                      const RunResidency& residency, const std::vector<DeadlineResult>& deadlines,
                                      const std::vector<SwapChainResult>& swap_chains,
                                      const std::vector<TornOutput>& outputs, const BackgroundByProcess& background,
                                      const CreationByProcess& creation);

}  // namespace fenceline
