// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run.hpp"

#include "api/capture/file/recorded_run.hpp"
#include "api/report/contents/access_log.hpp"
#include "api/report/deadline_row.hpp"
#include "api/report/explain/deadline_work.hpp"
#include "api/report/preemption_sink.hpp"
#include "api/report/replay/fast_forward.hpp"
#include "api/report/replay/pass_times.hpp"
#include "api/report/run/run_background.hpp"
#include "api/report/run/run_creation.hpp"
#include "api/report/run/run_display.hpp"
#include "api/report/run/run_files.hpp"
#include "api/report/run/run_recovery.hpp"
#include "api/report/run/run_residency.hpp"
#include "api/report/run/run_tables.hpp"
#include "api/version.hpp"
#include "api/workload/load/live_change.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/replay/replay_point.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/config/config.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

Json statistics_of(const RunResult& result, const Machine& machine, const Player& player, const Program& program) {
  Json statistics = common_statistics(result.completed, result.deadlock, result.end_ps, result.stats, result.preemption,
                                      machine.preemption_caps());
  if (!result.bugcheck.empty()) statistics["bugcheck"] = result.bugcheck;
  if (!result.unfinished.empty()) statistics["unfinished"] = result.unfinished;
  if (result.passes_ps.size() > 1) statistics["passes"] = json_of_passes(result.passes_ps);
  if (!program.deadlines.empty()) statistics["deadlines"] = json_of(result.deadlines);
  for (std::size_t i = 0; i < program.fences.size(); ++i) {
    statistics["fences"].push_back(fence_statistics(program.fences[i].name, machine, player.fence(i)));
  }
  if (!result.background.empty()) statistics["background_processing"] = json_of(result.background);
  if (!result.creation.empty()) statistics["pipeline_creation"] = json_of(result.creation);
  if (!result.recovery.empty()) statistics["recovery"] = json_of(result.recovery);
  if (!program.memory.allocations.empty()) statistics["residency"] = json_of(result.residency);
  if (result.contents) statistics["contents"] = json_of(*result.contents);
  if (!result.swap_chains.empty()) statistics["swap_chains"] = json_of(result.swap_chains);
  if (!result.outputs.empty()) statistics["outputs"] = json_of(result.outputs);
  for (const auto& stamp : machine.scheduler().timestamps()) {
    statistics["timestamps"].push_back({{"queue", machine.scheduler().context(stamp.context).config.name},
                                        {"packet", stamp.packet},
                                        {"slot", stamp.slot},
                                        {"at_ps", stamp.at_ps}});
  }
  return statistics;
}

/// A sink of a run. What its machine still tells as it goes, such as tasks that end then, is for nobody, also where the
/// run throws: sinks go before the machine does.
class Heard {
 public:
  Heard(EventLog& log, LogSink& sink) : log_(log), sink_(sink) { log.attach(sink, EventLog::Detail::packets); }
  /// By way of a fast-forward, if there is one.
  Heard(EventLog& log, FastForward* fast_forward, LogSink& sink) : log_(log), fast_forward_(fast_forward), sink_(sink) {
    if (fast_forward != nullptr) {
      fast_forward->attach(sink, EventLog::Detail::packets);
    } else {
      log.attach(sink, EventLog::Detail::packets);
    }
  }
  ~Heard() {
    if (fast_forward_ != nullptr) {
      fast_forward_->detach(sink_);
    } else {
      log_.detach(sink_);
    }
  }
  Heard(const Heard&) = delete;
  Heard& operator=(const Heard&) = delete;

 private:
  EventLog& log_;
  FastForward* fast_forward_ = nullptr;
  LogSink& sink_;
};

/// Parameters change while the machine runs: at time 0 before anything has happened.
void change_at(const PlayedChange& change, const LoadedWorkload& loaded, Machine& machine, Player& player) {
  const auto act = [&machine, &player, after = live_change(loaded.workload, loaded.machine, change.set)] {
    machine.change(after.machine);
    for (const auto& [index, process] : after.processes) {
      machine.set_priority(process.name, process.priority, process.realtime_level);
    }
    for (const auto& [index, queue] : after.queues) machine.change(player.queue(index), queue);
  };
  if (change.at_ps == 0) {
    act();
  } else {
    player.act_at(change.at_ps, act);
  }
}

/// The point of a fast-forward, told to it: so many packets of each queue.
void await_point(FastForward& fast_forward, const std::vector<std::uint64_t>& packets, const Program& program,
                 Machine& machine) {
  std::map<LogName, std::uint64_t> awaited;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (packets[i] > 0) awaited[machine.log().name("adapter.scheduler." + program.queues[i].name)] = packets[i];
  }
  fast_forward.await(std::move(awaited), machine.now_ps());
}

/// Plays all passes, or those up to the first that does not complete.
void play_passes(Player& player, const RunOptions& options, const Machine& machine, DeadlineWatch& deadlines,
                 RunResult& result) {
  result.completed = player.play(options.limit_ps);
  result.passes_ps.push_back(machine.now_ps());
  while (result.completed && !machine.bugchecked() && result.passes_ps.size() < options.passes) {
    const std::uint64_t start_ps = machine.now_ps();
    const bool limited = options.limit_ps != Player::no_limit;
    deadlines.begin_pass(start_ps, player.frames());
    result.completed = player.play_again(limited ? options.limit_ps - start_ps : Player::no_limit);
    result.passes_ps.push_back(machine.now_ps() - start_ps);
  }
}

}  // namespace

int exit_code_of(const RunResult& result) {
  if (!result.bugcheck.empty()) return 3;
  return result.completed ? 0 : 1;
}

void play_as(const PlayedHow& how, RunOptions& options) {
  options.passes = how.passes;
  options.fast_forward = how.fast_forward;
  options.is_end = how.until_ps > 0;
  options.change = how.change ? std::make_shared<const PlayedChange>(*how.change) : nullptr;
  if (how.limit_ps > 0 || how.until_ps > 0) options.limit_ps = std::max(how.limit_ps, how.until_ps);
}

void run_workload(const LoadedWorkload& loaded, const RunOptions& options, RunResult& result, Json* report) {
  if (!loaded.as_recorded) result.silent = silent_knobs(loaded);
  const bool forwards = !options.fast_forward.empty();
  std::vector<std::uint64_t> packets_before_point;
  if (forwards) {
    packets_before_point = packets_before(point_of(options.fast_forward, "--fast-forward"), loaded.workload);
  }
  Machine machine(loaded.machine, options.check_invariants ? InvariantChecks::on : InvariantChecks::by_default);
  FirstPackets first(result);
  PreemptionSink preemption;
  RecoverySink recovery;
  std::optional<FastForward> fast_forward;
  if (forwards) fast_forward.emplace(machine.log());
  FastForward* const by = fast_forward ? &*fast_forward : nullptr;
  const Heard heard[] = {{machine.log(), by, result.stats},
                         {machine.log(), by, preemption},
                         {machine.log(), by, recovery},
                         {machine.log(), by, first}};
  std::optional<Heard> progress;
  if (options.progress != nullptr) progress.emplace(machine.log(), *options.progress);
  std::vector<DeadlineRow> deadline_rows;
  std::vector<Counter> initial;  // of fences, where all of the run is told
  std::optional<RunFiles> files;
  if (!options.directory.empty()) {
    files.emplace(
        options.directory, machine.log(), options.detailed_trace ? EventLog::Detail::waves : EventLog::Detail::commands,
        OutputBudget{options.output_limit_bytes, 0, false}, options.outputs,
        RunFacts{result.stats, loaded.workload.name, loaded.machine.name,
                 [&] {
                   return html_tables_of(result.preemption, result.recovery, result.residency, result.deadlines,
                                         result.swap_chains, result.outputs, result.background, result.creation);
                 },
                 [&] { return deadline_rows; }, [&] { return initial; }},
        by, options.only);
  }

  Player player(machine, loaded.program);
  std::optional<AccessLog> accesses;
  if (player.contents())
    accesses.emplace(player.contents(),
                     files && wants(accesses_output, options.only) ? &files->also(accesses_file) : nullptr);
  if (options.steps != nullptr) player.listen(*options.steps);
  std::vector<LogName> fences;
  for (std::size_t i = 0; i < loaded.program.fences.size(); ++i) {
    fences.push_back(machine.fences().log_name_of(player.fence(i)));
    const std::uint64_t value = loaded.program.fences[i].initial_value;
    if (!forwards) initial.push_back({fences[i], CounterKind::fence_value, machine.now_ps(), value});
  }
  std::set<LogName> awaited_fences;
  for (const Deadline& deadline : loaded.program.deadlines) awaited_fences.insert(fences[deadline.fence]);
  DeadlineWork work(std::move(awaited_fences));
  DeadlineWatch deadlines(loaded.program, std::move(fences), machine.now_ps());
  std::optional<Heard> working;
  if (files) deadlines.keep_rows();
  if (files && !loaded.program.deadlines.empty()) working.emplace(machine.log(), work);
  std::optional<Heard> watched;
  if (!loaded.program.deadlines.empty()) watched.emplace(machine.log(), deadlines);

  if (fast_forward) await_point(*fast_forward, packets_before_point, loaded.program, machine);
  if (options.change) change_at(*options.change, loaded, machine, player);
  play_passes(player, options, machine, deadlines, result);
  if (fast_forward) result.fast_forward_ps = fast_forward->reached_ps();
  result.end_ps = machine.now_ps();
  if (machine.bugchecked()) {
    result.bugcheck = fmt::format("bugcheck 0x116 (VIDEO_TDR_FAILURE) at {} us: {}", TimeText(result.end_ps).view(),
                                  "more timeouts than are to be recovered from");
    machine.log().message({Severity::warning, machine.log().name("adapter.scheduler"), result.end_ps, result.bugcheck});
  } else if (player.limited()) {
    result.unfinished = player.unfinished();
    deadlines.end_at(result.end_ps);
  } else if (!result.completed) {
    result.deadlock = player.deadlock();
  }
  for (const auto* lines : {&result.deadlock, &result.unfinished}) {
    for (const std::string& line : *lines) {
      machine.log().message({Severity::warning, machine.log().name("adapter.scheduler"), result.end_ps, line});
    }
  }
  for (std::size_t i = 0; i < loaded.program.fences.size(); ++i) {
    result.fence_interrupts += machine.fences().interrupts(player.fence(i));
  }
  result.preemption = preemption_of(machine, preemption, result.stats);
  result.recovery = recovery.episodes();
  result.residency = residency_of(machine, loaded.program);
  result.deadlines = deadlines.results();
  std::vector<LogName> deadline_names;
  for (const Deadline& deadline : loaded.program.deadlines) deadline_names.push_back(machine.log().name(deadline.name));
  deadline_rows = deadlines.rows(deadline_names);
  if (accesses) result.contents = std::make_shared<const ContentsResult>(accesses->result());
  result.background = machine.background_statistics();
  result.creation = machine.creation_statistics();
  machine.log_screen();
  result.swap_chains = swap_chains_of(machine.display());
  result.outputs = torn_outputs_of(machine.display());
  machine.log().finish(result.end_ps);

  if (files || report != nullptr) {
    const std::uint64_t limit = result.unfinished.empty() ? 0 : options.limit_ps;  // one that was not reached is none
    Json document;
    document["fenceline"] = version;
    document["workload_name"] = loaded.workload.name;
    document["machine_name"] = loaded.machine.name;
    document["statistics"] = statistics_of(result, machine, player, loaded.program);
    if (forwards) {
      document["statistics"]["fast_forward"]["point"] = options.fast_forward;
      if (result.fast_forward_ps) document["statistics"]["fast_forward"]["at_ps"] = *result.fast_forward_ps;
    }
    if (working) {
      Json& times = document["statistics"]["deadline_times"] = Json::array();
      for (const DeadlineTime& time : work.times_of(machine.log(), deadline_rows, most_deadline_times)) {
        times.push_back(json_of(time));
      }
    }
    document["no_effect"] = loaded.as_recorded ? json_of(loaded.recorded->no_effect) : json_of(result.silent);
    const PlayedHow how{options.passes, options.fast_forward, options.is_end ? 0 : limit, options.is_end ? limit : 0,
                        options.change ? std::optional(*options.change) : std::nullopt};
    if (Json run = json_of(how); !run.is_null()) document["run"] = std::move(run);
    document["machine"] = dump_config(loaded.machine);
    document["workload"] = dump_config(loaded.workload);
    if (files) files->commit(document);
    if (report != nullptr) *report = std::move(document);
  }
}

}  // namespace fenceline
