// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/recorded_run.hpp"
#include "api/cli/commands.hpp"
#include "api/report/explain/causes.hpp"
#include "api/report/explain/critical_path.hpp"
#include "api/report/explain/explain_deadline.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/nearest_name.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::cli {
namespace {

/// Plays a run that is over again, for what its files do not tell.
struct PlayedAgain {
  LoadedWorkload loaded;
  CauseLog log{};

  /// `threads`: what CPU threads did is to be known, too.
  PlayedAgain(const std::string& run, bool threads) : loaded(load_workload(run, "", {})) {
    RunOptions options;
    if (loaded.recorded) play_as(loaded.recorded->how, options);
    options.progress = &log;
    if (threads && options.passes == 1) {  // of later passes nobody hears
      log.threads().know(loaded);
      options.steps = &log.threads();
    }
    RunResult result;
    run_workload(loaded, options, result);
  }
};

/// Why the deadline was not kept when it was due. Nothing: it was.
std::vector<Cause> deadline_causes(const ExplainArguments& arguments, const DeadlineTime& time) {
  if (!time.missed()) return {};
  const PlayedAgain played(arguments.run, true);
  const std::vector<DeadlineInfo>& deadlines = played.loaded.workload.deadlines;
  const auto named = std::find_if(deadlines.begin(), deadlines.end(),
                                  [&](const DeadlineInfo& deadline) { return deadline.name == time.deadline; });
  const AwaitedFence awaited{time.deadline,   named == deadlines.end() ? "" : named->fence,
                             time.value,      time.due_ps,
                             time.reached_ps, time.packet ? time.packet->id : 0};
  return causes_of(played.log, awaited);
}

/// Of what is asked for: the packet, and when.
std::pair<std::uint64_t, std::uint64_t> asked(const ExplainArguments& arguments, const CauseLog& log) {
  const auto at_ps = static_cast<std::uint64_t>(std::llround(std::max(0.0, arguments.at_us) * 1e6));
  if (arguments.queue.empty()) {
    const CauseLog::Life* const life = log.life(arguments.packet);
    if (life == nullptr) throw ConfigError("--packet", "", "a packet of the run", fmt::format("{}", arguments.packet));
    if (arguments.at_us >= 0) return {life->id, at_ps};
    // Half-way through its wait.
    const std::uint64_t end_ps = life->done ? life->done->started_ps : log.end_ps();
    return {life->id, life->submitted_ps + (std::max(end_ps, life->submitted_ps) - life->submitted_ps) / 2};
  }
  if (log.of_queue(arguments.queue).empty()) {
    const std::string near = nearest_name(arguments.queue, log.queues());
    throw ConfigError("--queue", "", fmt::format("a queue that had work: {}", fmt::join(log.queues(), ", ")),
                      in_quotes(arguments.queue) + (near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)"));
  }
  return {first_of_queue(log, arguments.queue, at_ps), at_ps};
}

int explain_packet(const ExplainArguments& arguments) {
  const PlayedAgain played(arguments.run, true);
  const CauseLog& log = played.log;
  const auto [packet, at_ps] = asked(arguments, log);
  const double at_us = static_cast<double>(at_ps) / 1e6;
  const std::vector<Cause> causes = causes_of(log, packet, at_ps);
  if (arguments.json) {
    console::print(dump_json(nlohmann::ordered_json{{"at_ps", at_ps}, {"chain", json_of(causes)}}));
  } else if (causes.empty()) {
    console::print("at {:.3f} us all that queue {} had was complete\n", at_us, arguments.queue);
  } else {
    console::print("at {:.3f} us\n{}", at_us, text_of(causes));
  }
  return done;
}

int explain_frame(const ExplainArguments& arguments) {
  const PlayedAgain played(arguments.run, false);
  const FramePath path = frame_path(played.log, arguments.swap_chain, arguments.frame);
  console::print(arguments.json ? dump_json(json_of(path)) : text_of(path));
  return done;
}

int explain_time(const ExplainArguments& arguments) {
  const std::optional<double> at_ps = arguments.at_us < 0 ? std::nullopt : std::optional(arguments.at_us * 1e6);
  const DeadlineTime time = deadline_time(arguments.run, arguments.deadline, at_ps);
  std::string text = explained(time);
  const std::vector<Cause> causes = deadline_causes(arguments, time);
  if (!causes.empty()) {
    text += "when it was due\n" + text_of(causes);
  } else if (!time.packet && !time.device_removed) {
    text += "no packet was behind it\n";
  }
  if (arguments.json) {
    nlohmann::ordered_json json = json_of(time);
    json["chain"] = json_of(causes);
    text = dump_json(json);
  }
  console::print(text);
  return done;
}

}  // namespace

int explain(const ExplainArguments& arguments) {
  if (arguments.frame != 0) return explain_frame(arguments);
  return arguments.deadline.empty() ? explain_packet(arguments) : explain_time(arguments);
}

}  // namespace fenceline::cli
