// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace fenceline::d3d12 {

/// Puts numbers behind each other, little-endian, on every machine the same.
class BlobWriter {
 public:
  BlobWriter& operator<<(std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes_.push_back(static_cast<char>(value >> shift & 0xFF));
    return *this;
  }
  BlobWriter& operator<<(std::uint64_t value) {
    return *this << static_cast<std::uint32_t>(value) << static_cast<std::uint32_t>(value >> 32);
  }
  BlobWriter& operator<<(std::int32_t value) { return *this << static_cast<std::uint32_t>(value); }
  BlobWriter& operator<<(bool value) { return *this << std::uint32_t{value}; }
  BlobWriter& operator<<(float value) {
    std::uint32_t number = 0;
    std::memcpy(&number, &value, sizeof number);
    return *this << number;
  }
  /// The count of bytes, and they.
  BlobWriter& operator<<(std::string_view text) {
    *this << static_cast<std::uint32_t>(text.size());
    bytes_ += text;
    return *this;
  }
  template <class Enum, class = std::enable_if_t<std::is_enum_v<Enum>>>
  BlobWriter& operator<<(Enum value) {
    return *this << static_cast<std::uint32_t>(value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace fenceline::d3d12
