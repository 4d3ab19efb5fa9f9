// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/config/scheduler_config.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/policies/policy_traits.hpp"
#include "scheduler/policies/runlist.hpp"
#include "scheduler/recovery/watchdog.hpp"
#include "scheduler/state/context.hpp"
#include "scheduler/state/interrupt_line.hpp"
#include "scheduler/state/node.hpp"
#include "scheduler/state/process.hpp"
#include "sim/assert.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/log.hpp"
#include "sim/numbered.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// What the parts of a scheduler work on together. Nothing is decided here.
struct SchedulerState {
  std::string name;  ///< of the scheduler's module
  const SchedulerConfig& config;
  const PolicyTraits& policy;
  const TdrRules& tdr;
  FenceUnit& fences;
  EventLog& log;
  Agenda& agenda;
  DeltaCall& round;  ///< Scheduler::decide_round, once for all that happens in a delta cycle
  InterruptLine interrupts;
  std::vector<Node> nodes{};
  std::vector<Runlist> runlists{};
  std::vector<Process> processes{};
  Numbered<Context> contexts{};
  std::vector<std::uint32_t> awake{};  ///< contexts to look at in the next round
  std::uint64_t outstanding = 0;       ///< packets submitted and not completed
  std::uint64_t rounds = 0;            ///< of decisions since something ran, ended or came
  std::uint64_t next_packet_id = 1;
  std::uint32_t system_process = none;  ///< the system's; none: nothing of it was needed
  bool purged = false;                  ///< the adapter has been reset, and residency does not know yet
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Of the node that has the engine.
  std::uint32_t index_of(const Engine& engine) const {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].engine == &engine) return i;
    }
    FENCELINE_ASSERT(false, std::string(engine.name()) + ": an engine of no node is heard of");
  }
  /// "link1.", before what is of that linked adapter; of the first one nothing.
  std::string link_of(std::uint32_t node) const {
    const sc_core::sc_object* const adapter = nodes[node].engine->get_parent_object();
    return adapter == nodes[0].engine->get_parent_object() ? "" : adapter->basename() + std::string(".");
  }
  Node& node_of(const Context& context) { return nodes[context.config.node]; }
  const Node& node_of(const Context& context) const { return nodes[context.config.node]; }
  Process& process_of(const Context& context) { return processes[process_index(context)]; }
  static std::uint32_t process_index(const Context& context) {
    return static_cast<std::uint32_t>(context.config.process);
  }
  /// The system's on its node: paging, and context switches.
  bool is_system(std::uint32_t context) const { return is_paging(contexts[context].rank); }
  /// The process as its device is called: its own name.
  LogName device_name(std::uint32_t process) { return log.name(processes[process].config.name); }
  /// Whose software queue the context has.
  std::uint32_t place_of(ContextId id) const {
    const auto index = static_cast<std::uint32_t>(id);
    return contexts[index].shared.value_or(index);
  }
  /// The context is looked at in a round of this moment.
  void wake(std::uint32_t context) {
    if (!contexts.contains(context) || std::exchange(contexts[context].awake, true)) return;
    awake.push_back(context);
    round.request();
  }
};

}  // namespace fenceline
