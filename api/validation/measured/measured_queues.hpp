// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/measured/measured_device.hpp"
#include "api/validation/play/planned_case.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fenceline {

// Measured multi-queue workloads: the key "workloads", as in bench/hardware/h200/workloads.json.
// Times are microseconds on the device clock, 0 is the release of a gate behind which everything was enqueued.

/// What every measured operation says.
struct MeasuredOp {
  std::uint32_t queue = 0;
  std::vector<std::uint64_t> waits;  ///< operations of other queues that must be complete first
  std::optional<double> start_us;
  double end_us = 0;
};
/// A kernel's launch.
struct MeasuredGrid : MeasuredOp {
  std::uint64_t grid = 1;
  std::uint32_t threads = 1;
  std::uint32_t smem = 0;
};
struct MeasuredSpin : MeasuredGrid {
  static constexpr const char* type_name = "spin";
  static constexpr const char* type_key = "kind";
  std::uint64_t cycles_per_block = 0;
};
struct MeasuredRead : MeasuredGrid {
  static constexpr const char* type_name = "read";
  static constexpr const char* type_key = "kind";
  std::uint64_t bytes_per_block = 0;
};
struct MeasuredCopy : MeasuredOp {
  std::uint64_t bytes = 0;
};
struct MeasuredH2d : MeasuredCopy {
  static constexpr const char* type_name = "h2d";
  static constexpr const char* type_key = "kind";
};
struct MeasuredD2h : MeasuredCopy {
  static constexpr const char* type_name = "d2h";
  static constexpr const char* type_key = "kind";
};
using MeasuredOperation = std::variant<MeasuredSpin, MeasuredRead, MeasuredH2d, MeasuredD2h>;

struct MeasuredCase {
  std::optional<std::uint64_t> seed;
  std::optional<std::string> name;
  std::optional<std::uint32_t> queues;
  std::optional<double> makespan_us;  ///< absent: the last end
  std::optional<double> makespan_min;
  std::optional<double> makespan_max;
  std::vector<MeasuredOperation> ops;
};
void describe(Fields& f, MeasuredCase& c);

const MeasuredOp& measured_op(const MeasuredOperation& operation);

/// The case as a workload on the machine's submission path "cuda_stream": every operation is a command list "op<index>"
/// of its own, signals its own fence, and the gate is a fence that the CPU signals at time 0. A measured queue with
/// both kernels and copies becomes a compute and a copy queue, chained by the fences. `pointer` is the case's place in
/// `file`, for errors (waits for operations that do not exist, or do not come earlier).
Workload workload_of(const MeasuredCase& measured, const MeasuredDevice& device, const std::string& file,
                     const std::string& pointer);
/// The makespan, and the operations' ends.
PlannedCase plan(const MeasuredCase& measured, const MeasuredDevice& device, const std::string& file,
                 const std::string& pointer);

}  // namespace fenceline
