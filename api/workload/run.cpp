// SPDX-License-Identifier: Apache-2.0
#include "api/workload/run.hpp"

#include "api/version.hpp"
#include "api/workload/player.hpp"
#include "api/workload/run_tables.hpp"
#include "sim/config.hpp"
#include "sim/json_file.hpp"
#include "sim/trace/html.hpp"
#include "sim/trace/output_file.hpp"
#include "sim/trace/packets.hpp"
#include "sim/trace/perfetto.hpp"
#include "sim/trace/run_directory.hpp"
#include "sim/trace/text.hpp"
#include "sim/trace/vcd.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using Json = nlohmann::ordered_json;

/// Keeps the first render packets.
class FirstPackets final : public LogSink {
 public:
  explicit FirstPackets(RunResult& result) : result_(result) {}
  void packet(const EventLog& log, const PacketRecord& packet) override {
    if (packet.type != PacketType::render) return;
    if (result_.render_packets++ >= RunResult::most_lines) return;
    result_.first_packets.push_back({std::string(log.text(packet.context)), std::string(log.text(packet.label)),
                                     packet.started_ps, packet.finished_ps});
  }

 private:
  RunResult& result_;
};

/// The files of a run directory and the sinks that fill them.
class RunFiles {
 public:
  /// `stats` is attached to the log already; `tables` are asked at the end.
  RunFiles(const LoadedWorkload& loaded, const RunOptions& options, EventLog& log, const StatsSink& stats,
           std::function<std::vector<HtmlTable>()> tables)
      : directory_(options.directory),
        trace_(directory_.file("trace.json")),
        packets_(directory_.file("packets.csv")),
        text_(directory_.file("log.txt")),
        perfetto_sink_(trace_),
        packets_sink_(packets_),
        text_sink_(text_) {
    const auto detail = options.detailed_trace ? EventLog::Detail::waves : EventLog::Detail::commands;
    log.attach(perfetto_sink_, detail);
    log.attach(packets_sink_, detail);
    log.attach(text_sink_, detail);
    if (options.vcd) {
      vcd_.emplace(directory_.file("waves.vcd"));
      vcd_sink_.emplace(*vcd_);
      log.attach(*vcd_sink_, EventLog::Detail::packets);
    }
    if (options.html) {
      html_.emplace(directory_.file("report.html"));
      html_sink_.emplace(*html_, stats,
                         HtmlHeading{loaded.workload.name,
                                     loaded.machine.name,
                                     version,
                                     {"adapter.scheduler.", "adapter.fences.", "adapter."},
                                     std::move(tables)});
      log.attach(*html_sink_, EventLog::Detail::packets);
    }
  }
  void commit(const Json& report) {
    OutputFile file(directory_.file("report.json"));
    file.append(dump_json(report));
    for (OutputFile* written : {&file, &trace_, &packets_, &text_}) written->close();
    if (vcd_) vcd_->close();
    if (html_) html_->close();
    directory_.commit();
  }

 private:
  RunDirectory directory_;
  OutputFile trace_;
  OutputFile packets_;
  OutputFile text_;
  std::optional<OutputFile> vcd_;
  std::optional<OutputFile> html_;
  PerfettoSink perfetto_sink_;
  PacketsSink packets_sink_;
  TextSink text_sink_;
  std::optional<VcdSink> vcd_sink_;
  std::optional<HtmlSink> html_sink_;
};

Json statistics_of(const RunResult& result, const Machine& machine, const Player& player, const Program& program) {
  Json statistics;
  statistics["completed"] = result.completed;
  if (!result.completed) statistics["deadlock"] = result.deadlock;
  statistics["end_ps"] = result.end_ps;
  statistics["packets"] = result.stats.totals().packets;
  for (const TrackStats& track : result.stats.tracks()) {
    statistics["engines"].push_back(
        {{"engine", track.track}, {"packets", track.packet_spans}, {"busy_ps", track.busy_ps}});
  }
  for (const ContextStats& context : result.stats.contexts()) {
    statistics["queues"].push_back({{"queue", context.context},
                                    {"render_packets", context.render_packets},
                                    {"time_in_queue_ps",
                                     {{"mean", context.queue.mean_ps},
                                      {"p50", context.queue.p50_ps},
                                      {"p90", context.queue.p90_ps},
                                      {"p99", context.queue.p99_ps},
                                      {"max", context.queue.max_ps}}},
                                    {"running_ps", context.running_ps},
                                    {"preempted_ps", context.preempted_ps},
                                    {"fence_wait_ps", context.fence_ps},
                                    {"preemptions", context.preemptions}});
  }
  const PreemptionCaps caps = machine.preemption_caps();
  statistics["preemption"] = json_of(result.preemption);
  statistics["preemption"]["caps"] = {{"graphics", name_of(caps.graphics)}, {"compute", name_of(caps.compute)}};
  if (!program.deadlines.empty()) statistics["deadlines"] = json_of(result.deadlines);
  for (std::size_t i = 0; i < program.fences.size(); ++i) {
    const FenceId fence = player.fence(i);
    statistics["fences"].push_back({{"fence", program.fences[i].name},
                                    {"value", machine.completed_value(fence)},
                                    {"signals", machine.fences().signals(fence)},
                                    {"interrupts", machine.fences().interrupts(fence)}});
  }
  for (const auto& stamp : machine.scheduler().timestamps()) {
    statistics["timestamps"].push_back({{"queue", machine.scheduler().context(stamp.context).config.name},
                                        {"packet", stamp.packet},
                                        {"slot", stamp.slot},
                                        {"at_ps", stamp.at_ps}});
  }
  return statistics;
}

}  // namespace

void run_workload(const LoadedWorkload& loaded, const RunOptions& options, RunResult& result) {
  Machine machine(loaded.machine, options.check_invariants ? InvariantChecks::on : InvariantChecks::by_default);
  Player player(machine, loaded.program);
  std::vector<LogName> fences;
  for (std::size_t i = 0; i < loaded.program.fences.size(); ++i) {
    fences.push_back(machine.fences().log_name_of(player.fence(i)));
  }
  FirstPackets first(result);
  PreemptionSink preemption;
  DeadlineWatch deadlines(loaded.program, std::move(fences), machine.now_ps());
  machine.log().attach(result.stats, EventLog::Detail::packets);
  machine.log().attach(preemption, EventLog::Detail::packets);
  if (!loaded.program.deadlines.empty()) machine.log().attach(deadlines, EventLog::Detail::packets);
  machine.log().attach(first, EventLog::Detail::packets);
  if (options.progress != nullptr) machine.log().attach(*options.progress, EventLog::Detail::packets);
  std::optional<RunFiles> files;
  if (!options.directory.empty()) {
    files.emplace(loaded, options, machine.log(), result.stats,
                  [&] { return html_tables_of(result.preemption, result.deadlines); });
  }

  result.completed = player.play();
  result.end_ps = machine.now_ps();
  if (!result.completed) result.deadlock = player.deadlock();
  for (const std::string& line : result.deadlock) {
    machine.log().message({Severity::warning, machine.log().name("adapter.scheduler"), result.end_ps, line});
  }
  for (std::size_t i = 0; i < loaded.program.fences.size(); ++i) {
    result.fence_interrupts += machine.fences().interrupts(player.fence(i));
  }
  result.preemption = preemption_of(machine, preemption, result.stats);
  result.deadlines = deadlines.results();
  machine.log().finish(result.end_ps);

  if (files) {
    Json report;
    report["fenceline"] = version;
    report["workload_name"] = loaded.workload.name;
    report["machine_name"] = loaded.machine.name;
    report["statistics"] = statistics_of(result, machine, player, loaded.program);
    report["machine"] = dump_config(loaded.machine);
    report["workload"] = dump_config(loaded.workload);
    files->commit(report);
  }
}

}  // namespace fenceline
