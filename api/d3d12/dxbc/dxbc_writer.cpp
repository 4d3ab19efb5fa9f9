// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxbc/dxbc_writer.hpp"

#include "api/d3d12/dxbc/blob_writer.hpp"
#include "api/d3d12/dxbc/dxbc_hash.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

std::string write_dxbc(const std::vector<std::pair<std::string_view, std::string>>& parts) {
  constexpr std::size_t header_bytes = 32;  // tag, hash, version, size, count of parts
  constexpr std::size_t hash_at = 4;
  BlobWriter offsets;
  std::string content;
  for (const auto& [tag, bytes] : parts) {
    offsets << static_cast<std::uint32_t>(header_bytes + 4 * parts.size() + content.size());
    BlobWriter size;
    size << static_cast<std::uint32_t>(bytes.size());
    content.append(tag).append(size.bytes()).append(bytes);
  }
  const std::size_t all = header_bytes + offsets.bytes().size() + content.size();
  BlobWriter head;
  head << 0U << 0U << 0U << 0U << 1U << static_cast<std::uint32_t>(all) << static_cast<std::uint32_t>(parts.size());
  std::string container = "DXBC" + head.bytes() + offsets.bytes() + content;
  BlobWriter hash;
  for (const std::uint32_t number : dxbc_hash(container)) hash << number;
  return container.replace(hash_at, hash.bytes().size(), hash.bytes());
}

}  // namespace fenceline::d3d12
