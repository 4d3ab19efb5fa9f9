// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/pack_capture.hpp"
#include "api/contents/content_bytes.hpp"

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>
#include <vector>

namespace fenceline {

/// A content of a workload that is a blob's.
struct BlobContent {
  ContentInfo* content;
  ContentPlace place;
};

/// The blobs that a workload's contents, which were read, name: each content once, under the first of its names, by
/// which the document calls it from then on. They are as long as the contents.
std::vector<PackedBlob> packed_blobs(const std::vector<BlobContent>& contents, nlohmann::json& document);

/// The names of blobs that contents of a document name, be it a workload or not.
std::set<std::string> blobs_named_in(const nlohmann::json& document);

}  // namespace fenceline
