// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_recovery.hpp"

#include "api/report/html/html_text.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace fenceline {
namespace {

using Json = nlohmann::ordered_json;

Json time_of(const std::optional<std::uint64_t>& ps) { return ps ? Json(*ps) : Json(); }

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

/// `list "bad", command 1 (Hang), 1 ended`.
std::string breadcrumb_of(const RecoveryEpisode::Aborted& one) {
  const std::string at =
      one.command_index ? fmt::format("command {} ({})", *one.command_index, one.command) : "no command";
  return fmt::format("list \"{}\", {}, {} ended", one.list, at, one.commands_ended);
}

std::string removed_of(const RecoveryEpisode& episode) {
  std::vector<std::string> texts;
  for (const auto& [process, reason] : episode.removed) {
    texts.push_back(fmt::format("{} ({})", process.empty() ? "default" : process, reason));
  }
  return joined(texts);
}

}  // namespace

void RecoverySink::recovery(const EventLog& log, const RecoveryRecord& record) {
  using Kind = RecoveryRecord::Step;
  if (record.episode == 0) return;
  const auto text = [&](LogName name) { return std::string(log.text(name)); };
  if (record.episode > episodes_.size()) episodes_.resize(record.episode);
  RecoveryEpisode& episode = episodes_[record.episode - 1];
  switch (record.step) {
    case Kind::timeout:
    case Kind::page_fault:
      episode.timeout = record.step == Kind::timeout;
      episode.node = text(record.node);
      episode.reason = text(record.reason);
      episode.requested_ps = record.requested_ps;
      episode.at_ps = record.at_ps;
      episode.address = record.address;
      episode.resource = text(record.resource);
      break;
    case Kind::engine_reset:
      if (!episode.reset_ps) episode.reset_ps = record.at_ps;
      episode.kind = "engine";
      episode.bugcheck_code = episode.timeout ? "0x141" : "";
      break;
    case Kind::adapter_reset:
      if (!episode.reset_ps) episode.reset_ps = record.at_ps;
      episode.kind = "adapter";
      episode.bugcheck_code = episode.timeout ? "0x117" : "";
      break;
    case Kind::engine_reset_done:
    case Kind::adapter_reset_done: episode.over_ps = record.at_ps; break;
    case Kind::bugcheck:
      episode.kind = "bugcheck";
      episode.bugcheck_code = text(record.reason);
      break;
    case Kind::aborted:
      episode.aborted.push_back({text(record.process), text(record.queue), text(record.list), record.packet,
                                 record.command_index, text(record.command), record.commands_ended});
      break;
    case Kind::device_removed: episode.removed.push_back({text(record.process), text(record.reason)}); break;
    case Kind::process_blocked: episode.blocked.push_back(text(record.process)); break;
    case Kind::cancelled: ++episode.discarded; break;
    case Kind::returned: ++episode.resubmitted; break;
    case Kind::no_reset:
    case Kind::dependent_asked:
    case Kind::device_created:
    case Kind::flushed:
    case Kind::held:
    case Kind::working: break;
  }
}

Json json_of(const std::vector<RecoveryEpisode>& episodes) {
  Json json = Json::array();
  for (const RecoveryEpisode& episode : episodes) {
    Json one = {{"what", episode.timeout ? "timeout" : "page_fault"},
                {"engine", episode.node},
                {"reason", episode.reason},
                {"requested_ps", time_of(episode.requested_ps)},
                {"at_ps", episode.at_ps},
                {"reset_ps", time_of(episode.reset_ps)},
                {"over_ps", time_of(episode.over_ps)},
                {"kind", episode.kind},
                {"bugcheck_code", episode.bugcheck_code}};
    if (!episode.timeout) one["fault"] = {{"address", episode.address}, {"resource", episode.resource}};
    one["aborted"] = Json::array();
    for (const RecoveryEpisode::Aborted& packet : episode.aborted) {
      one["aborted"].push_back({{"process", packet.process},
                                {"queue", packet.queue},
                                {"list", packet.list},
                                {"packet", packet.packet},
                                {"breadcrumb",
                                 {{"command_index", time_of(packet.command_index)},
                                  {"command", packet.command},
                                  {"commands_ended", packet.commands_ended}}}});
    }
    one["devices_removed"] = Json::array();
    for (const auto& [process, reason] : episode.removed) {
      one["devices_removed"].push_back({{"process", process}, {"reason", reason}});
    }
    one["processes_blocked"] = episode.blocked;
    one["packets_resubmitted"] = episode.resubmitted;
    one["packets_discarded"] = episode.discarded;
    json.push_back(std::move(one));
  }
  return json;
}

std::vector<HtmlTable> html_tables_of(const std::vector<RecoveryEpisode>& episodes) {
  if (episodes.empty()) return {};
  HtmlTable table{"Timeouts and page faults",
                  {"what", "engine", "reason", "at \u00b5s", "reset from \u00b5s", "until \u00b5s", "kind", "code",
                   "aborted", "devices removed", "resubmitted", "discarded"},
                  {},
                  "Of each aborted packet the oldest command that had begun and not ended, and how many had ended. "
                  "recovery.csv has a row for each step."};
  const auto time = [](const std::optional<std::uint64_t>& ps) { return ps ? microseconds(*ps) : std::string(); };
  for (const RecoveryEpisode& episode : episodes) {
    std::vector<std::string> aborted;
    for (const RecoveryEpisode::Aborted& packet : episode.aborted) aborted.push_back(breadcrumb_of(packet));
    table.rows.push_back({episode.timeout ? "timeout" : "page fault", episode.node, episode.reason,
                          microseconds(episode.at_ps), time(episode.reset_ps), time(episode.over_ps), episode.kind,
                          episode.bugcheck_code, joined(aborted), removed_of(episode), with_commas(episode.resubmitted),
                          with_commas(episode.discarded)});
  }
  return {table};
}

std::string line_of(const RecoveryEpisode& episode) {
  std::string line = fmt::format("{} of {} at {} us: {}", episode.timeout ? "timeout" : "page fault", episode.node,
                                 TimeText(episode.at_ps).view(),
                                 episode.kind == "none"       ? "nothing is reset"
                                 : episode.kind == "bugcheck" ? "bugcheck " + episode.bugcheck_code
                                                              : "reset of the " + episode.kind);
  for (const RecoveryEpisode::Aborted& packet : episode.aborted) line += "; " + breadcrumb_of(packet);
  if (!episode.removed.empty()) line += "; removed: " + removed_of(episode);
  return line;
}

}  // namespace fenceline
