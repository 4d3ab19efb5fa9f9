// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"
#include "api/import/nsys/nsys_database.hpp"
#include "api/import/nsys/nsys_strings.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// The program's NVTX ranges (NVTX_EVENTS) as regions of what was launched in them.
///
/// As in NVIDIA's own reports ("nvtx_gpu_proj_sum" in the Post-Collection Analysis Guide): an operation is in a range
/// if the call that launched it (CUPTI_ACTIVITY_KIND_RUNTIME) lies in the range, on the thread on which the range
/// starts and ends; push/pop (event type 59) and start/end (60) alike. Ranges without an end, or with one on another
/// thread, are left out, and so are those without a name, and those that begin where `deepest` others are open.
class NsysRanges {
 public:
  static constexpr std::size_t deepest = 64;

  /// Reads the ranges and the calls that launched operations of the trace, of threads of a process (globalPid) if one
  /// is given. `strings` are asked for names.
  NsysRanges(NsysDatabase& database, const KinetoTrace& trace, std::optional<std::int64_t> process,
             NsysStrings& strings);

  /// Gives the operations their regions. `strings` have been read.
  void add_to(KinetoTrace& trace, const NsysStrings& strings) const;

 private:
  struct Range {
    std::uint64_t thread = 0;
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 0;
    std::string text;  // where there is no place in the strings
    std::optional<std::size_t> text_place;
    std::uint64_t row = 0;
  };
  struct Call {
    std::uint64_t thread = 0;
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 0;
    std::uint64_t correlation = 0;
  };

  void read_ranges(NsysDatabase& database, NsysStrings& strings);
  void read_calls(NsysDatabase& database, const KinetoTrace& trace, std::optional<std::int64_t> process);
  std::string name_of(const Range& range, const NsysStrings& strings, const std::string& file) const;

  std::vector<Range> ranges_;  // by thread and start, outer ones first
  std::vector<Call> calls_;    // by thread and start
  std::uint64_t all_ = 0;      // ranges in the file
};

}  // namespace fenceline
