// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/allocation.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fenceline {

class ByteSource;

/// D3D12_HEAP_TYPE: default is video memory, upload and readback are system memory.
enum class HeapType : std::uint8_t { default_heap, upload, readback };
constexpr EnumNames<HeapType, 3> enum_names(HeapType) {
  return {{{HeapType::default_heap, "default"}, {HeapType::upload, "upload"}, {HeapType::readback, "readback"}}};
}

/// Bytes of a resource, said in one of three ways (docs/contents.md).
struct ContentInfo {
  std::optional<std::uint32_t> fill;             ///< each byte
  std::string base64;                            ///< the bytes themselves; empty: not so
  std::string blob;                              ///< name of a file beside the workload, or of a capture's blob
  std::shared_ptr<const ByteSource> bytes = {};  ///< what they are, once a blob was read; a program may set them alone
};
void describe(Fields& f, ContentInfo& c);
/// It is the name of a file, and no way to another folder.
bool is_blob_name(const std::string& name);

/// ID3D12Device's CreateCommittedResource of a buffer.
struct BufferResource {
  static constexpr const char* type_name = "buffer";
  std::string name;
  HeapType heap = HeapType::default_heap;
  std::uint64_t bytes = 0;
  bool written = true;               ///< in video memory: false: its copy in system memory stays good
  bool create_not_resident = false;  ///< in video memory: D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT
  bool fill = false;                 ///< in video memory: made without content, cleared when first needed
  std::uint32_t paging_hangs = 0;    ///< in video memory: so many of its moves never end, from the first on
  std::uint32_t residency_priority = normal_residency_priority;  ///< in video memory: who makes room first
  std::optional<ContentInfo> content = {};                       ///< at the start; unset: zeros, if anybody asks
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
  std::uint32_t paging_hangs = 0;    ///< in video memory: so many of its moves never end, from the first on
  std::uint32_t residency_priority = normal_residency_priority;  ///< in video memory: who makes room first
  std::optional<ContentInfo> content = {};                       ///< at the start; unset: zeros, if anybody asks
};
/// Bytes of a memory at the start, from `offset` on.
struct ContentPiece {
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> bytes = {};  ///< of a fill; else the content says them
  ContentInfo content;
};
/// Memory of a captured program: a heap's or a committed resource's bytes, which take no place on the machine.
struct MemoryResource {
  static constexpr const char* type_name = "memory";
  std::string name;
  HeapType heap = HeapType::default_heap;
  std::uint64_t bytes = 0;
  std::vector<ContentPiece> pieces;  ///< at the start; zeros in between
};
using Resource = std::variant<BufferResource, TextureResource, MemoryResource>;
void describe(Fields& f, BufferResource& c);
void describe(Fields& f, TextureResource& c);
void describe(Fields& f, ContentPiece& c);
void describe(Fields& f, MemoryResource& c);
/// It contains something at the start.
bool has_content(const Resource& resource);

}  // namespace fenceline
