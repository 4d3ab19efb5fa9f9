// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fenceline::cli {

/// What `fenceline sweep` is given.
struct SweepArguments {
  std::vector<std::string> files;  ///< a sweep, or workloads
  std::vector<std::string> machines;
  std::vector<std::string> sets;
  std::vector<std::string> varied;  ///< as axis_in takes them
  std::vector<std::string> metrics;
  std::string outputs;  ///< names by commas; empty: the sweep's own
  std::string out;      ///< empty: runs/ and the sweep's name
  double limit_us = 0;
  unsigned jobs = 0;  ///< 0: one for each core
  bool resume = false;
  bool quiet = false;
  bool worker = false;  ///< is one: reads what to do from standard input
};
int sweep(const SweepArguments& arguments);

}  // namespace fenceline::cli
