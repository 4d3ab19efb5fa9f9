// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// Bytes by name that go into a capture.
struct PackedBlob {
  std::string name;
  std::string_view bytes;
};

/// Writes a workload's document as a whole capture, with the machine that it runs on, or null, and the blobs that it
/// names, which come before the lists and steps that need them. Reading it gives the same document, whatever that is.
void pack_capture(const nlohmann::json& workload, const nlohmann::json& machine, OutputFile& file,
                  const std::vector<PackedBlob>& blobs = {});

/// The document with empty arrays in place of its command lists and of the steps of its timelines.
nlohmann::json without_lists_and_steps(const nlohmann::json& workload);

}  // namespace fenceline
