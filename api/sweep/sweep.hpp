// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// A quantity that a sweep changes, and what it becomes. One of `values`, `numbers` and `from` to `to` is said.
struct SweepAxis {
  std::string pointer;              ///< as `--set` takes it
  std::string name;                 ///< of its column; empty: the pointer's last key
  std::vector<std::string> values;  ///< as `--set` takes them
  std::vector<double> numbers;      ///< in place of values
  std::optional<double> from;       ///< first number of a range
  std::optional<double> to;         ///< none of a range is above it
  std::optional<double> step;       ///< from one number of a range to the next
  std::optional<double> factor;     ///< in place of a step
  bool zip = false;                 ///< changes together with the axis before it, instead of being crossed with it
};
/// Names its keys.
void describe(Fields& f, SweepAxis& axis);

/// Runs that differ in some values, and what is wanted of them: a document.
struct Sweep {
  std::string name;                    ///< of its directory
  std::string source;                  ///< what it is for
  std::vector<std::string> workloads;  ///< files; each is run with all else
  std::vector<std::string> machines;   ///< files or names of built-in ones; none: each workload's own
  std::vector<std::string> set;        ///< `/pointer=value` for all runs
  std::vector<SweepAxis> axes;         ///< the last one changes first
  std::vector<std::string> metrics;    ///< names, or NAME=/pointer into report.json; none: `usual_metrics`
  std::vector<std::string> outputs;    ///< files of each run that are kept, by name; none: no directories of runs
  double limit_us = 0;                 ///< of each run's simulated time; 0: none
  std::uint64_t repeat = 0;            ///< each is played so often with jitter, as `run --repeat`; 0: once, without
  std::uint64_t seed = 1;              ///< of the first of these; each further one has the next
};
/// Names its keys.
void describe(Fields& f, Sweep& sweep);

}  // namespace fenceline
