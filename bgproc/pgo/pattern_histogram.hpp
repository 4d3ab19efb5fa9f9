// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fenceline {

/// Which way an execution's branches went, or which resources it had bound, as one number: equal ones have equal keys.
/// 0: nobody says, which is a pattern like others.
using PatternKey = std::uint64_t;

/// A pattern, and the part of the executions that had it.
struct SteadyPattern {
  PatternKey pattern = 0;
  double part = 1;
};

/// How often each pattern came: of one kind, beside one set of root constants. It knows the first 16 patterns; what has
/// more is not steady.
class PatternHistogram {
 public:
  static constexpr std::size_t most_patterns = 16;

  void add(PatternKey pattern, std::uint64_t executions);
  void clear();
  /// The one that came most often, of equal ones the one that came first: keys may be made of addresses, which no two
  /// runs need share. Of an empty histogram: {0, 1}.
  SteadyPattern steadiest() const;
  std::size_t size() const { return counts_.size(); }  ///< patterns that it knows

 private:
  std::vector<std::pair<PatternKey, std::uint64_t>> counts_;  // as they came
  std::uint64_t all_ = 0;
};

}  // namespace fenceline
