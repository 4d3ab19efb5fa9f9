// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fenceline::testing {

/// What the crash tests count: in memory that a process shares with all that it starts, so that nothing is lost with a
/// process that is killed. The table of them is printed when the tests end.
class CrashFigures {
 public:
  enum Row : std::uint8_t {
    kills,            ///< SIGKILL to a process that was working
    reports,          ///< looks for the value of a key that was reported stored
    found,            ///< with that value
    cleared,          ///< not found, and a process had cleared the cache
    companion_finds,  ///< of the processes beside the victims
    companion_stores,
    stops,  ///< kills between two system calls, one after the other
    torn,   ///< files cut, or with other bytes from a place on
    flips,
    damaged,  ///< entries lost to both, each of them touched
    full_disks,
    refused,  ///< files and directories that cannot be used
    lost,     ///< an entry that should have been found
    wrong,    ///< a value that is another, or an answer that is
    crashes,
    rows
  };
  static CrashFigures& of_all();

  void count(Row row, std::uint64_t by = 1) { numbers_[row].fetch_add(by, std::memory_order_relaxed); }
  std::uint64_t operator[](Row row) const { return numbers_[row].load(); }
  /// Counts it, and says it if it is one of the first.
  void fail(Row row, const std::string& text);
  /// What was said, line by line; empty: no failure.
  std::string failures() const;
  std::string table() const;

 private:
  struct Text {
    std::array<char, 400> bytes;
  };
  std::array<std::atomic<std::uint64_t>, rows> numbers_;
  std::atomic<std::size_t> failures_;
  std::array<Text, 16> texts_;
};

inline CrashFigures& figures() { return CrashFigures::of_all(); }

/// How much is tried: a number in the environment, or else what suffices for each run of the tests.
std::uint64_t crash_size(const char* variable, std::uint64_t without);
/// FENCELINE_CRASH_SEED.
std::uint32_t crash_seed();

/// On stderr where a person reads it.
void tell_progress(const std::string& what, std::uint64_t done, std::uint64_t of);

}  // namespace fenceline::testing
