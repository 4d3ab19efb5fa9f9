// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// CPU cores that threads share. Without cores each thread has a processor of its own, and nobody disturbs it.
struct CpuConfig {
  std::string source;
  std::uint32_t cores = 0;            ///< physical ones; 0: as many as there are threads
  std::uint32_t smt_width = 1;        ///< logical processors of a core
  double smt_gain = 0.25;             ///< what each further busy processor of a core adds to its throughput
  double background_slowdown = 0.01;  ///< of a foreground thread, by each idle-priority thread that runs beside it
};
void describe(Fields& f, CpuConfig& c);

}  // namespace fenceline
