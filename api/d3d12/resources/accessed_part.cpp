// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/accessed_part.hpp"

#include "api/d3d12/resources/query_heap.hpp"
#include "api/d3d12/resources/resource.hpp"

namespace fenceline::d3d12 {
namespace {

AccessedPart part(const Resource& resource, const ByteRegion& region, std::uint32_t first, std::uint32_t count) {
  return {resource.accessed(), resource.name(), region, first, count};
}

}  // namespace

AccessedPart buffer_part(const Resource& buffer, std::uint64_t first_byte, std::uint64_t bytes) {
  return part(buffer, region_of(buffer.at(first_byte).offset, bytes), 0, 1);
}

AccessedPart texel_part(const Resource& resource, const TexelGrid& grid, const D3D12_BOX& box,
                        std::uint32_t subresource) {
  return part(resource, region_of(grid, box, resource.at(0).offset), subresource, 1);
}

AccessedPart subresource_part(const Resource& texture, std::uint32_t first, std::uint32_t count) {
  const auto& layouts = texture.layout().subresources();
  const std::uint64_t begin = layouts[first].offset;
  const SubresourceLayout& last = layouts[first + count - 1];
  return part(texture, region_of(texture.at(begin).offset, last.offset + last.bytes - begin), first, count);
}

AccessedPart whole_part(const Resource& resource) {
  if (resource.is_buffer()) return buffer_part(resource, 0, resource.bytes());
  return subresource_part(resource, 0, static_cast<std::uint32_t>(resource.layout().subresources().size()));
}

AccessedPart query_part(const QueryHeap& heap, std::uint32_t first, std::uint32_t count) {
  const std::uint64_t bytes = std::uint64_t{count} * QueryHeap::result_bytes(heap.desc().Type);
  return {heap.accessed(), heap.name(), region_of(heap.at(first).offset, bytes)};
}

AccessedPart memory_part(const std::shared_ptr<HeapMemory>& memory, std::uint64_t offset, std::uint64_t bytes) {
  AccessedResource resource{AccessedResource::Kind::memory, memory, 0, memory->bytes()};
  return {std::make_shared<AccessedResource>(std::move(resource)), {}, region_of(offset, bytes)};
}

}  // namespace fenceline::d3d12
