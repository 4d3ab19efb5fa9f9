// SPDX-License-Identifier: Apache-2.0
#include "sim/config/range.hpp"

#include <fmt/format.h>

namespace fenceline {
namespace {

/// A limit as a person writes it: 0, 4294967295, 0.5.
std::string limit_text(double limit) {
  const bool whole = limit > -9e15 && limit < 9e15 && limit == static_cast<double>(static_cast<long long>(limit));
  return whole ? fmt::format("{}", static_cast<long long>(limit)) : fmt::format("{}", limit);
}

}  // namespace

std::string Range::text(std::string_view noun) const {
  if (any()) return std::string(noun);
  const std::string low = limit_text(minimum);
  const std::string high = limit_text(maximum);
  if (has_minimum() && has_maximum()) {
    return exclusive_minimum ? fmt::format("{} > {} and <= {}", noun, low, high)
                             : fmt::format("{} from {} to {}", noun, low, high);
  }
  if (has_maximum()) return fmt::format("{} <= {}", noun, high);
  return fmt::format("{} {} {}", noun, exclusive_minimum ? ">" : ">=", low);
}

}  // namespace fenceline
