// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/allocation.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace fenceline {

/// D3D12_HEAP_TYPE: default is video memory, upload and readback are system memory.
enum class HeapType : std::uint8_t { default_heap, upload, readback };
constexpr EnumNames<HeapType, 3> enum_names(HeapType) {
  return {{{HeapType::default_heap, "default"}, {HeapType::upload, "upload"}, {HeapType::readback, "readback"}}};
}

/// ID3D12Device's CreateCommittedResource of a buffer.
struct BufferResource {
  static constexpr const char* type_name = "buffer";
  std::string name;
  HeapType heap = HeapType::default_heap;
  std::uint64_t bytes = 0;
  bool written = true;               ///< in video memory: false: its copy in system memory stays good
  bool create_not_resident = false;  ///< in video memory: D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT
  bool fill = false;                 ///< in video memory: made without content, cleared when first needed
  std::uint32_t residency_priority = normal_residency_priority;  ///< in video memory: who makes room first
};
/// ID3D12Device's CreateCommittedResource of a texture, in video memory.
struct TextureResource {
  static constexpr const char* type_name = "texture";
  std::string name;
  std::uint32_t width = 1;   ///< texels
  std::uint32_t height = 1;  ///< texels
  std::uint32_t depth = 1;   ///< slices
  std::uint32_t bytes_per_texel = 4;
  std::uint32_t samples = 1;         ///< of a texel
  bool written = true;               ///< in video memory: false: its copy in system memory stays good
  bool create_not_resident = false;  ///< in video memory: D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT
  bool fill = false;                 ///< in video memory: made without content, cleared when first needed
  std::uint32_t residency_priority = normal_residency_priority;  ///< in video memory: who makes room first
};
using Resource = std::variant<BufferResource, TextureResource>;
void describe(Fields& f, BufferResource& c);
void describe(Fields& f, TextureResource& c);

}  // namespace fenceline
