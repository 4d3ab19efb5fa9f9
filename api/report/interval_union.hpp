// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace fenceline {

/// Exact length of the union of intervals [start, end) that arrive mostly by end time. Any order is right; arrival by
/// end time is fast. Keeps the disjoint pieces, 8 bytes for each piece while pieces and gaps are under 2.1 ms, since
/// an interval that is still to come may cover any of them.
class IntervalUnion {
 public:
  struct Piece {
    std::uint64_t start;
    std::uint64_t end;
  };

  void add(std::uint64_t start, std::uint64_t end);
  std::uint64_t length() const { return length_; }
  /// The disjoint pieces, by time.
  std::vector<Piece> pieces() const;

 private:
  void push(Piece piece);  ///< behind the last piece
  void pop();
  void push_number(std::uint64_t number);
  std::uint64_t pop_number();

  std::uint64_t length_ = 0;
  bool empty_ = true;
  Piece last_{};
  std::deque<std::uint32_t> before_last_;  ///< for each piece: its length, the gap behind it; last one on top
};

/// Length of what two lists of disjoint pieces, each by time, have in common.
std::uint64_t common_length(const std::vector<IntervalUnion::Piece>& a, const std::vector<IntervalUnion::Piece>& b);

}  // namespace fenceline
