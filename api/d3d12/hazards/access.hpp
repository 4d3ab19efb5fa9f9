// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/byte_region.hpp"
#include "api/d3d12/bytes/heap_memory.hpp"
#include "api/d3d12/d3d12.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace fenceline::d3d12 {

/// A resource, a query heap, or memory of which no more than its address is known, to those that talk of accesses.
/// Outlives what it stands for; two are the same when they are the same object.
struct AccessedResource {
  enum class Kind : std::uint8_t { buffer, texture, query_heap, memory };
  Kind kind;
  std::weak_ptr<HeapMemory> memory;
  std::uint64_t offset = 0;  ///< in bytes, from the memory's start
  std::uint64_t bytes = 0;
  D3D12_RESOURCE_DESC desc{};  ///< of buffers and textures
};
using AccessedResourcePtr = std::shared_ptr<const AccessedResource>;

/// "buffer "ring"", "texture of 64 x 4 texels".
std::string describe(const AccessedResource& resource, const std::string& name);

/// Part of a resource.
struct AccessedPart {
  AccessedResourcePtr resource;
  std::string name;   ///< the program's for it; empty: none
  ByteRegion region;  ///< of its memory
  std::uint32_t first_subresource = 0;
  std::uint32_t subresources = 1;
};

/// A command that certainly reads or writes part of a resource.
struct Access {
  AccessedPart part;
  bool writes = false;
  const char* command = "";  ///< D3D12's name for it
};

/// An access that has taken place.
struct TimedAccess {
  const Access& access;
  ByteRegion region;       ///< of the part what was touched
  std::uint64_t start_ps;  ///< within which time
  std::uint64_t end_ps;
};

}  // namespace fenceline::d3d12
