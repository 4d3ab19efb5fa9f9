// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "sim/config_error.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fenceline {

/// One operation of the GPU, as a Kineto trace (PyTorch's profiler, Chrome trace events) says it: a complete event
/// (ph "X") of category kernel, gpu_memcpy or gpu_memset.
struct KinetoOp {
  enum class Kind : std::uint8_t { kernel, copy, fill };
  Kind kind = Kind::kernel;
  CopyRoute route = CopyRoute::device_to_device;  ///< of a copy
  std::uint32_t name = 0;                         ///< index into KinetoTrace::names
  std::uint32_t device = 0;
  std::uint32_t context = 0;
  std::uint64_t stream = 0;
  std::uint64_t correlation = 0;  ///< of the API call that launched it; 0: unknown
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t x = 1;  ///< grid
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  std::uint32_t threads = 1;  ///< of a block
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  ///< static and dynamic
  std::uint64_t bytes = 0;         ///< of a copy or fill
  bool has_size = true;            ///< false: grid and block, or bytes, are not in the trace (assume_sizes)
  std::uint64_t event = 0;         ///< index of the event in the trace, for errors

  std::uint64_t groups() const { return std::uint64_t{x} * y * z; }
};

/// An event of category cuda_sync, or a cudaStreamWaitEvent that says as much: what was launched on `stream` after the
/// call waits for what was launched on `wait_on_stream` before the event was recorded.
struct KinetoWait {
  static constexpr std::uint64_t any_context = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t context = any_context;  ///< CUDA context of both streams
  std::uint64_t stream = 0;
  std::uint64_t correlation = 0;  ///< of the waiting call
  std::uint64_t wait_on_stream = 0;
  std::uint64_t record_correlation = 0;  ///< of the call that recorded the event
};

/// The GPU's work in a trace. Everything else in it has been read over.
struct KinetoTrace {
  std::string file;
  std::vector<std::string> names;  ///< of kernels, each once
  std::vector<KinetoOp> ops;       ///< in the order of the file
  std::vector<KinetoWait> waits;   ///< in the order of the file
  std::string pointer_prefix;      ///< of events: "/traceEvents", or empty where the file is a bare array

  /// An error at a member of an operation's event.
  ConfigError error(const KinetoOp& op, const std::string& member, const std::string& expected,
                    const std::string& found) const;
};

}  // namespace fenceline
