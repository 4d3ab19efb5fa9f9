// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"

#include <cstdint>

namespace fenceline::cli {

/// How much a workload is. Counts that go through repeats stop at the largest number.
struct WorkloadCounts {
  std::uint64_t queues = 0;
  std::uint64_t cpus = 0;
  std::uint64_t resources = 0;
  std::uint64_t pipelines = 0;
  std::uint64_t fences = 0;
  std::uint64_t lists = 0;
  std::uint64_t commands = 0;  ///< as lists have them
  std::uint64_t steps = 0;     ///< as timelines have them, a repeat and each step in it one
  std::uint64_t submits = 0;   ///< ExecuteCommandLists, repeats unrolled
  std::uint64_t frames = 0;    ///< presents, repeats unrolled
  std::uint64_t contents = 0;  ///< resources that say what they contain
  std::uint64_t markers = 0;   ///< events and markers, of lists as these have them, of queues with repeats unrolled
  std::uint64_t writes = 0;    ///< steps of CPU threads that write, each once
};
WorkloadCounts counts_of(const Workload& workload);

}  // namespace fenceline::cli
