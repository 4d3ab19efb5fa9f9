// SPDX-License-Identifier: Apache-2.0
#include "api/report/vcd/deadline_waves.hpp"

#include <algorithm>

namespace fenceline {

DeadlineWaves deadline_waves(std::vector<DeadlineRow> rows, std::uint64_t end_ps) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const DeadlineRow& a, const DeadlineRow& b) { return a.due_ps < b.due_ps; });
  struct Sum {
    std::uint64_t due_ps;
    std::uint64_t missed;
  };
  std::map<LogName, std::vector<Sum>> sums;
  for (const DeadlineRow& row : rows) {
    if (row.due_ps > end_ps) continue;
    std::vector<Sum>& sum = sums[row.name];
    const std::uint64_t before = sum.empty() ? 0 : sum.back().missed;
    if (sum.empty() || sum.back().due_ps != row.due_ps) sum.push_back({row.due_ps, before});
    if (!row.reached_ps || *row.reached_ps > row.due_ps) ++sum.back().missed;
  }
  DeadlineWaves waves;
  for (const auto& [name, sum] : sums) {
    DeadlineWave& wave = waves[name];
    for (const Sum& one : sum) {
      wave.turns.append((wave.times.size() + 1) % 2);
      wave.times.append(one.due_ps);
      wave.missed.append(one.missed);
    }
  }
  return waves;
}

}  // namespace fenceline
