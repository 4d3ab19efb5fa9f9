// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/nsys/nsys_database.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace fenceline {

/// Texts of the table StringIds by their numbers. Asked for first, then read at once: only those are kept.
class NsysStrings {
 public:
  /// Where a text will be.
  std::size_t place_of(std::int64_t id);
  /// Reads those that were asked for.
  void read(NsysDatabase& database);
  /// Null: the table has none of this number, or there is no table.
  const std::string* at(std::size_t place) const;

 private:
  struct Text {
    std::string text;
    bool known = false;
  };
  std::unordered_map<std::int64_t, std::size_t> places_;  // looked up, never gone through
  std::vector<Text> texts_;
};

}  // namespace fenceline
