// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_background.hpp"

#include "api/report/html/html_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_rows = 100;

/// Whether a column says which process a row is of: not where there is but the one without a name.
bool names_processes(const BackgroundByProcess& background) {
  return background.size() > 1 || !background.begin()->first.empty();
}

HtmlTable processes_of(const BackgroundByProcess& background) {
  HtmlTable table{"Background processing",
                  {"tasks", "finished", "cancelled", "pending", "CPU \u00b5s", "dropped", "variants",
                   "executions of variants", "instructions saved"},
                  {},
                  "Tasks: mostly recompiles of pipeline states. Saved: by all threads of executions of variants, "
                  "against the originals. Dropped: compiled for pipeline states that were gone."};
  for (const auto& [process, one] : background) {
    table.rows.push_back({with_commas(one.queued), with_commas(one.finished), with_commas(one.cancelled),
                          with_commas(one.pending), microseconds(one.cpu_ps), with_commas(one.dropped),
                          with_commas(one.variants), with_commas(one.specialised),
                          with_commas(one.saved_instructions)});
    if (names_processes(background)) table.rows.back().insert(table.rows.back().begin(), process);
  }
  if (names_processes(background)) table.columns.insert(table.columns.begin(), "process");
  return table;
}

HtmlTable pipelines_of(const BackgroundByProcess& background) {
  HtmlTable table{
      "Pipeline states",
      {"pipeline state", "executions", "variants", "executions of variants", "instructions saved"},
      {},
      "Those that were executed with root constants bound; the ones whose variants saved most stand first."};
  std::vector<std::pair<const std::string*, const PipelineStatistics*>> all;
  for (const auto& [process, one] : background) {
    for (const PipelineStatistics& pipeline : one.pipelines) all.emplace_back(&process, &pipeline);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](auto& a, auto& b) { return a.second->saved_instructions > b.second->saved_instructions; });
  if (all.size() > most_rows) {
    table.note += fmt::format(" {} more are in report.json.", with_commas(all.size() - most_rows));
    all.resize(most_rows);
  }
  const bool patterns = std::any_of(all.begin(), all.end(), [](const auto& one) { return one.second->patterns; });
  if (patterns) {
    table.columns.insert(table.columns.end(), {"instructions promised", "branch misses", "resource misses"});
    table.note +=
        " Misses: executions of variants that took other branches, or had other resources bound, than these "
        "take for granted.";
  }
  for (const auto& [process, pipeline] : all) {
    table.rows.push_back({pipeline->name, with_commas(pipeline->executions), with_commas(pipeline->variants),
                          with_commas(pipeline->specialised), with_commas(pipeline->saved_instructions)});
    if (patterns) {
      std::vector<std::string>& row = table.rows.back();
      row.insert(row.end(), {with_commas(pipeline->promised_instructions), with_commas(pipeline->branch_misses),
                             with_commas(pipeline->resource_misses)});
    }
    if (names_processes(background)) table.rows.back().insert(table.rows.back().begin(), *process);
  }
  if (names_processes(background)) table.columns.insert(table.columns.begin(), "process");
  return table;
}

}  // namespace

BackgroundByProcess with_something_to_tell(BackgroundByProcess background) {
  for (auto one = background.begin(); one != background.end();) {
    const bool idle = one->second.queued == 0 && one->second.pipelines.empty();
    one = idle ? background.erase(one) : std::next(one);
  }
  return background;
}

Json json_of(const BackgroundByProcess& background) {
  Json json = Json::array();
  for (const auto& [process, one] : background) {
    Json pipelines = Json::array();
    for (const PipelineStatistics& pipeline : one.pipelines) {
      pipelines.push_back({{"pipeline", pipeline.name},
                           {"executions", pipeline.executions},
                           {"variants", pipeline.variants},
                           {"specialised_executions", pipeline.specialised},
                           {"saved_instructions", pipeline.saved_instructions}});
      if (!pipeline.patterns) continue;
      pipelines.back()["promised_instructions"] = pipeline.promised_instructions;
      pipelines.back()["branch_misses"] = pipeline.branch_misses;
      pipelines.back()["resource_misses"] = pipeline.resource_misses;
    }
    json.push_back({{"process", process},
                    {"queued", one.queued},
                    {"finished", one.finished},
                    {"cancelled", one.cancelled},
                    {"pending", one.pending},
                    {"cpu_ps", one.cpu_ps},
                    {"variants", one.variants},
                    {"dropped", one.dropped},
                    {"specialised_executions", one.specialised},
                    {"saved_instructions", one.saved_instructions},
                    {"pipelines", std::move(pipelines)}});
  }
  return json;
}

std::vector<HtmlTable> html_tables_of(const BackgroundByProcess& background) {
  std::vector<HtmlTable> tables;
  if (background.empty()) return tables;
  tables.push_back(processes_of(background));
  HtmlTable pipelines = pipelines_of(background);
  if (!pipelines.rows.empty()) tables.push_back(std::move(pipelines));
  return tables;
}

}  // namespace fenceline
