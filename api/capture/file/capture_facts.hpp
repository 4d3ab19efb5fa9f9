// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// A section of a capture that was read.
struct SectionFacts {
  std::string type;
  std::uint64_t offset = 0;  ///< of its header
  bool is_compressed = false;
  std::uint64_t stored_bytes = 0;  ///< of its payload
  std::uint64_t full_bytes = 0;    ///< of its payload
};

/// Bytes by name that a capture holds, in one or more sections.
struct BlobFacts {
  std::string name;
  std::uint64_t bytes = 0;
};

/// What a capture says of itself.
struct CaptureFacts {
  std::uint16_t minor = 0;  ///< of its version
  std::vector<SectionFacts> sections;
  std::vector<BlobFacts> blobs;  ///< in the order in which they begin
  nlohmann::json machine;        ///< that it was taken on, with all values; null: not said
  std::string cut_off;           ///< one line: where it ends too early, and what is read; empty: it is whole
};

/// A capture that was read.
struct Capture {
  nlohmann::json workload;  ///< as a workload file's document
  CaptureFacts facts;
};

}  // namespace fenceline
