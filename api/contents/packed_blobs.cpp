// SPDX-License-Identifier: Apache-2.0
#include "api/contents/packed_blobs.hpp"

#include "api/capture/file/capture_format.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

namespace fenceline {

std::vector<PackedBlob> packed_blobs(const std::vector<BlobContent>& contents, nlohmann::json& document) {
  std::vector<PackedBlob> blobs;
  std::multimap<std::uint64_t, std::size_t> known;  // by their hash
  for (const BlobContent& one : contents) {
    const auto& bytes = one.content->bytes->bytes();
    const PackedBlob blob = {one.content->blob, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
    const std::uint64_t hash = capture_check(blob.bytes);
    const PackedBlob* same = nullptr;
    for (auto [at, end] = known.equal_range(hash); at != end && same == nullptr; ++at) {
      if (blobs[at->second].bytes == blob.bytes) same = &blobs[at->second];
    }
    if (same == nullptr) {
      known.emplace(hash, blobs.size());
      blobs.push_back(blob);
    } else if (same->name != blob.name) {
      document[nlohmann::json::json_pointer(one.place.pointer + "/blob")] = same->name;
    }
  }
  return blobs;
}

std::set<std::string> blobs_named_in(const nlohmann::json& document) {
  std::set<std::string> names;
  if (!document.is_structured()) return names;
  if (document.is_object() && document.contains("content")) {
    const nlohmann::json& content = document["content"];
    const auto blob = content.is_object() ? content.find("blob") : content.end();
    if (content.is_object() && blob != content.end() && blob->is_string()) names.insert(blob->get<std::string>());
  }
  for (const nlohmann::json& inner : document) names.merge(blobs_named_in(inner));
  return names;
}

}  // namespace fenceline
