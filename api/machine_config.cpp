// SPDX-License-Identifier: Apache-2.0
#include "api/machine_config.hpp"

#include "sim/config/config.hpp"
#include "sim/config/fields.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/nearest_name.hpp"
#include "sim/rounding.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace fenceline {

// Name and text of every file of configs/machines in the order of their names, then null; made by api/CMakeLists.txt.
extern const char* const builtin_machine_texts[][2];

void describe(Fields& f, HostConfig& c) {
  f.about("the CPU's side of the driver");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("call_us", c.call_us, "CPU time of one call that submits, signals or waits, microseconds",
             between(0, 1e6));
  f.optional(
      "wake_us", c.wake_us,
      "from the handled interrupt of a fence's signal until the CPU thread that waited for it runs, microseconds",
      between(0, 1e6));
  f.optional("record_us", c.record_us, "CPU time of one call that records a command through D3D12, microseconds",
             between(0, 1e6));
  f.optional(
      "poll_us", c.poll_us,
      "CPU time of one D3D12 call that only asks, GetCompletedValue, and of calls on events and threads, microseconds",
      between(0, 1e6));
  f.optional(
      "after_sleep_us", c.after_sleep_us,
      "before the first call of a CPU thread after a sleep_until takes effect: cold caches, clocks that were turned "
      "down",
      between(0, 1e6));
  f.optional("cpu", c.cpu, "cores that the program's threads and background tasks share");
}

void describe(Fields& f, MachineConfig& c) {
  f.about("a machine: a GPU with its engines, memory and scheduler, and the host's costs");
  f.required("name", c.name, "name in reports");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("shader_array", c.shader_array, "the SMs that the 3D and compute engines share");
  f.optional("memory", c.memory, "video memory and PCIe");
  f.optional("video_memory", c.video_memory, "its size, and what happens to what does not fit");
  f.optional("engines", c.engines, "one node each; queues go to the nodes of their type in turn");
  f.optional(
      "linked_adapters", c.linked_adapters,
      "so many equal physical adapters, each with engines, shader array and video memory of its own, are linked to "
      "one (LDA)",
      between(1, most_linked_adapters));
  f.optional("scheduler", c.scheduler, "the operating system's GPU scheduler");
  f.optional("tdr", c.tdr, "timeout detection and recovery");
  f.optional("submission_paths", c.submission_paths, "ways to submit work, by name; a queue names its own");
  f.optional("default_path", c.default_path, "path of queues that name none");
  f.optional("display", c.display, "the screen");
  f.optional("host", c.host, "the CPU's side");
  f.optional("background_processing", c.background_processing,
             "recompiling of pipeline states while a program runs, and the driver's other background tasks");
  f.optional("shader_cache", c.shader_cache, "creating pipeline states, and the caches that spare it");

  const bool synchronous = c.linked_adapters == 1 || !c.scheduler.caps.preemption_aware;
  f.check(synchronous || !c.scheduler.caps.changes_split_buffers,
          "false on linked adapters in the Windows 8 model: each runs the same bytes, and not in step", "true",
          "/scheduler/caps/changes_split_buffers");
  f.check(!c.engines.empty(), "at least one engine", "an empty list", "engines");
  f.check(c.submission_paths.count(c.default_path) > 0, "a name among submission_paths", "\"" + c.default_path + "\"",
          "default_path");
  std::set<std::string> names;
  const auto node_list = node_names(c.engines);
  for (std::size_t i = 0; i < node_list.size(); ++i) {
    const std::string& name = node_list[i];
    const std::string pointer = "/engines/" + std::to_string(i) + "/name";
    const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char ch) {
      return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' || ch == '-';
    });
    f.check(plain, "a name of letters, digits, _ and -", "\"" + name + "\"", pointer);
    f.check(names.insert(name).second, "a name of its own", "\"" + name + "\" a second time", pointer);
  }
  for (std::size_t i = 0; i < node_list.size(); ++i) {
    const std::vector<std::string>& others = engine_config(c.engines[i]).dependent_nodes;
    for (std::size_t k = 0; k < others.size(); ++k) {
      const std::string pointer = "/engines/" + std::to_string(i) + "/dependent_nodes/" + std::to_string(k);
      f.check(names.count(others[k]) > 0 && others[k] != node_list[i], "the name of another node",
              "\"" + others[k] + "\"", pointer);
    }
  }
  const std::string& paging_node = c.video_memory.paging_node;
  f.check(paging_node.empty() || names.count(paging_node) > 0, "the name of a node", "\"" + paging_node + "\"",
          "/video_memory/paging_node");
  const auto paged_kib = [&](std::uint32_t kib) {
    return rounded_up(std::uint64_t{kib}, std::uint64_t{std::max(c.video_memory.page_kib, 1u)});
  };
  for (std::size_t i = 0; i < c.engines.size(); ++i) {
    const std::uint32_t kib = engine_config(c.engines[i]).context_state.allocation_kib;
    const std::uint64_t most_kib = std::uint64_t{c.video_memory.dedicated_mib} << 10;
    f.check(paged_kib(c.video_memory.device_context_kib) + paged_kib(kib) <= most_kib,
            "with /video_memory/device_context_kib no more than /video_memory/dedicated_mib",
            std::to_string(kib) + " KiB", "/engines/" + std::to_string(i) + "/context_state/allocation_kib");
  }
}

PreemptionCaps preemption_caps(const MachineConfig& machine) {
  std::optional<GraphicsPreemption> graphics;
  std::optional<ComputePreemption> compute;
  const auto coarsest = [](auto& reported, auto granularity) {
    granularity = static_cast<decltype(granularity)>(traits_of(static_cast<PreemptionLevel>(granularity)).reported);
    reported = std::min(reported.value_or(granularity), granularity);
  };
  for (const NodeConfig& node : machine.engines) {
    const EngineConfig& engine = engine_config(node);
    const bool draws = std::holds_alternative<GraphicsEngineConfig>(node);
    if (draws) coarsest(graphics, engine.graphics_preemption.granularity);
    if (draws || std::holds_alternative<ComputeEngineConfig>(node)) {
      coarsest(compute, engine.compute_preemption.granularity);
    }
  }
  return {graphics.value_or(GraphicsPreemption::none), compute.value_or(ComputePreemption::none)};
}

const EngineConfig& engine_config(const NodeConfig& node) {
  return std::visit([](const auto& config) -> const EngineConfig& { return config; }, node);
}

std::string link_name(std::uint32_t link) { return link == 0 ? std::string() : "link" + std::to_string(link); }

std::vector<std::string> node_names(const std::vector<NodeConfig>& nodes) {
  std::vector<std::string> names;
  std::map<std::string, int> of_kind;
  for (const NodeConfig& node : nodes) {
    const std::string kind = std::visit([](const auto& config) { return std::string(config.type_name); }, node);
    const std::string numbered = kind + std::to_string(of_kind[kind]++);
    const std::string& own = engine_config(node).name;
    names.push_back(own.empty() ? numbered : own);
  }
  return names;
}

std::vector<std::string> builtin_machine_names() {
  std::vector<std::string> names;
  for (auto machine = builtin_machine_texts; (*machine)[0] != nullptr; ++machine) names.emplace_back((*machine)[0]);
  return names;
}

const char* builtin_machine_text(const std::string& name) {
  for (auto machine = builtin_machine_texts; (*machine)[0] != nullptr; ++machine) {
    if (name == (*machine)[0]) return (*machine)[1];
  }
  std::string known;
  const std::vector<std::string> names = builtin_machine_names();
  for (const std::string& other : names) known += (known.empty() ? "" : ", ") + in_quotes(other);
  const std::string near = nearest_name(name, names);
  throw ConfigError("built-in machines", "", "one of " + known,
                    in_quotes(name) + (near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)"));
}

}  // namespace fenceline
