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
/// (ph "X") of category kernel, gpu_memcpy or gpu_memset. Other profilers' rows become the same.
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
  std::uint64_t event = 0;         ///< index of the event in the trace, or of the row in its table, for errors
  std::uint32_t table = 0;         ///< index into KinetoTrace::tables, for errors
  std::uint32_t region = 0;        ///< index into KinetoTrace::regions

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

/// A range of the program in which launches lie, inside of other such ranges.
struct KinetoRegion {
  std::uint32_t outer = 0;  ///< the range around it: an earlier one of KinetoTrace::regions; 0: none
  std::string name;
};

/// How errors name what they find wrong with an operation: JSON Pointers behind its event or row.
struct KinetoPointers {
  const char* device = "/args/device";
  const char* start = "/ts";
  const char* launch = "/args";  ///< all that it says of its launch
  const char* grid = "/args/grid";
};

/// The GPU's work in a trace. Everything else in it has been read over.
struct KinetoTrace {
  std::string file;
  std::vector<std::string> names;        ///< of kernels, each once
  std::vector<KinetoOp> ops;             ///< in the order of the file
  std::vector<KinetoWait> waits;         ///< in the order of the file
  std::string pointer_prefix;            ///< of events: "/traceEvents", or empty where the file is a bare array
  std::vector<std::string> tables = {};  ///< of a database, in place of pointer_prefix: "/CUPTI_ACTIVITY_KIND_KERNEL"
  KinetoPointers pointers = {};
  std::vector<KinetoRegion> regions = {};  ///< the first stands for none; empty: there are none
  std::uint64_t ranges = 0;                ///< of the program that the file has
  std::uint64_t ranges_around = 0;         ///< those of them in which launches lie
  std::uint64_t whole_graphs = 0;          ///< launches of graphs that are one operation of unknown size each

  /// An error at a member of an operation's event or row.
  ConfigError error(const KinetoOp& op, const std::string& member, const std::string& expected,
                    const std::string& found) const;
};

}  // namespace fenceline
