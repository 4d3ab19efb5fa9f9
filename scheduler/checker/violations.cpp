// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/violations.hpp"

#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace fenceline {

void Violations::add(std::uint64_t at_ps, const std::string& where, const std::string& expected,
                     const std::string& found) {
  constexpr std::size_t most_kept = 100;
  ++count_;
  if (kept_.size() >= most_kept) return;
  kept_.push_back(fmt::format("{}, at {}: expected {}, found {}", where, time_of(at_ps), expected, found));
}

std::string Violations::report() const {
  if (none()) return {};
  constexpr std::size_t shown = 3;
  std::string text = fmt::format("{} {} broken: ", count_, count_ == 1 ? "rule was" : "rules were");
  for (std::size_t i = 0; i < std::min(shown, kept_.size()); ++i) text += (i == 0 ? "" : "; ") + kept_[i];
  if (count_ > shown) text += fmt::format("; and {} more", count_ - shown);
  return text;
}

std::string Violations::time_of(std::uint64_t ps) { return fmt::format("{} us", TimeText(ps).view()); }

}  // namespace fenceline
