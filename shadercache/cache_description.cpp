// SPDX-License-Identifier: Apache-2.0
#include "shadercache/cache_description.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace fenceline {
namespace {
// DirectX-Specs, ShaderCache.md: the defaults.
constexpr std::uint32_t default_memory_bytes = 1024;
constexpr std::uint32_t default_memory_entries = 128;
constexpr std::uint32_t default_file_bytes = 128U << 20;
}  // namespace

std::string CacheIdentifier::text() const {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

CacheDescription resolved(const CacheDescription& description) {
  CacheDescription result = description;
  if (result.memory_bytes == 0) result.memory_bytes = default_memory_bytes;
  if (result.memory_entries == 0) result.memory_entries = default_memory_entries;
  if (result.file_bytes == 0) result.file_bytes = default_file_bytes;
  return result;
}

std::string refusal_of(const CacheDescription& description) {
  if (description.identifier == CacheIdentifier{}) return "an identifier, found GUID_NULL";
  if (description.mode != CacheMode::memory && description.mode != CacheMode::disk) {
    return fmt::format("a mode of 0 or 1, found {}", static_cast<unsigned>(description.mode));
  }
  if (description.file_bytes > most_cache_file_bytes) {
    return fmt::format("a file of at most {} bytes, found {}", most_cache_file_bytes, description.file_bytes);
  }
  return {};
}

}  // namespace fenceline
