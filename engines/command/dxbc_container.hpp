// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fenceline {

/// What is wrong with a container, and where.
struct DxbcError {
  std::uint64_t offset = 0;  ///< in bytes from the container's start
  std::string expected;
  std::string found;
};

/// A part of a container: a tag of four characters and its bytes.
struct DxbcPart {
  std::string_view tag;
  std::uint64_t offset = 0;  ///< of its bytes in the container
  std::string_view bytes;
};

/// A little-endian 32-bit number; it must lie within the bytes.
std::uint32_t dxbc_number(std::string_view bytes, std::uint64_t offset);

/// The parts of compiled shader code as D3D12 takes it: "DXBC", 16 bytes of hash, version 1, size, a table of parts.
/// The DirectX Shader Compiler puts DXIL into the same container. Refers to the bytes it was parsed from.
class DxbcContainer {
 public:
  const std::vector<DxbcPart>& parts() const { return parts_; }
  /// The first part of that tag, or null.
  const DxbcPart* part(std::string_view tag) const;

 private:
  friend std::variant<DxbcContainer, DxbcError> parse_dxbc(std::string_view bytes);
  std::vector<DxbcPart> parts_;
};

/// Reads the table of parts, each checked to lie within the bytes; what is in them is not looked at.
std::variant<DxbcContainer, DxbcError> parse_dxbc(std::string_view bytes);

}  // namespace fenceline
