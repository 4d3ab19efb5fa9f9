// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/packet_times.hpp"
#include "api/report/run/run.hpp"
#include "sim/log.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// Keeps when render packets ran, and when fences changed.
struct ScenarioLog final : LogSink {
  struct Change {
    std::uint64_t value;
    std::uint64_t at_ps;
  };
  void queued(const EventLog& log, const QueuedRecord& queued) override { packets.queued(log, queued); }
  void span(const EventLog& log, const Span& span) override { packets.span(log, span); }
  void packet(const EventLog& log, const PacketRecord& record) override { packets.packet(log, record); }
  void counter(const EventLog& log, const Counter& counter) override {
    if (counter.kind != CounterKind::fence_value) return;
    const std::string_view path = log.text(counter.track);
    fences[std::string(path.substr(path.rfind('.') + 1))].push_back({counter.value, counter.at_ps});
  }
  void request(const EventLog&, const PreemptionRequest& request) override {
    requests.insert({request.node, request.preemption_fence_id});
  }
  std::set<std::pair<LogName, std::uint64_t>> requests;  ///< answered or not
  void frame(const EventLog& log, const FrameRecord& frame) override {
    const std::string_view path = log.text(frame.swap_chain);
    frames[std::string(path.substr(path.rfind('.') + 1))].push_back(frame);
  }
  void recovery(const EventLog& log, const RecoveryRecord& record) override {
    if (!is_row(record.step)) return;
    const auto last = [](std::string_view path) { return std::string(path.substr(path.rfind('.') + 1)); };
    nlohmann::json columns = {{"node", std::string(log.text(record.node))},
                              {"process", std::string(log.text(record.process))},
                              {"queue", last(log.text(record.queue))},
                              {"reason", std::string(log.text(record.reason))}};
    const auto number = [&](const char* name, const std::optional<std::uint64_t>& value) {
      columns[name] = value ? nlohmann::json(*value) : nlohmann::json("");
    };
    const auto known = [](std::uint64_t value) { return value > 0 ? std::optional(value) : std::nullopt; };
    number("hardware_queue", record.hardware_queue);
    number("packet", known(record.packet));
    number("fence_id", known(record.fence_id));
    number("last_submitted", record.last_submitted);
    number("last_completed", record.last_completed);
    recoveries.push_back({record.at_ps, name_of(record.step), std::move(columns)});
  }
  void paging(const EventLog& log, const PagingRecord& record) override {
    pagings.push_back({name_of(record.operation),
                       std::string(log.text(record.resource)),
                       {{"start_us", record.start_ps},
                        {"end_us", record.end_ps},
                        {"bytes", record.bytes},
                        {"packet", record.packet},
                        {"process", std::string(log.text(record.process))}}});
  }
  /// A row of paging.csv; times in picoseconds.
  struct Paging {
    std::string operation;
    std::string resource;
    nlohmann::json columns;
  };
  std::vector<Paging> pagings;
  /// A row of recovery.csv; of paths the last part.
  struct Recovery {
    std::uint64_t at_ps;
    std::string step;
    nlohmann::json columns;
  };
  std::vector<Recovery> recoveries;
  std::map<std::string, std::vector<FrameRecord>> frames;
  PacketTimes packets;
  std::map<std::string, std::vector<Change>> fences;
};

/// What became of a scenario.
struct PlayedFile {
  std::optional<std::string> refused;  ///< what the check of the files said
  RunResult result;
  ScenarioLog log;
  nlohmann::json attempts;     ///< of report.json
  nlohmann::json swap_chains;  ///< of report.json
  nlohmann::json residency;    ///< of report.json
  nlohmann::json resident_threads =
      {};  ///< of trace.json: pairs of a time in microseconds and the threads from then on
};
/// One sentence for each expectation that does not hold.
using Broken = std::vector<std::string>;

}  // namespace fenceline::testing
