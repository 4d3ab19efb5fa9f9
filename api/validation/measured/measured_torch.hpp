// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"
#include "api/validation/measured/measured_preemption.hpp"
#include "sim/config/described.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fenceline {

// Two PyTorch jobs in two streams of one process: the keys "torch_jobs" and "torch_pairs", as in
// bench/hardware/h100/torch_mixes.json. A step's time is that between two events around it on its stream.

/// A job: its steps alone, and a Kineto trace of some.
struct MeasuredTorchJob {
  std::string job;
  std::string trace_file;   ///< relative to the measured file
  MeasuredSpread asked_us;  ///< of a step that is asked for, waited for, and followed by a sleep
  MeasuredSpread kept_us;   ///< of steps of which two are always enqueued

  std::shared_ptr<const KinetoTrace> trace;
};
void describe(Fields& f, MeasuredTorchJob& c);

/// The priority of the asked job's stream among those of the process; the other's is normal.
enum class TorchPriority : std::uint8_t { equal, high };
constexpr EnumNames<TorchPriority, 2> enum_names(TorchPriority) {
  return {{{TorchPriority::equal, "equal"}, {TorchPriority::high, "high"}}};
}

/// Two jobs at once: single steps of one are asked for while the other is kept going.
struct MeasuredTorchPair {
  std::string asked;
  std::string kept;
  TorchPriority priority = TorchPriority::equal;
  bool kept_out = false;  ///< of what the model was fitted to
  MeasuredSpread asked_us;
  MeasuredSpread kept_us;
};
void describe(Fields& f, MeasuredTorchPair& c);

struct MeasuredTorch {
  std::vector<MeasuredTorchJob> jobs;
  std::vector<MeasuredTorchPair> pairs;
};
void describe_keys(Fields& f, MeasuredTorch& c);

/// Reads the jobs' traces, which lie where `file` says. Throws ConfigError for one that is missing or is none, and for
/// a pair whose job is not among them.
void read_traces(MeasuredTorch& torch, const std::string& file);

}  // namespace fenceline
