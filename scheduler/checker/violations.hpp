// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// Rules that a run has broken, in the order found: where and when, what was expected and what was found.
class Violations {
 public:
  void add(std::uint64_t at_ps, const std::string& where, const std::string& expected, const std::string& found);
  bool none() const { return count_ == 0; }
  /// All of them, also those not kept.
  std::uint64_t count() const { return count_; }
  /// The first ones.
  const std::vector<std::string>& kept() const { return kept_; }
  /// The first few as one sentence; empty if there are none.
  std::string report() const;

  /// A time in the words of a violation: "12.5 us".
  static std::string time_of(std::uint64_t ps);

 private:
  std::uint64_t count_ = 0;
  std::vector<std::string> kept_;
};

}  // namespace fenceline
