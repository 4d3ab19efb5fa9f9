// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_residency.hpp"

#include "api/machine.hpp"
#include "api/report/html/html_text.hpp"
#include "api/workload/program.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

using Json = nlohmann::ordered_json;

bool is_known(const ResidencyStatistics& one) {
  return one.usage_bytes > 0 || one.paging_packets > 0 || one.out_of_memory > 0 || one.evict_underflow > 0 ||
         one.reserved_bytes > 0;
}

Json json_of(const ResidencyStatistics& one) {
  return {{"in_bytes", one.in_bytes},
          {"out_bytes", one.out_bytes},
          {"dropped_bytes", one.dropped_bytes},
          {"initialised_bytes", one.initialised_bytes},
          {"demoted_bytes", one.demoted_bytes},
          {"resident_bytes", one.resident_bytes},
          {"paging_packets", one.paging_packets}};
}

}  // namespace

bool RunResidency::paged() const { return adapter.paging_packets > 0 || adapter.demoted_bytes > 0; }

RunResidency residency_of(const Machine& machine, const Program& program) {
  RunResidency residency;
  residency.adapter = machine.residency_statistics();
  if (program.memory.allocations.empty() && residency.adapter.initialised_bytes == 0) return {};
  const auto add = [&](const std::string& process) {
    residency.processes.emplace(process, machine.residency_statistics(process));
  };
  for (const auto& [process, known] : program.memory.known) add(process);
  for (const QueueConfig& queue : program.queues) add(queue.process);
  for (const ProcessInfo& process : program.processes) add(process.name);
  residency.fills = std::any_of(program.memory.allocations.begin(), program.memory.allocations.end(),
                                [](const AllocationConfig& one) { return one.fill; });
  return residency;
}

Json json_of(const RunResidency& residency) {
  Json json = json_of(residency.adapter);
  json["purged_bytes"] = residency.adapter.purged_bytes;
  json["processes"] = Json::object();
  for (const auto& [process, one] : residency.processes) {
    Json of_process = json_of(one);
    of_process["budget_bytes"] = one.budget_bytes;
    of_process["budget_changes"] = one.budget_changes;
    of_process["usage_bytes"] = one.usage_bytes;
    of_process["reserved_bytes"] = one.reserved_bytes;
    of_process["remote_bytes"] = one.remote_bytes;
    of_process["out_of_memory"] = one.out_of_memory;
    of_process["bytes_to_trim"] = one.bytes_to_trim;
    of_process["evict_underflow"] = one.evict_underflow;
    of_process["waited_ps"] = one.waited_ps;
    json["processes"][process] = std::move(of_process);
  }
  return json;
}

std::vector<HtmlTable> html_tables_of(const RunResidency& residency) {
  if (!residency.paged()) return {};
  HtmlTable table{"Video memory",
                  {"process", "usage", "budget", "in", "out", "dropped", "initialised", "resident", "used in place",
                   "over PCIe in place", "paging packets", "packets held \u00b5s"},
                  {},
                  fmt::format("Bytes. In, out: moved by paging packets; initialised: context allocations{}, made "
                              "there; used in place: what is demoted to system memory. paging.csv "
                              "has a row for each move.",
                              residency.fills ? ", and resources that are filled" : "")};
  const auto row = [&](const std::string& name, const ResidencyStatistics& one) {
    table.rows.push_back({name, with_commas(one.usage_bytes), with_commas(one.budget_bytes), with_commas(one.in_bytes),
                          with_commas(one.out_bytes), with_commas(one.dropped_bytes),
                          with_commas(one.initialised_bytes), with_commas(one.resident_bytes),
                          with_commas(one.demoted_bytes), with_commas(one.remote_bytes),
                          with_commas(one.paging_packets), microseconds(one.waited_ps)});
  };
  row("all", residency.adapter);
  for (const auto& [process, one] : residency.processes) {
    if (is_known(one)) row(process.empty() ? "default" : process, one);
  }
  return {table};
}

std::string line_of(const RunResidency& residency) {
  const ResidencyStatistics& all = residency.adapter;
  constexpr double mib = 1 << 20;
  const auto text = [](std::uint64_t bytes) { return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / mib); };
  return fmt::format(
      "{} in, {} out, {} dropped in {} paging packet{}; {} resident of {}, {} used in place; packets held "
      "{} us",
      text(all.in_bytes), text(all.out_bytes), text(all.dropped_bytes), all.paging_packets,
      all.paging_packets == 1 ? "" : "s", text(all.resident_bytes), text(all.budget_bytes), text(all.demoted_bytes),
      TimeText(all.waited_ps).view());
}

}  // namespace fenceline
