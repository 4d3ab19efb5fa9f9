// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/measured_device.hpp"
#include "api/validation/measured_frames.hpp"
#include "api/validation/measured_graphics.hpp"
#include "api/validation/measured_microbenchmarks.hpp"
#include "api/validation/measured_overlap.hpp"
#include "api/validation/measured_preemption.hpp"
#include "api/validation/measured_queues.hpp"
#include "api/workload/kineto_trace.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// Everything that a file of measurements may hold, in any choice of keys and rows; bench/hardware/README.md says how
/// each was measured.
struct MeasuredFile {
  std::string path;  ///< for errors and tables
  std::string source;
  MeasuredDevice device;
  std::vector<MeasuredCase> workloads;
  std::vector<MeasuredFrame> graphics_workloads;
  std::vector<MeasuredCopyTime> copies_us;
  MeasuredMicrobenchmarks microbenchmarks;
  MeasuredGraphics graphics;
  MeasuredOverlaps overlaps;
  MeasuredPreemption preemption;
  std::optional<MeasuredSpread> decode_alone_us;
  std::optional<MeasuredSpread> train_alone_us;
  /// Traces in the same directory with steps of these times.
  std::shared_ptr<const KinetoTrace> decode_trace;
  std::shared_ptr<const KinetoTrace> train_trace;
  std::shared_ptr<const KinetoTrace> trace;  ///< the file is itself a Kineto trace

  /// `copies_us` stands in files of CUDA and of Vulkan alike: it is Vulkan's beside other keys of Vulkan's.
  bool copies_of_vulkan() const;
};
void describe(Fields& f, MeasuredFile& c);

/// The document has a key of measured rows.
bool is_measured(const nlohmann::json& document);
/// The file is a Kineto trace or a text table of measurements, which are no documents for `measured_file`.
bool is_measured_text(const std::filesystem::path& path);
/// Throws ConfigError for what is no measured file.
MeasuredFile measured_file(const nlohmann::json& document, const std::string& path);
/// Looks for the traces of measured steps in the file's directory.
void find_traces(MeasuredFile& file);
/// Reads a JSON file, a Kineto trace (with the key "traceEvents"), or a text table whose first line is "kernel_time avg
/// p50 p90 p99", with the traces that it needs.
MeasuredFile load_measured(const std::filesystem::path& path);

/// The path itself, or, for a directory, the files below it that end in .json or .dat, in the order of their names.
std::vector<std::filesystem::path> measured_paths(const std::filesystem::path& path);

}  // namespace fenceline
