// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

// Rows that need preemption inside a packet or several processes: time_slicing.json, context_preemption.json,
// torch_mix.json and the tables of gv100.

/// Distribution of a measured time, microseconds.
struct MeasuredSpread {
  std::optional<std::uint64_t> n;
  std::optional<double> min;
  std::optional<double> p25;
  std::optional<double> p50;
  std::optional<double> p90;
  std::optional<double> p99;
  std::optional<double> max;
  std::optional<double> mean;
};
void describe(Fields& f, MeasuredSpread& c);

struct MeasuredSlicing {
  std::uint64_t blocks = 1;
  std::uint32_t threads = 1;
  std::uint32_t smem = 0;
  std::optional<bool> ok;
  std::vector<std::uint64_t> gaps;
  std::vector<double> slice_us;
  MeasuredSpread switch_us;
};
void describe(Fields& f, MeasuredSlicing& c);

struct MeasuredContextPreemption {
  std::uint32_t background_queue = 0;
  std::uint64_t loops = 0;
  std::uint64_t draws_or_dispatches = 0;
  std::uint64_t groups = 0;
  MeasuredSpread latency_us;
};
void describe(Fields& f, MeasuredContextPreemption& c);

/// A line of gv100's text tables "kernel_time avg p50 p90 p99".
struct MeasuredLevel {
  double kernel_time = 0;
  double avg = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
};
void describe(Fields& f, MeasuredLevel& c);

struct MeasuredPreemption {
  std::vector<MeasuredSlicing> time_slicing;
  std::vector<MeasuredContextPreemption> context_preemption;
  std::optional<MeasuredSpread> two_processes;
  std::vector<MeasuredLevel> kernel_time;
};
/// Adds the keys to those of a measured file.
void describe_keys(Fields& f, MeasuredPreemption& c);

}  // namespace fenceline
