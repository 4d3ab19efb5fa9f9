// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/hazards/access.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

std::string kind_of(const AccessedResource& resource) {
  const D3D12_RESOURCE_DESC& desc = resource.desc;
  switch (resource.kind) {
    case AccessedResource::Kind::buffer: return fmt::format("buffer of {} bytes", resource.bytes);
    case AccessedResource::Kind::query_heap: return fmt::format("query heap of {} bytes", resource.bytes);
    case AccessedResource::Kind::memory: return "memory";
    case AccessedResource::Kind::texture: break;
  }
  switch (desc.Dimension) {
    case D3D12_RESOURCE_DIMENSION_TEXTURE1D: return fmt::format("texture of {} texels", desc.Width);
    case D3D12_RESOURCE_DIMENSION_TEXTURE3D:
      return fmt::format("texture of {} x {} x {} texels", desc.Width, desc.Height, desc.DepthOrArraySize);
    default: return fmt::format("texture of {} x {} texels", desc.Width, desc.Height);
  }
}

const char* word_for(AccessedResource::Kind kind) {
  switch (kind) {
    case AccessedResource::Kind::buffer: return "buffer";
    case AccessedResource::Kind::texture: return "texture";
    case AccessedResource::Kind::query_heap: return "query heap";
    case AccessedResource::Kind::memory: break;
  }
  return "memory";
}

}  // namespace

std::string describe(const AccessedResource& resource, const std::string& name) {
  if (name.empty()) return "an unnamed " + kind_of(resource);
  return fmt::format("{} \"{}\"", word_for(resource.kind), name);
}

}  // namespace fenceline::d3d12
