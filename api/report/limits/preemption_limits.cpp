// SPDX-License-Identifier: Apache-2.0
#include "api/report/limits/preemption_limits.hpp"

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
  explicit Boundaries(std::string engine) : engine_(std::move(engine)) {}
  void operator()(const GraphicsEngineConfig& node) {
    add("draws", "graphics_preemption", name_of(node.graphics_preemption.granularity));
    add("dispatches", "compute_preemption", name_of(node.compute_preemption.granularity));
  }
  void operator()(const ComputeEngineConfig& node) {
    add("dispatches", "compute_preemption", name_of(node.compute_preemption.granularity));
  }
  void operator()(const CopyEngineConfig& node) {
    add("copies", "copy_preemption", name_of(node.copy_preemption.granularity));
  }
  const std::string& text() const { return text_; }

 private:
  void add(const char* work, const char* key, const char* granularity) {
    text_ += text_.empty() ? fmt::format("{} stop", work) : fmt::format(", {}", work);
    text_ += fmt::format(" at {} ({}/{}/granularity)", granularity, engine_, key);
  }
  std::string engine_;
  std::string text_;
};

std::string boundaries_of(const NodeConfig& node, const std::string& engine) {
  Boundaries boundaries(engine);
  std::visit(boundaries, node);
  return boundaries.text();
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string save_limit(const MachineConfig& machine, const ContextState& state, const std::string& engine,
                       std::uint64_t save_ps) {
  if (2 * ps_of_us(state.save_us) >= save_ps) {
    return fmt::format("{}/context_state/save_us ({:g})", engine, state.save_us);
  }
  const double vram = machine.memory.vram.gb_per_s;
  if (state.gb_per_s < vram) {
    return fmt::format("{}/context_state/gb_per_s ({:g}; video memory has {:g})", engine, state.gb_per_s, vram);
  }
  return fmt::format("/memory/vram/gb_per_s ({:g})", vram);
}

std::string limit_of(const MachineConfig& machine, std::size_t node, const NodePreemption& told) {
  const std::string engine = fmt::format("/engines/{}", node);
  const NodeConfig& config = machine.engines[node];
  const ContextState& state = engine_config(config).context_state;
  if (told.requests == 0) {
    const std::uint64_t times = told.attempts[static_cast<std::size_t>(PreemptionAttempt::miss_no_command)];
    if (times == 0) return "";
    return fmt::format("what ran could not be stopped, {} times (MissNoCommand): {}", times,
                       boundaries_of(config, engine));
  }
  const bool free = told.stopped > 0 && told.saved_bytes == 0 && state.bytes == 0 && state.save_us == 0;
  const std::string for_nothing =
      free ? fmt::format("{0}/context_state/bytes and save_us are 0: what is stopped is saved for nothing", engine)
           : "";
  const std::uint64_t whole_ps = told.from_request.mean_ps;
  if (whole_ps == 0) return for_nothing;
  const std::uint64_t waits_ps = whole_ps - std::min(whole_ps, told.drain.mean_ps + told.save.mean_ps);
  const std::uint64_t most_ps = std::max({told.drain.mean_ps, told.save.mean_ps, waits_ps});
  if (most_ps == told.save.mean_ps) {
    return fmt::format("save, {} of a stop, limited by {}", percent(most_ps, whole_ps),
                       save_limit(machine, state, engine, told.save.mean_ps));
  }
  const std::string more = for_nothing.empty() ? "" : "; " + for_nothing;
  if (most_ps == told.drain.mean_ps) {
    return fmt::format("drain, {} of a stop: {}{}", percent(most_ps, whole_ps), boundaries_of(config, engine), more);
  }
  return fmt::format("a restore under way, {} of a stop: what was stopped goes on too soon to be stopped again{}",
                     percent(most_ps, whole_ps), more);
}

}  // namespace

std::vector<PreemptionLimit> preemption_limits(const MachineConfig& machine, const RunPreemption& preemption) {
  const std::vector<std::string> names = node_names(machine.engines);
  std::vector<PreemptionLimit> limits;
  for (const NodePreemption& told : preemption.nodes) {
    const std::string name = told.node.substr(told.node.rfind('.') + 1);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;
    std::string text = limit_of(machine, static_cast<std::size_t>(found - names.begin()), told);
    if (!text.empty()) limits.push_back({name, std::move(text)});
  }
  return limits;
}

}  // namespace fenceline
