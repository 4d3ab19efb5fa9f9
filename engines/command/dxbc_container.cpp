// SPDX-License-Identifier: Apache-2.0
#include "engines/command/dxbc_container.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

// Offsets of the header.
constexpr std::uint64_t version_at = 20;
constexpr std::uint64_t size_at = 24;
constexpr std::uint64_t count_at = 28;
constexpr std::uint64_t table_at = 32;
constexpr std::uint64_t part_header_bytes = 8;  // tag and size

std::string bytes_text(std::uint64_t count) { return fmt::format("{} bytes", count); }

}  // namespace

std::uint32_t dxbc_number(std::string_view bytes, std::uint64_t offset) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i > 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[offset + i - 1]);
  return number;
}

const DxbcPart* DxbcContainer::part(std::string_view tag) const {
  const auto found = std::find_if(parts_.begin(), parts_.end(), [&](const DxbcPart& part) { return part.tag == tag; });
  return found == parts_.end() ? nullptr : &*found;
}

std::variant<DxbcContainer, DxbcError> parse_dxbc(std::string_view bytes) {
  if (bytes.size() < table_at) {
    return DxbcError{0, fmt::format("a DXBC container of at least {}", bytes_text(table_at)), bytes_text(bytes.size())};
  }
  if (bytes.substr(0, 4) != "DXBC") return DxbcError{0, "a DXBC container", "another tag"};
  const std::uint32_t version = dxbc_number(bytes, version_at);
  if (version != 1) return DxbcError{version_at, "version 1", fmt::format("{}", version)};
  const std::uint32_t size = dxbc_number(bytes, size_at);
  if (size != bytes.size()) {
    return DxbcError{size_at, fmt::format("the container's size, {}", bytes_text(bytes.size())), bytes_text(size)};
  }
  const std::uint64_t count = dxbc_number(bytes, count_at);
  const std::uint64_t first_part = table_at + 4 * count;
  if (first_part > bytes.size()) {
    return DxbcError{count_at, fmt::format("at most the {} parts whose table fits", (bytes.size() - table_at) / 4),
                     fmt::format("{}", count)};
  }
  DxbcContainer container;
  container.parts_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t entry = table_at + 4 * i;
    const std::uint64_t at = dxbc_number(bytes, entry);
    if (at < first_part || at + part_header_bytes > bytes.size()) {
      return DxbcError{entry, fmt::format("an offset from {} to {}", first_part, bytes.size() - part_header_bytes),
                       fmt::format("{}", at)};
    }
    const std::uint64_t part_bytes = dxbc_number(bytes, at + 4);
    const std::uint64_t left = bytes.size() - at - part_header_bytes;
    if (part_bytes > left) {
      return DxbcError{at + 4, fmt::format("a part of at most {}", bytes_text(left)), bytes_text(part_bytes)};
    }
    const std::uint64_t content = at + part_header_bytes;
    container.parts_.push_back({bytes.substr(at, 4), content, bytes.substr(content, part_bytes)});
  }
  return container;
}

}  // namespace fenceline
