// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/progress.hpp"

#include <string>
#include <vector>

namespace fenceline::testing {

inline std::string text_of(const GridRemainder& left) {
  std::string text = std::to_string(left.groups) + " groups, " + std::to_string(left.register_bytes) +
                     " of registers, " + std::to_string(left.shared_bytes) + " shared, " +
                     std::to_string(left.threads) + " threads";
  for (const SavedGroups& one : left.saved) {
    text += ", " + std::to_string(one.groups) + " at " + std::to_string(one.cycles) + '/' +
            std::to_string(one.overhead) + '/' + std::to_string(static_cast<std::uint64_t>(one.instructions)) + '/' +
            std::to_string(one.bytes);
  }
  return text;
}

inline bool same(const std::vector<GridRemainder>& a, const std::vector<GridRemainder>& b) {
  std::string of_a;
  std::string of_b;
  for (const GridRemainder& left : a) of_a += text_of(left) + '\n';
  for (const GridRemainder& left : b) of_b += text_of(left) + '\n';
  return of_a == of_b;
}

}  // namespace fenceline::testing
