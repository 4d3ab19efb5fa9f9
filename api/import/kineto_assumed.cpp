// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_assumed.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace fenceline {
namespace {

/// How many the machine moves in the measured time.
std::uint64_t bytes_in(const KinetoOp& op, LoneCommands& lone) {
  const auto measured_ps = static_cast<double>(op.end_ns - op.start_ns) * 1e3;
  const auto duration_ps = [&](std::uint64_t bytes) {
    return static_cast<double>(op.kind == KinetoOp::Kind::copy ? lone.duration_ps(CopyBuffer{op.route, bytes})
                                                               : lone.duration_ps(Clear{bytes}));
  };
  // A copy twice as large takes nearly twice as long, the more so the larger it is: each step is closer.
  constexpr int steps = 8;
  constexpr double first_bytes = 1 << 20;
  constexpr double most_bytes = 1e15;
  double bytes = first_bytes;
  for (int step = 0; step < steps; ++step) {
    bytes = std::clamp(bytes * measured_ps / std::max(1.0, duration_ps(static_cast<std::uint64_t>(bytes))), 1.0,
                       most_bytes);
  }
  return static_cast<std::uint64_t>(bytes);
}

bool concatenates(const std::string& kernel) { return kernel.find("CatArrayBatchedCopy") != std::string::npos; }

}  // namespace

KinetoAssumed assume_sizes(KinetoTrace& trace, const MachineConfig& machine, LoneCommands& lone) {
  KinetoAssumed assumed;
  for (KinetoOp& op : trace.ops) {
    if (op.kind == KinetoOp::Kind::kernel && op.y > 1 && concatenates(trace.names[op.name])) {
      op.y = 1;
      ++assumed.concatenations;
    }
    if (op.has_size) continue;
    if (op.kind == KinetoOp::Kind::kernel) {
      op.threads = std::min(assumed_block_threads, machine.shader_array.threads_per_sm);
      const GroupFootprint footprint = {op.threads, op.registers_per_thread, op.shared_bytes};
      op.x = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, lone.capacity(footprint)));
      op.y = op.z = 1;
      ++assumed.kernels;
    } else {
      op.bytes = bytes_in(op, lone);
      ++assumed.copies;
    }
  }
  return assumed;
}

}  // namespace fenceline
