// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// The names of one kind of thing in a workload: unique, not empty, looked up with an error that lists them. What is
/// wrong with the names themselves waits for `check`, and for who looks such a name up: it is the same error there.
class Names {
 public:
  /// `things` have a `name`; `plural` is for people, `key` the workload's key.
  template <class Thing>
  Names(const std::string& file, const char* plural, const char* key, const std::vector<Thing>& things)
      : file_(file), plural_(plural) {
    for (std::size_t i = 0; i < things.size(); ++i) add(things[i].name, i, fmt::format("/{}/{}/name", key, i));
  }
  template <class Thing>
  Names(const std::string& file, const char* plural, const std::vector<Thing>& things)
      : Names(file, plural, plural, things) {}

  /// Throws ConfigError for names that are empty or there twice.
  void check() const { errors_.throw_any(); }
  bool has(const std::string& name) const { return indices_.count(name) > 0; }
  bool empty() const { return indices_.empty(); }
  /// Its place in the list; ConfigError at `pointer` when there is none.
  std::uint32_t index(const std::string& name, const std::string& pointer) const;

 private:
  void add(const std::string& name, std::size_t index, const std::string& pointer);

  std::string file_;
  std::string plural_;
  std::map<std::string, std::uint32_t> indices_;
  std::map<std::string, ConfigError> wrong_;  // what is wrong with a name
  ConfigErrors errors_;                       // all that is
};

}  // namespace fenceline
