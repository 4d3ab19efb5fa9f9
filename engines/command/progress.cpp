// SPDX-License-Identifier: Apache-2.0
#include "engines/command/progress.hpp"

#include <algorithm>
#include <tuple>

namespace fenceline {

void GridRemainder::restore(std::uint64_t restored, std::uint64_t group_threads) {
  const std::uint64_t before = threads / group_threads;
  const auto take = [&](std::uint64_t& bytes) {
    bytes -= static_cast<std::uint64_t>(static_cast<unsigned __int128>(bytes) * restored / before);
  };
  take(register_bytes);
  take(shared_bytes);
  threads -= restored * group_threads;
  saved.back().groups -= restored;
  if (saved.back().groups == 0) saved.pop_back();
}

void GridRemainder::sort_saved() {
  const auto work = [](const SavedGroups& one) {
    return std::tuple(one.instructions, one.overhead, one.cycles, one.bytes);
  };
  std::sort(saved.begin(), saved.end(), [&](const SavedGroups& a, const SavedGroups& b) { return work(a) > work(b); });
  std::vector<SavedGroups> merged;
  for (const SavedGroups& one : saved) {
    if (!merged.empty() && merged.back().same_point(one)) {
      merged.back().groups += one.groups;
    } else {
      merged.push_back(one);
    }
  }
  saved = std::move(merged);
}

}  // namespace fenceline
