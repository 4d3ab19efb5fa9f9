// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/values_header.hpp"

#include <array>
#include <chrono>
#include <cstddef>

namespace fenceline {

bool read_values_header(const CacheFile& values, CacheHeader& header) {
  std::array<std::byte, header_bytes> bytes{};
  return values.read(0, bytes.data(), bytes.size()) == bytes.size() && read_header(bytes.data(), "VAL", header);
}

bool write_values_header(CacheFile& values, const CacheHeader& header) {
  std::array<std::byte, header_bytes> bytes{};
  write_header(bytes.data(), "VAL", header);
  return values.write(0, bytes.data(), bytes.size());
}

std::uint64_t some_era() {
  return static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
}

}  // namespace fenceline
