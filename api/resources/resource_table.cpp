// SPDX-License-Identifier: Apache-2.0
#include "api/resources/resource_table.hpp"

#include <fmt/format.h>

namespace fenceline {
namespace {

using Kind = ResourceInfo::Kind;

ResourceInfo info_of(const BufferResource& buffer) { return {buffer.name, Kind::buffer, buffer.heap, buffer.bytes}; }
ResourceInfo info_of(const MemoryResource& memory) { return {memory.name, Kind::memory, memory.heap, memory.bytes}; }
ResourceInfo info_of(const TextureResource& texture) {
  const std::uint64_t row_bytes = std::uint64_t{texture.width} * texture.bytes_per_texel * texture.samples;
  const std::uint64_t rows = std::uint64_t{texture.height} * texture.depth;
  return {texture.name, Kind::texture, HeapType::default_heap,  row_bytes * rows,
          row_bytes,    rows,          texture.bytes_per_texel, texture.samples};
}

std::vector<ResourceInfo> infos_of(const std::vector<Resource>& resources) {
  std::vector<ResourceInfo> infos;
  infos.reserve(resources.size());
  std::uint32_t allocations = 0;
  for (const Resource& resource : resources) {
    infos.push_back(std::visit([](const auto& of_kind) { return info_of(of_kind); }, resource));
    if (infos.back().heap == HeapType::default_heap && infos.back().kind != Kind::memory)
      infos.back().allocation = allocations++;
  }
  return infos;
}

}  // namespace

CopyRoute route_between(const ResourceInfo& source, const ResourceInfo& destination) {
  const bool from_device = source.heap == HeapType::default_heap;
  const bool to_device = destination.heap == HeapType::default_heap;
  if (from_device) return to_device ? CopyRoute::device_to_device : CopyRoute::device_to_host;
  return to_device ? CopyRoute::host_to_device : CopyRoute::host_to_host;
}

ResourceTable::ResourceTable(const std::vector<Resource>& resources, const std::string& file)
    : file_(file), infos_(infos_of(resources)), names_(file, "resources", infos_) {}

const ResourceInfo& ResourceTable::any(const std::string& name, const std::string& pointer) const {
  return infos_[names_.index(name, pointer)];
}

std::uint32_t ResourceTable::index(const std::string& name, const std::string& pointer) const {
  const std::uint32_t index = names_.index(name, pointer);
  if (infos_[index].kind != Kind::memory) return index;
  throw ConfigError(file_, pointer, "a buffer or texture", in_quotes(name) + ", memory of a captured program");
}

const ResourceInfo& ResourceTable::resource(const std::string& name, const std::string& pointer) const {
  return infos_[index(name, pointer)];
}

const ResourceInfo& ResourceTable::buffer(const std::string& name, const std::string& pointer) const {
  const ResourceInfo& info = resource(name, pointer);
  if (info.texture()) throw ConfigError(file_, pointer, "a buffer", in_quotes(name) + ", a texture");
  return info;
}

const ResourceInfo& ResourceTable::texture(const std::string& name, const std::string& pointer) const {
  const ResourceInfo& info = resource(name, pointer);
  if (!info.texture()) throw ConfigError(file_, pointer, "a texture", in_quotes(name) + ", a buffer");
  return info;
}

const ResourceInfo& ResourceTable::in_video_memory(const std::string& name, const std::string& pointer) const {
  const ResourceInfo& info = resource(name, pointer);
  if (info.heap != HeapType::default_heap) {
    throw ConfigError(file_, pointer, "a resource in video memory", in_quotes(name));
  }
  return info;
}

std::uint64_t ResourceTable::bytes_from(const ResourceInfo& buffer, std::uint64_t offset,
                                        const std::string& pointer) const {
  if (offset >= buffer.bytes) {
    throw ConfigError(file_, pointer, fmt::format("less than the buffer's {} bytes", buffer.bytes),
                      fmt::format("{}", offset));
  }
  return buffer.bytes - offset;
}

}  // namespace fenceline
