// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// The names of one kind of thing in a workload: unique, not empty, looked up with an error that lists them.
class Names {
 public:
  /// `things` have a `name`; `plural` is for people, `key` the workload's key.
  template <class Thing>
  Names(const std::string& file, const char* plural, const char* key, const std::vector<Thing>& things)
      : file_(file), plural_(plural) {
    for (std::size_t i = 0; i < things.size(); ++i) add(things[i].name, fmt::format("/{}/{}/name", key, i));
  }
  template <class Thing>
  Names(const std::string& file, const char* plural, const std::vector<Thing>& things)
      : Names(file, plural, plural, things) {}

  bool has(const std::string& name) const { return indices_.count(name) > 0; }
  /// Its place in the list; ConfigError at `pointer` when there is none.
  std::uint32_t index(const std::string& name, const std::string& pointer) const;

 private:
  void add(const std::string& name, const std::string& pointer);

  std::string file_;
  std::string plural_;
  std::map<std::string, std::uint32_t> indices_;
};

}  // namespace fenceline
