// SPDX-License-Identifier: Apache-2.0
// Machine, what waits for ever in it.
#include "api/machine_parts.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fenceline {

std::string Machine::holders(FenceId fence, std::uint64_t value) const {
  std::string text;
  const std::vector<StuckContext> stuck = scheduler().stuck();
  for (const ContextId holder : scheduler().holders(fence, value)) {
    const bool waits =
        std::any_of(stuck.begin(), stuck.end(), [&](const StuckContext& one) { return one.context == holder; });
    text +=
        fmt::format("; held by queue {}, whose signal is behind {}", in_quotes(scheduler().context(holder).config.name),
                    waits ? "its own wait" : "work that does not end");
  }
  return text;
}

std::vector<std::string> Machine::deadlock() const {
  std::vector<std::string> lines;
  for (const StuckContext& stuck : scheduler().stuck()) {
    std::string line = fmt::format("queue {} waits for fence {} to reach {}, which stands at {}",
                                   in_quotes(scheduler().context(stuck.context).config.name),
                                   in_quotes(fences().name_of(stuck.fence)), stuck.value, fences().value(stuck.fence));
    const std::string held = holders(stuck.fence, stuck.value);
    line += held.empty() ? "; nothing submitted will signal it" : held;
    lines.push_back(line);
  }
  for (const ContextId stuck : scheduler().stuck_on_hardware()) {
    lines.push_back(fmt::format("queue {} hangs: a command of its command list never ends, and nothing resets its node",
                                in_quotes(scheduler().context(stuck).config.name)));
  }
  for (const ContextId held : scheduler().held()) {
    lines.push_back(
        fmt::format("queue {} has packets and is suspended", in_quotes(scheduler().context(held).config.name)));
  }
  if (!scheduler().gave_up()) return lines;
  for (const ContextId waiting : scheduler().busy()) {
    lines.push_back(fmt::format(
        "queue {} has packets that have not completed: {} decisions in a row without anything that ran, ended or came "
        "(scheduler/rounds_without_progress)",
        in_quotes(scheduler().context(waiting).config.name), parts_->config.scheduler.rounds_without_progress));
  }
  return lines;
}

}  // namespace fenceline
