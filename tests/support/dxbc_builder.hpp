// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

inline std::string number(std::uint32_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xFF));
  return bytes;
}

inline void put_number(std::string& bytes, std::size_t offset, std::uint32_t value) {
  bytes.replace(offset, 4, number(value));
}

inline std::string numbers(const std::vector<std::uint32_t>& values) {
  std::string bytes;
  for (const std::uint32_t value : values) bytes += number(value);
  return bytes;
}

/// A container of these parts (tag, bytes).
inline std::string dxbc(const std::vector<std::pair<std::string, std::string>>& parts, char hash = '\1') {
  const std::size_t table = 32;
  std::string offsets;
  std::string content;
  for (const auto& [tag, bytes] : parts) {
    offsets += number(static_cast<std::uint32_t>(table + 4 * parts.size() + content.size()));
    content += tag;
    content += number(static_cast<std::uint32_t>(bytes.size()));
    content += bytes;
  }
  const std::size_t size = table + offsets.size() + content.size();
  return "DXBC" + std::string(16, hash) + number(1) + number(static_cast<std::uint32_t>(size)) +
         number(static_cast<std::uint32_t>(parts.size())) + offsets + content;
}

}  // namespace fenceline::testing
