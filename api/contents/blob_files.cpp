// SPDX-License-Identifier: Apache-2.0
#include "api/contents/blob_files.hpp"

#include "api/capture/file/read_capture.hpp"
#include "sim/config_error.hpp"
#include "sim/files/input_file.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

namespace fs = std::filesystem;

/// A file beside the workload, byte for byte; null: there is none.
SharedBytes read_beside(const fs::path& file, std::uint64_t limit) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return nullptr;
  if (!fs::is_regular_file(status)) throw ConfigError(file.string(), "", "a regular file", "something else");
  const std::uint64_t size = fs::file_size(file, error);
  if (error) throw ConfigError(file.string(), "", "a file that can be read", error.message());
  if (size > limit) {
    throw ConfigError(file.string(), "", fmt::format("at most the {} bytes of its resource", limit),
                      fmt::format("{}", size));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  note_read(file);
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream || static_cast<std::uint64_t>(stream.gcount()) != size) {
    throw ConfigError(file.string(), "", fmt::format("{} bytes that can be read", size), "fewer");
  }
  return std::make_shared<const ByteSource>(std::move(bytes));
}

}  // namespace

std::map<std::string, SharedBytes> read_blobs(const BlobPlace& place, const BlobLimits& limits) {
  std::map<std::string, SharedBytes> blobs;
  if (limits.empty()) return blobs;
  if (!place.is_capture) {
    for (const auto& [name, limit] : limits) {
      if (SharedBytes bytes = read_beside(place.file.parent_path() / name, limit)) blobs[name] = std::move(bytes);
    }
    return blobs;
  }
  auto found = place.bytes.empty() ? read_capture_blobs(place.file, limits)
                                   : read_capture_blobs(place.bytes, "standard input", limits);
  for (auto& [name, bytes] : found) blobs[name] = std::make_shared<const ByteSource>(std::move(bytes));
  return blobs;
}

}  // namespace fenceline
