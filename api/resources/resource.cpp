// SPDX-License-Identifier: Apache-2.0
#include "api/resources/resource.hpp"

#include "sim/config/fields.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace fenceline {
namespace {

template <class Described>
void describe_content(Fields& f, Described& c) {
  f.optional("content", c.content,
             "what it contains at the start: playing moves these bytes then (docs/contents.md); absent: zeros where "
             "another resource has content or a CPU thread writes, else nobody asks");
  f.check(!c.content || !c.fill, "no content beside fill, which creates it without", "both", "content");
}

template <class Described>
void describe_residency(Fields& f, Described& c) {
  f.optional(
      "written", c.written,
      "it is written to before it may have to leave video memory: its bytes are copied out then; false: its copy "
      "in system memory stays good");
  f.optional("create_not_resident", c.create_not_resident,
             "D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT: it takes no video memory before it is made resident");
  f.optional("fill", c.fill,
             "it is created without content and takes no video memory before it is first needed: then it is cleared "
             "there");
  f.optional("paging_hangs", c.paging_hangs,
             "fault injection: so many of its moves between system and video memory never end, from the first on "
             "(docs/recovery.md, rule 1a)",
             between(0, 1000));
  f.optional("residency_priority", c.residency_priority,
             "SetResidencyPriority: whoever has a lower one makes room first; D3D12_RESIDENCY_PRIORITY_NORMAL is "
             "2013265920");
}

}  // namespace

bool is_blob_name(const std::string& name) {
  constexpr std::size_t longest = 200;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  return !name.empty() && name.size() <= longest && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), is_plain);
}

void describe(Fields& f, ContentInfo& c) {
  f.about("bytes, said in one of three ways");
  f.optional("fill", c.fill, "each byte", between(0, 255));
  f.optional("base64", c.base64, "the bytes themselves, at most 65536 of them");
  f.optional("blob", c.blob,
             "name of a file beside the workload, or in a capture of its blob: letters, digits, '.', '_' and '-', not "
             "first a '.'");
  const int ways = (c.fill ? 1 : 0) + (c.base64.empty() ? 0 : 1) + (c.blob.empty() ? 0 : 1);
  f.check(ways == 1, "fill, base64 or blob", ways == 0 ? "none of them" : "more than one");
  f.check(c.blob.empty() || is_blob_name(c.blob), "letters, digits, '.', '_' and '-', not first a '.'", c.blob, "blob");
}

void describe(Fields& f, BufferResource& c) {
  f.required("name", c.name, "name of the resource");
  f.optional("heap", c.heap, "heap type: default is video memory, upload and readback are system memory");
  f.required("bytes", c.bytes, "size", between(1, 1e15));
  describe_residency(f, c);
  describe_content(f, c);
  const bool plain = c.written && !c.create_not_resident && !c.fill && c.paging_hangs == 0 &&
                     c.residency_priority == normal_residency_priority;
  f.check(c.heap == HeapType::default_heap || plain,
          "heap default beside written, create_not_resident, fill, paging_hangs and residency_priority", "another heap",
          "heap");
}

void describe(Fields& f, TextureResource& c) {
  f.required("name", c.name, "name of the resource");
  f.required("width", c.width, "texels", between(1, 16384));
  f.optional("height", c.height, "texels", between(1, 16384));
  f.optional("depth", c.depth, "slices", between(1, 2048));
  f.optional("bytes_per_texel", c.bytes_per_texel, "of the format", between(1, 16));
  f.optional("samples", c.samples, "of a texel: 1, 2, 4, 8, 16 or 32", between(1, 32));
  describe_residency(f, c);
  describe_content(f, c);
  f.check((c.samples & (c.samples - 1)) == 0, "a power of two", std::to_string(c.samples), "samples");
}

void describe(Fields& f, ContentPiece& c) {
  f.about("what a memory holds at the start from a byte on");
  f.optional("offset", c.offset, "of the first byte", between(0, 1e15));
  f.optional("bytes", c.bytes, "how many, with a fill", between(1, 1e15));
  f.required("content", c.content, "what they are");
  f.check(c.bytes.has_value() == c.content.fill.has_value(), "bytes beside a fill, and nowhere else",
          c.bytes ? "bytes that say how many they are" : "a fill alone", "bytes");
}

void describe(Fields& f, MemoryResource& c) {
  f.about("memory of a captured program: bytes that take no place on the machine, for `effects` and `write` alone");
  f.required("name", c.name, "name of the memory");
  f.optional("heap", c.heap, "heap type on which it lay: CPU threads write to any");
  f.required("bytes", c.bytes, "size", between(1, 1e15));
  f.optional("pieces", c.pieces, "what it holds at the start, in any order, without overlaps; zeros in between");
}

bool has_content(const Resource& resource) {
  if (const auto* const memory = std::get_if<MemoryResource>(&resource)) return !memory->pieces.empty();
  if (const auto* const buffer = std::get_if<BufferResource>(&resource)) return buffer->content.has_value();
  return std::get<TextureResource>(resource).content.has_value();
}

}  // namespace fenceline
