// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run_preemption.hpp"

#include "api/machine.hpp"
#include "api/report/preemption_sink.hpp"
#include "api/report/stats.hpp"
#include "scheduler/scheduler.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace fenceline {

std::uint64_t NodePreemption::attempted() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : attempts) sum += count;
  return sum;
}

std::uint64_t NodePreemption::missed() const {
  return attempted() - attempts[static_cast<std::size_t>(PreemptionAttempt::success)];
}

RunPreemption preemption_of(const Machine& machine, const PreemptionSink& sink, const StatsSink& stats) {
  const std::vector<PreemptionStats> seen = sink.nodes(stats);
  const std::vector<std::string> names = node_names(machine.config().engines);
  RunPreemption result;
  static_cast<PreemptionStats&>(result.total) = sink.total(stats);
  const auto nodes = static_cast<std::uint32_t>(names.size() * machine.config().linked_adapters);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::string link = link_name(static_cast<std::uint32_t>(i / names.size()));
    const std::string path = "adapter." + (link.empty() ? link : link + ".") + names[i % names.size()];
    NodePreemption node;
    node.node = path;
    const auto found =
        std::find_if(seen.begin(), seen.end(), [&](const PreemptionStats& stats_of) { return stats_of.node == path; });
    if (found != seen.end()) static_cast<PreemptionStats&>(node) = *found;
    for (std::size_t result_of = 0; result_of < preemption_attempt_results; ++result_of) {
      node.attempts[result_of] = machine.scheduler().attempts(i).of(static_cast<PreemptionAttempt>(result_of));
      result.total.attempts[result_of] += node.attempts[result_of];
    }
    if (found != seen.end() || node.attempted() > 0) result.nodes.push_back(std::move(node));
  }
  return result;
}

}  // namespace fenceline
