// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_files.hpp"

#include "api/report/replay/fast_forward.hpp"
#include "api/report/run/run_distribution.hpp"
#include "api/report/run/run_tables.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/config/json_file.hpp"

namespace fenceline {

using Json = nlohmann::ordered_json;

RunFiles::Written::Written(const std::filesystem::path& path, OutputBudget& budget, const OutputRow& output,
                           const RunFacts& facts)
    : file(path, &budget), sink(output.sink(file, facts)) {}

RunFiles::RunFiles(const std::filesystem::path& directory, EventLog& log, EventLog::Detail detail,
                   const OutputBudget& budget, const OutputKeys& asked, const RunFacts& facts,
                   FastForward* fast_forward, const std::optional<OutputKeys>& only)
    : log_(log),
      fast_forward_(fast_forward),
      report_(wants(report_output, only)),
      budget_(budget),
      directory_(directory) {
  for (const OutputRow& output : outputs_of(asked, only)) {
    written_.emplace_back(directory_.file(output.file), budget_, output, facts);
  }
  for (const Written& written : written_) {
    if (fast_forward_ != nullptr) {
      fast_forward_->attach(*written.sink, detail);
    } else {
      log_.attach(*written.sink, detail);
    }
  }
}

RunFiles::~RunFiles() {
  for (const Written& written : written_) {
    if (fast_forward_ != nullptr) {
      fast_forward_->detach(*written.sink);
    } else {
      log_.detach(*written.sink);
    }
  }
}

OutputFile& RunFiles::also(const char* file) { return besides_.emplace_back(directory_.file(file), &budget_); }

void RunFiles::commit(const Json& report) {
  if (report_) {
    OutputFile file(directory_.file(report_file), &budget_);
    file.append(dump_json(report));
    file.close();
  }
  for (Written& written : written_) written.file.close();
  for (OutputFile& beside : besides_) beside.close();
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
                                    {"time_in_queue_ps", json_of(context.queue)},
                                    {"running_ps", context.running_ps},
                                    {"preempted_ps", context.preempted_ps},
                                    {"fence_wait_ps", context.fence_ps},
                                    {"preemptions", context.preemptions},
                                    {"pieces", context.pieces},
                                    {"rejected_pieces", context.rejected_pieces}});
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
