// SPDX-License-Identifier: Apache-2.0
#include "api/report/interval_union.hpp"

#include <algorithm>

namespace fenceline {
namespace {

// A number is words of 31 bits, lowest first. Every word but the lowest is marked, so that a number can be read back
// from its end.
constexpr std::uint32_t mark = 0x8000'0000;

}  // namespace

void IntervalUnion::add(std::uint64_t start, std::uint64_t end) {
  if (start >= end) return;
  std::vector<Piece> behind;  // pieces after the interval; stays empty, without allocating, when it came by end time
  while (!empty_ && last_.start > end) {
    behind.push_back(last_);
    pop();
  }
  Piece merged{start, end};
  while (!empty_ && last_.end >= start) {
    merged.start = std::min(merged.start, last_.start);
    merged.end = std::max(merged.end, last_.end);
    pop();
  }
  push(merged);
  for (auto piece = behind.rbegin(); piece != behind.rend(); ++piece) push(*piece);
}

std::vector<IntervalUnion::Piece> IntervalUnion::pieces() const {
  std::vector<Piece> result;
  for (IntervalUnion rest = *this; !rest.empty_; rest.pop()) result.push_back(rest.last_);
  std::reverse(result.begin(), result.end());
  return result;
}

std::uint64_t common_length(const std::vector<IntervalUnion::Piece>& a, const std::vector<IntervalUnion::Piece>& b) {
  std::uint64_t length = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    const std::uint64_t start = std::max(i->start, j->start);
    const std::uint64_t end = std::min(i->end, j->end);
    if (start < end) length += end - start;
    i->end < j->end ? ++i : ++j;
  }
  return length;
}

void IntervalUnion::push(Piece piece) {
  if (!empty_) {
    push_number(last_.end - last_.start);
    push_number(piece.start - last_.end);
  }
  empty_ = false;
  last_ = piece;
  length_ += piece.end - piece.start;
}

void IntervalUnion::pop() {
  length_ -= last_.end - last_.start;
  empty_ = before_last_.empty();
  if (empty_) return;
  last_.end = last_.start - pop_number();
  last_.start = last_.end - pop_number();
}

void IntervalUnion::push_number(std::uint64_t number) {
  before_last_.push_back(static_cast<std::uint32_t>(number & ~mark));
  while ((number >>= 31) != 0) before_last_.push_back(static_cast<std::uint32_t>(number & ~mark) | mark);
}

std::uint64_t IntervalUnion::pop_number() {
  std::uint64_t number = 0;
  for (bool lowest = false; !lowest;) {
    const std::uint32_t word = before_last_.back();
    before_last_.pop_back();
    number = number << 31 | (word & ~mark);
    lowest = (word & mark) == 0;
  }
  return number;
}

}  // namespace fenceline
