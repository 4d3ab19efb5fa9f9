// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_writer.hpp"
#include "api/capture/file/pack_capture.hpp"
#include "api/workload/play/step_listener.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

class OutputFile;

/// Captures a workload as it is played: the same things in the same words, each list when it is executed first, and the
/// steps that were gone through, repeats unrolled. What is never executed is not in it.
class WorkloadCapture final : public StepListener {
 public:
  /// The workload's document, without names of shader code, that of the machine, and the bytes that contents name. The
  /// file outlives this.
  WorkloadCapture(OutputFile& file, nlohmann::json workload, const nlohmann::json& machine,
                  const std::vector<PackedBlob>& blobs);

  /// The capture is whole; the file is not closed.
  void finish();

  void queue_begins(std::size_t queue, const TimelineCursor& at) override;
  void thread_begins(std::size_t thread, const TimelineCursor& at, std::uint64_t at_ps) override;

 private:
  void add(CaptureWriter::Timeline timeline, std::size_t index, const TimelineCursor& at);
  void add_list(const std::string& name);
  void add_bundles(const nlohmann::json& commands);

  const nlohmann::json workload_;
  CaptureWriter writer_;
  std::map<std::string, const nlohmann::json*> lists_;  // that are not in the capture yet, by name
  std::uint64_t flushes_ = 0;
};

}  // namespace fenceline
