// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/hazards/access.hpp"

#include <cstdint>
#include <memory>

namespace fenceline::d3d12 {

class QueryHeap;
class Resource;

// Parts of resources that commands access. Without a resource that is watched they have none.

AccessedPart buffer_part(const Resource& buffer, std::uint64_t first_byte, std::uint64_t bytes);
/// A box of one subresource; or of the footprint that `grid` is, of a buffer.
AccessedPart texel_part(const Resource& resource, const TexelGrid& grid, const D3D12_BOX& box,
                        std::uint32_t subresource);
/// Whole subresources whose indices follow on each other.
AccessedPart subresource_part(const Resource& texture, std::uint32_t first, std::uint32_t count);
AccessedPart whole_part(const Resource& resource);
AccessedPart query_part(const QueryHeap& heap, std::uint32_t first, std::uint32_t count);
/// What lies there nobody says.
AccessedPart memory_part(const std::shared_ptr<HeapMemory>& memory, std::uint64_t offset, std::uint64_t bytes);

}  // namespace fenceline::d3d12
