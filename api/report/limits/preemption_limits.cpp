// SPDX-License-Identifier: Apache-2.0
#include "api/report/limits/preemption_limits.hpp"

#include "api/report/limits/turn_limit.hpp"
#include "sim/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

/// "draws stop at triangle_boundary (/engines/0/graphics_preemption/granularity), dispatches at ...".
class Boundaries {
 public:
  Boundaries(const MachineConfig& machine, const StoppableWork& work, std::string engine)
      : machine_(machine), work_(work), engine_(std::move(engine)) {}
  void operator()(const GraphicsEngineConfig& node) {
    if (work_.draws) add("draws", "graphics_preemption", node.graphics_preemption.granularity, "graphics");
    if (work_.dispatches || !work_.draws) {
      add("dispatches", "compute_preemption", node.compute_preemption.granularity, "graphics");
    }
  }
  void operator()(const ComputeEngineConfig& node) {
    add("dispatches", "compute_preemption", node.compute_preemption.granularity, "compute");
  }
  void operator()(const CopyEngineConfig& node) {
    add("copies", "preemption", node.copy_preemption.granularity, "copy");
  }
  const std::string& text() const { return text_; }

 private:
  static const NodePath& part(const SubmissionPath& path, const std::string& of) {
    if (of == "graphics") return path.graphics;
    return of == "compute" ? path.compute : path.copy;
  }

  /// A queue's way to the engine may allow less than the engine.
  template <class Granularity>
  void add(const char* work, const char* key, Granularity granularity, const std::string& of) {
    std::string name = name_of(granularity);
    std::string pointer = fmt::format("{}/{}/granularity", engine_, key);
    auto level = static_cast<std::uint16_t>(granularity);
    for (const std::string& path : work_.paths) {
      const auto found = machine_.submission_paths.find(path);
      if (found == machine_.submission_paths.end()) continue;
      const ComputePreemption finest = part(found->second, of).finest_preemption;
      if (static_cast<std::uint16_t>(finest) >= level) continue;
      level = static_cast<std::uint16_t>(finest);
      name = name_of(finest);
      pointer = fmt::format("/submission_paths/{}/{}/finest_preemption", path, of);
    }
    text_ += text_.empty() ? fmt::format("{} stop", work) : fmt::format(", {}", work);
    text_ += fmt::format(" at {} ({})", name, pointer);
  }
  const MachineConfig& machine_;
  const StoppableWork& work_;
  std::string engine_;
  std::string text_;
};

/// What the stops of one node come to.
class NodeLimit {
 public:
  NodeLimit(const MachineConfig& machine, const StoppableWork& work, std::size_t node)
      : machine_(machine),
        queues_(work.queues),
        engine_(fmt::format("/engines/{}", node)),
        boundaries_(machine, work, engine_) {
    std::visit(boundaries_, machine.engines[node]);
    state_ = &engine_config(machine.engines[node]).context_state;
  }

  /// Empty: nothing can be said.
  std::string text(const NodePreemption& told) const {
    if (told.requests == 0) return never_asked(told);
    const bool free = told.stopped > 0 && told.saved_bytes == 0 && state_->bytes == 0 && state_->save_us == 0;
    std::string for_nothing =
        free ? engine_ + "/context_state/bytes and save_us are 0: what is stopped is saved for nothing" : "";
    const std::uint64_t whole_ps = told.from_request.mean_ps;
    const std::uint64_t waits_ps = whole_ps - std::min(whole_ps, told.drain.mean_ps + told.save.mean_ps);
    const std::uint64_t most_ps = std::max({told.drain.mean_ps, told.save.mean_ps, waits_ps});
    const TurnLimit turn = turn_limit(machine_.scheduler, queues_, told.turns);
    const std::uint64_t turn_ps = turn.waited_ps / told.requests;
    const std::uint64_t rank_ps = rank_wait_ps(told.turns) / told.requests;
    std::string more = for_nothing.empty() ? "" : "; " + for_nothing;
    if (rank_ps > std::max(turn_ps, whole_ps)) {
      more += fmt::format("; most of the latency, {:.0f} %, is for what ran of a higher rank",
                          percent(rank_ps, told.latency.mean_ps));
    }
    if (turn_ps > 0 && turn_ps >= most_ps) {
      return fmt::format("{}, {:.0f} % of the latency, limited by {} ({:g}){}", turn.what,
                         percent(turn_ps, told.latency.mean_ps), turn.pointer, turn.value, more);
    }
    if (whole_ps == 0) return for_nothing;
    const std::string of = fmt::format("{:.0f} % of the time from a request on", percent(most_ps, whole_ps));
    if (most_ps == told.save.mean_ps) return fmt::format("save, {}, limited by {}{}", of, save_limit(most_ps), more);
    if (most_ps == told.drain.mean_ps) return fmt::format("drain, {}: {}{}", of, boundaries_.text(), more);
    return fmt::format("a restore under way, {}: what was stopped is to stop again as soon as it goes on{}", of, more);
  }

 private:
  /// Nothing was to stop: what changing between contexts cost all the same, and whether anybody waited.
  std::string never_asked(const NodePreemption& told) const {
    std::string text = never_stopped(told);
    const auto lower = told.attempts[static_cast<std::size_t>(PreemptionAttempt::miss_less_priority)];
    if (text.empty() && lower > 0) {
      text = fmt::format("nothing was to stop: what waited was of a lower rank than what ran ({})",
                         preemption_attempt_names[static_cast<std::size_t>(PreemptionAttempt::miss_less_priority)]);
    }
    if (told.lost_ps == 0) return text;
    const char* const key = state_->switch_us > 0 ? "context_state/switch_us" : "context_state";
    const std::string lost = fmt::format("changes between contexts, {:.0f} % of the engine's time, limited by {}/{}{}",
                                         percent(told.lost_ps, told.engine_ps), engine_, key,
                                         state_->switch_us > 0 ? fmt::format(" ({:g})", state_->switch_us) : "");
    return text.empty() ? lost : lost + "; " + text;
  }

  std::string never_stopped(const NodePreemption& told) const {
    for (const PreemptionAttempt why : {PreemptionAttempt::miss_no_command, PreemptionAttempt::miss_not_enabled}) {
      const auto result = static_cast<std::size_t>(why);
      if (told.attempts[result] == 0) continue;
      return fmt::format("what ran could not be stopped, {} times ({}): {}", told.attempts[result],
                         preemption_attempt_names[result], boundaries_.text());
    }
    return "";
  }

  std::string save_limit(std::uint64_t save_ps) const {
    if (2 * ps_of_us(state_->save_us) >= save_ps) {
      return fmt::format("{}/context_state/save_us ({:g})", engine_, state_->save_us);
    }
    const double vram = machine_.memory.vram.gb_per_s;
    const std::string own = engine_ + "/context_state/gb_per_s";
    if (state_->gb_per_s < vram) return fmt::format("{} ({:g}; video memory has {:g})", own, state_->gb_per_s, vram);
    if (state_->gb_per_s == vram) return fmt::format("{} and /memory/vram/gb_per_s alike ({:g})", own, vram);
    return fmt::format("/memory/vram/gb_per_s ({:g})", vram);
  }

  static double percent(std::uint64_t part_ps, std::uint64_t whole_ps) {
    return 100 * static_cast<double>(part_ps) / static_cast<double>(whole_ps);
  }

  const MachineConfig& machine_;
  const std::map<std::string, QueueConfig>& queues_;
  std::string engine_;
  Boundaries boundaries_;
  const ContextState* state_ = nullptr;
};

/// What a command has of it.
struct AddStoppable {
  StoppableWork& work;
  template <class One>
  void operator()(const One&) const {
    constexpr bool is_indirect = std::is_same_v<One, ExecuteIndirectCommand>;
    if constexpr (std::is_same_v<One, DrawCommand> || std::is_same_v<One, DrawIndexedCommand> ||
                  std::is_same_v<One, ClearCommand> || is_indirect) {
      work.draws = true;
    }
    if constexpr (std::is_same_v<One, DispatchCommand> || is_indirect) work.dispatches = true;
  }
  void operator()(const RepeatCommand& repeat) const {
    for (const SimpleCommandInfo& command : repeat.commands) std::visit(*this, command);
  }
};

}  // namespace

StoppableWork stoppable_work(const Workload& workload, const MachineConfig& machine) {
  StoppableWork work;
  for (const CommandListInfo& list : workload.command_lists) {
    for (const CommandInfo& command : list.commands) std::visit(AddStoppable{work}, command);
  }
  for (const QueueInfo& queue : workload.queues) {
    work.paths.insert(queue.path.empty() ? machine.default_path : queue.path);
    work.queues.emplace(queue.name, static_cast<const QueueConfig&>(queue));
  }
  return work;
}

std::vector<PreemptionLimit> preemption_limits(const MachineConfig& machine, const StoppableWork& work,
                                               const RunPreemption& preemption) {
  const std::vector<std::string> names = node_names(machine.engines);
  std::vector<PreemptionLimit> limits;
  for (const NodePreemption& told : preemption.nodes) {
    const std::string name = told.node.substr(told.node.rfind('.') + 1);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;
    std::string text = NodeLimit(machine, work, static_cast<std::size_t>(found - names.begin())).text(told);
    if (!text.empty()) limits.push_back({name, std::move(text)});
  }
  return limits;
}

}  // namespace fenceline
