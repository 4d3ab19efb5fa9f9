// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// A fence's values so far, and after how many events of an order it got each.
class FenceHistory {
 public:
  explicit FenceHistory(std::uint64_t initial_value) : changes_{{initial_value, 0}} {}
  /// `events`: how many have come, with the signal.
  void signal(std::uint64_t value, std::size_t events);
  /// How many changes there have been: from when on a wait counts.
  std::size_t changes() const { return changes_.size(); }
  /// After how many events a wait that counts since `changes` were there is satisfied; nothing: not yet.
  std::optional<std::size_t> reached(std::uint64_t value, std::size_t changes) const;
  std::uint64_t highest() const;  ///< of its values

 private:
  struct Change {
    std::uint64_t value;
    std::size_t events;
  };
  std::vector<Change> changes_;
  bool fell_ = false;
};

}  // namespace fenceline
