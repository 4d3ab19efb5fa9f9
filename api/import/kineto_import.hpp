// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_assumed.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// What one trace became.
struct KinetoImport {
  std::string file;
  std::string context;  ///< process of its queues; empty: the only one
  std::uint64_t kernels = 0;
  std::uint64_t copies = 0;
  std::uint64_t fills = 0;
  std::uint64_t queues = 0;
  std::uint64_t pipelines = 0;
  std::uint64_t lists = 0;       ///< recorded once each
  std::uint64_t executions = 0;  ///< of lists
  std::uint64_t stated_waits = 0;
  std::uint64_t inferred_waits = 0;
  KinetoAssumed assumed;            ///< operations whose size the trace does not say
  std::uint64_t whole_graphs = 0;   ///< of the assumed kernels: graphs whose kernels the trace does not tell apart
  std::uint64_t ranges = 0;         ///< of the program that the trace has
  std::uint64_t ranges_around = 0;  ///< those of them in which launches lie: regions of their queues
  std::uint64_t unmatched = 0;      ///< dispatches whose simulated time is not the wanted one to 0.1 % or 32 ns
  double span_us = 0;               ///< first start to last end
  std::vector<double> step_us;      ///< runs of operations with gaps shorter than host_wait_ns, start to end
};

}  // namespace fenceline
