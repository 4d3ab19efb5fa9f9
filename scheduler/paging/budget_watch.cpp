// SPDX-License-Identifier: Apache-2.0
#include "scheduler/paging/budget_watch.hpp"

#include "sim/kernel/now.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace fenceline {

void BudgetWatch::compare(const std::vector<std::uint64_t>& before) {
  const std::vector<std::uint64_t> after = residency_.budgets();
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after[i] == before[i]) continue;
    const auto process = static_cast<std::uint32_t>(i);
    ++residency_.device(process).figures.budget_changes;
    if (s_.log.enabled()) {
      s_.log.message({Severity::info, s_.device_name(process), now_ps(),
                      fmt::format("budget of video memory: {} bytes, was {}", after[i], before[i])});
    }
    for (const Told& told : told_) told(process, after[i]);
  }
}

}  // namespace fenceline
