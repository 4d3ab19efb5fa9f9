// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_files.hpp"

#include "api/report/run/run_tables.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/config/json_file.hpp"

#include <utility>

namespace fenceline {

using Json = nlohmann::ordered_json;

RunFiles::RunFiles(const std::filesystem::path& directory, EventLog& log, EventLog::Detail detail,
                   const OutputBudget& budget)
    : log_(log),
      budget_(budget),
      directory_(directory),
      trace_(directory_.file("trace.json"), &budget_),
      packets_(directory_.file("packets.csv"), &budget_),
      preemptions_(directory_.file("preemptions.csv"), &budget_),
      text_(directory_.file("log.txt"), &budget_),
      perfetto_sink_(trace_),
      packets_sink_(packets_),
      preemptions_sink_(preemptions_),
      text_sink_(text_) {
  log.attach(perfetto_sink_, detail);
  log.attach(packets_sink_, detail);
  log.attach(preemptions_sink_, detail);
  log.attach(text_sink_, detail);
}

RunFiles::~RunFiles() {
  log_.detach(perfetto_sink_);
  log_.detach(packets_sink_);
  log_.detach(preemptions_sink_);
  log_.detach(text_sink_);
  if (vcd_sink_) log_.detach(*vcd_sink_);
  if (html_sink_) log_.detach(*html_sink_);
}

void RunFiles::add_vcd() {
  vcd_.emplace(directory_.file("waves.vcd"), &budget_);
  vcd_sink_.emplace(*vcd_);
  log_.attach(*vcd_sink_, EventLog::Detail::packets);
}

void RunFiles::add_html(const StatsSink& stats, HtmlHeading heading) {
  html_.emplace(directory_.file("report.html"), &budget_);
  html_sink_.emplace(*html_, stats, std::move(heading));
  log_.attach(*html_sink_, EventLog::Detail::packets);
}

void RunFiles::commit(const Json& report) {
  OutputFile file(directory_.file("report.json"), &budget_);
  file.append(dump_json(report));
  for (OutputFile* written : {&file, &trace_, &packets_, &preemptions_, &text_}) written->close();
  if (vcd_) vcd_->close();
  if (html_) html_->close();
  directory_.commit();
}

Json common_statistics(bool completed, const std::vector<std::string>& deadlock, std::uint64_t end_ps,
                       const StatsSink& stats, const RunPreemption& preemption, const PreemptionCaps& caps) {
  Json statistics;
  statistics["completed"] = completed;
  if (!deadlock.empty()) statistics["deadlock"] = deadlock;
  statistics["end_ps"] = end_ps;
  statistics["packets"] = stats.totals().packets;
  for (const TrackStats& track : stats.tracks()) {
    statistics["engines"].push_back(
        {{"engine", track.track}, {"packets", track.packet_spans}, {"busy_ps", track.busy_ps}});
  }
  for (const ContextStats& context : stats.contexts()) {
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
  statistics["preemption"] = json_of(preemption);
  statistics["preemption"]["caps"] = {{"graphics", name_of(caps.graphics)}, {"compute", name_of(caps.compute)}};
  return statistics;
}

Json fence_statistics(const std::string& name, const Machine& machine, FenceId fence) {
  return {{"fence", name},
          {"value", machine.completed_value(fence)},
          {"signals", machine.fences().signals(fence)},
          {"interrupts", machine.fences().interrupts(fence)}};
}

}  // namespace fenceline
