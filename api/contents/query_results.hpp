// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/draw_counts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace fenceline {

/// Results in the query heaps of a program that is played: one heap of each type, and one of both kinds of occlusion.
class QueryResults {
 public:
  /// UINT64s of D3D12_QUERY_DATA_PIPELINE_STATISTICS.
  static constexpr std::size_t statistics = 11;

  void set_timestamp(std::uint32_t slot, std::uint64_t at_ps);
  /// Of another type.
  void set(QueryType type, std::uint32_t slot, const DrawCounts& counts);
  /// Those that are known of the slots, as ResolveQueryData gives them out: `visit(slot, numbers)`.
  template <class Visit>
  void for_each(QueryType type, std::uint32_t first, std::uint32_t count, Visit&& visit) const {
    const std::uint64_t end = std::uint64_t{first} + count;
    for (auto at = results_.lower_bound({heap(type), first}); at != results_.end(); ++at) {
      if (at->first.first != heap(type) || at->first.second >= end) break;
      visit(at->first.second, numbers(type, at->second));
    }
  }
  void clear() { results_.clear(); }

 private:
  using Result = std::array<std::uint64_t, statistics>;
  static QueryType heap(QueryType type) { return type == QueryType::binary_occlusion ? QueryType::occlusion : type; }
  static std::vector<std::uint64_t> numbers(QueryType type, const Result& result);

  std::map<std::pair<QueryType, std::uint32_t>, Result> results_;
};

/// Bytes of a result.
constexpr std::uint64_t result_bytes(QueryType type) {
  return type == QueryType::pipeline_statistics ? QueryResults::statistics * sizeof(std::uint64_t)
                                                : sizeof(std::uint64_t);
}

}  // namespace fenceline
