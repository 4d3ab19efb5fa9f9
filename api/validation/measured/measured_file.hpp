// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"
#include "api/validation/measured/measured_device.hpp"
#include "api/validation/measured/measured_frames.hpp"
#include "api/validation/measured/measured_graphics.hpp"
#include "api/validation/measured/measured_microbenchmarks.hpp"
#include "api/validation/measured/measured_overlap.hpp"
#include "api/validation/measured/measured_preemption.hpp"
#include "api/validation/measured/measured_published.hpp"
#include "api/validation/measured/measured_queues.hpp"
#include "api/validation/measured/measured_torch.hpp"

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
  MeasuredTorch torch;
  std::vector<PublishedFigure> published;
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

}  // namespace fenceline
