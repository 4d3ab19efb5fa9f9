// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_tables.hpp"

#include "api/report/html/html_text.hpp"
#include "api/report/run/run_background.hpp"
#include "api/report/run/run_creation.hpp"
#include "api/report/run/run_display.hpp"
#include "api/report/run/run_distribution.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace fenceline {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const NodePreemption& node) {
  Json attempts = Json::object();
  for (std::size_t i = 0; i < preemption_attempt_results; ++i) {
    attempts[preemption_attempt_names[i]] = node.attempts[i];
  }
  Json json;
  if (!node.node.empty()) json["engine"] = node.node;
  json["attempts"] = std::move(attempts);
  json["requests"] = node.requests;
  json["requests_that_stopped"] = node.stopped;
  json["packets_that_came_back"] = node.packets;
  json["latency_ps"] = json_of(node.latency);
  json["latency_from_request_ps"] = json_of(node.from_request);
  json["drain_ps"] = json_of(node.drain);
  json["save_ps"] = json_of(node.save);
  json["saved_bytes"] = node.saved_bytes;
  json["saved_bytes_by_kind"] = {{"context", node.saved.context},
                                 {"registers", node.saved.registers},
                                 {"shared", node.saved.shared},
                                 {"threads", node.saved.threads}};
  json["lost_ps"] = node.lost_ps;
  json["engine_ps"] = node.engine_ps;
  return json;
}

std::string name_of(const NodePreemption& node) {
  const std::string prefix = "adapter.";
  return node.node.empty() ? "all" : node.node.rfind(prefix, 0) == 0 ? node.node.substr(prefix.size()) : node.node;
}

}  // namespace

Json json_of(const RunPreemption& preemption) {
  Json json = json_of(preemption.total);
  json["engines"] = Json::array();
  for (const NodePreemption& node : preemption.nodes) json["engines"].push_back(json_of(node));
  return json;
}

Json json_of(const std::vector<DeadlineResult>& deadlines) {
  Json json = Json::array();
  for (const DeadlineResult& deadline : deadlines) {
    json.push_back({{"deadline", deadline.name},
                    {"count", deadline.count},
                    {"met", deadline.met},
                    {"missed", deadline.missed},
                    {"not_reached", deadline.not_reached},
                    {"worst_late_ps", deadline.worst_ps},
                    {"mean_late_ps", deadline.mean_ps}});
  }
  return json;
}

std::vector<HtmlTable> html_tables_of(const RunPreemption& preemption, const std::vector<RecoveryEpisode>& recovery,
                                      const RunResidency& residency, const std::vector<DeadlineResult>& deadlines,
                                      const std::vector<SwapChainResult>& swap_chains,
                                      const std::vector<TornOutput>& outputs, const BackgroundByProcess& background,
                                      const CreationByProcess& creation) {
  std::vector<HtmlTable> tables;
  if (!preemption.nodes.empty()) {
    HtmlTable table{
        "Preemption",
        {"engine", "requests", "stopped", "latency \u00b5s, mean", "p50", "p99", "max", "from request \u00b5s, mean",
         "p99", "drain \u00b5s, mean", "save \u00b5s, mean", "bytes saved", "lost %"},
        {},
        "Latency: since the packet was ready that wanted the engine until the engine was free, and the part of it "
        "from the request on; drain until nothing ran any more, save from there. preemptions.csv has a row for each "
        "request. Lost: of the engine's time, what passed with state saved or restored and no packet running."};
    HtmlTable missed{"Attempts to preempt", {"engine"}, {}, "By how they went, as D3DKMT names it."};
    for (const char* name : preemption_attempt_names) missed.columns.emplace_back(name);
    for (const NodePreemption& node : preemption.nodes) {
      std::vector<std::string> row = {name_of(node), with_commas(node.requests), with_commas(node.stopped)};
      for (const std::uint64_t time :
           {node.latency.mean_ps, node.latency.p50_ps, node.latency.p99_ps, node.latency.max_ps,
            node.from_request.mean_ps, node.from_request.p99_ps, node.drain.mean_ps, node.save.mean_ps}) {
        row.push_back(microseconds(time));
      }
      row.push_back(with_commas(node.saved_bytes));
      row.push_back(percent(node.lost_ps, node.engine_ps, 2));
      table.rows.push_back(std::move(row));
      missed.rows.push_back({name_of(node)});
      for (const std::uint64_t count : node.attempts) missed.rows.back().push_back(with_commas(count));
    }
    tables.push_back(std::move(table));
    tables.push_back(std::move(missed));
  }
  for (HtmlTable& table : html_tables_of(recovery)) tables.push_back(std::move(table));
  for (HtmlTable& table : html_tables_of(residency)) tables.push_back(std::move(table));
  if (!deadlines.empty()) {
    HtmlTable table{"Deadlines",
                    {"deadline", "times", "met", "missed", "not reached", "late \u00b5s, worst", "mean of the late"},
                    {},
                    ""};
    for (const DeadlineResult& deadline : deadlines) {
      table.rows.push_back({deadline.name, with_commas(deadline.count), with_commas(deadline.met),
                            with_commas(deadline.missed), with_commas(deadline.not_reached),
                            microseconds(deadline.worst_ps), microseconds(deadline.mean_ps)});
    }
    tables.push_back(std::move(table));
  }
  for (HtmlTable& table : html_tables_of(swap_chains, outputs)) tables.push_back(std::move(table));
  for (HtmlTable& table : html_tables_of(background)) tables.push_back(std::move(table));
  for (HtmlTable& table : html_tables_of(creation)) tables.push_back(std::move(table));
  return tables;
}

}  // namespace fenceline
