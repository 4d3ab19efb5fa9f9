// SPDX-License-Identifier: Apache-2.0
#include "api/workload/recorder.hpp"

#include "api/workload/names.hpp"
#include "engines/copy_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fenceline {
namespace {

struct ResourceInfo {
  std::string name;
  bool texture = false;
  HeapType heap = HeapType::default_heap;
  std::uint64_t bytes = 0;  ///< of a texture: tightly packed
  std::uint64_t row_bytes = 0;
  std::uint64_t rows = 0;
};

ResourceInfo info_of(const BufferResource& buffer) { return {buffer.name, false, buffer.heap, buffer.bytes, 0, 0}; }
ResourceInfo info_of(const TextureResource& texture) {
  const std::uint64_t row_bytes = std::uint64_t{texture.width} * texture.bytes_per_texel;
  const std::uint64_t rows = std::uint64_t{texture.height} * texture.depth;
  return {texture.name, true, HeapType::default_heap, row_bytes * rows, row_bytes, rows};
}

std::vector<ResourceInfo> infos_of(const std::vector<Resource>& resources) {
  std::vector<ResourceInfo> infos;
  infos.reserve(resources.size());
  for (const Resource& resource : resources) {
    infos.push_back(std::visit([](const auto& of_kind) { return info_of(of_kind); }, resource));
  }
  return infos;
}

CopyRoute route_between(const ResourceInfo& source, const ResourceInfo& destination) {
  const bool from_device = source.heap == HeapType::default_heap;
  const bool to_device = destination.heap == HeapType::default_heap;
  if (from_device) return to_device ? CopyRoute::device_to_device : CopyRoute::device_to_host;
  return to_device ? CopyRoute::host_to_device : CopyRoute::host_to_host;
}

/// Records the command lists of one workload.
class Recorder {
 public:
  Recorder(const Workload& workload, const std::string& file)
      : workload_(workload),
        file_(file),
        resources_(infos_of(workload.resources)),
        resource_names_(file, "resources", resources_),
        compute_names_(file, "compute pipelines", "compute_pipelines", workload.compute_pipelines),
        graphics_names_(file, "graphics pipelines", "graphics_pipelines", workload.graphics_pipelines) {}

  std::shared_ptr<const CommandStream> record(const CommandListInfo& list, const std::string& pointer) {
    auto stream = std::make_shared<CommandStream>();
    stream->name = list.name;
    stream->commands.reserve(list.commands.size());
    stream_ = stream.get();
    compute_indices_.clear();
    graphics_indices_.clear();
    for (std::size_t i = 0; i < list.commands.size(); ++i) {
      const std::string at = fmt::format("{}/commands/{}", pointer, i);
      const Command command = std::visit([&](const auto& info) { return command_of(info, at); }, list.commands[i]);
      if (!allowed(command, list.type)) {
        throw ConfigError(file_, at, fmt::format("a command that a {} list may have", name_of(list.type)),
                          name_of(command));
      }
      stream->commands.push_back(command);
    }
    return stream;
  }

 private:
  Command command_of(const DrawCommand& draw, const std::string& at) {
    return Draw{graphics_pipeline(draw.pipeline, at),
                draw.vertices,
                draw.instances,
                draw.triangles.value_or(draw.vertices / 3 * draw.instances),
                draw.pixels,
                draw.extent_pixels};
  }
  Command command_of(const DrawIndexedCommand& draw, const std::string& at) {
    const std::uint64_t unique = draw.unique_vertices.value_or(draw.indices);
    if (unique > draw.indices) {
      throw ConfigError(file_, at + "/unique_vertices", fmt::format("at most indices = {}", draw.indices),
                        fmt::format("{}", unique));
    }
    return DrawIndexed{{graphics_pipeline(draw.pipeline, at), draw.indices, draw.instances,
                        draw.triangles.value_or(draw.indices / 3 * draw.instances), draw.pixels, draw.extent_pixels},
                       unique};
  }
  Command command_of(const DispatchCommand& dispatch, const std::string& at) {
    const unsigned __int128 groups = static_cast<unsigned __int128>(dispatch.x) * dispatch.y * dispatch.z;
    constexpr std::uint64_t most = 1'000'000'000'000;
    if (groups > most) throw ConfigError(file_, at, fmt::format("at most {} thread groups", most), "more");
    return Dispatch{compute_pipeline(dispatch.pipeline, at), static_cast<std::uint64_t>(groups)};
  }
  Command command_of(const CopyBufferCommand& copy, const std::string& at) {
    const ResourceInfo& source = buffer(copy.source, at + "/source");
    const ResourceInfo& destination = buffer(copy.destination, at + "/destination");
    const std::uint64_t source_left = left_of(source, copy.source_offset, at + "/source_offset");
    const std::uint64_t destination_left = left_of(destination, copy.destination_offset, at + "/destination_offset");
    const std::uint64_t most = std::min(source_left, destination_left);
    const std::uint64_t bytes = copy.bytes.value_or(most);
    if (bytes > most) {
      throw ConfigError(file_, at + "/bytes", fmt::format("at most the {} bytes that both buffers have there", most),
                        fmt::format("{}", bytes));
    }
    return CopyBuffer{route_between(source, destination), bytes};
  }
  Command command_of(const CopyTextureCommand& copy, const std::string& at) {
    const ResourceInfo& source = resource(copy.source, at + "/source");
    const ResourceInfo& destination = resource(copy.destination, at + "/destination");
    if (!source.texture && !destination.texture) {
      throw ConfigError(file_, at, "a texture as source or destination", "two buffers");
    }
    const ResourceInfo& texture = source.texture ? source : destination;
    const ResourceInfo& other = source.texture ? destination : source;
    const CopyTexture command{route_between(source, destination), texture.row_bytes, texture.rows};
    const std::uint64_t needed =
        other.texture ? texture.bytes : (texture.rows - 1) * pitch(texture) + texture.row_bytes;
    const bool same = !other.texture || (other.row_bytes == texture.row_bytes && other.rows == texture.rows);
    if (!same || other.bytes < needed) {
      throw ConfigError(file_, at + (source.texture ? "/destination" : "/source"),
                        other.texture ? fmt::format("a texture of the size of {}", in_quotes(texture.name))
                                      : fmt::format("a buffer of at least {} bytes (rows at multiples of {})", needed,
                                                    texture_row_pitch),
                        other.texture ? in_quotes(other.name) : fmt::format("{} bytes", other.bytes));
    }
    return command;
  }
  Command command_of(const ClearCommand& clear, const std::string& at) {
    const ResourceInfo& target = resource(clear.target, at + "/target");
    if (target.heap != HeapType::default_heap) {
      throw ConfigError(file_, at + "/target", "a resource in video memory", in_quotes(target.name));
    }
    return Clear{target.bytes};
  }
  Command command_of(const BarrierCommand&, const std::string&) { return Barrier{}; }
  Command command_of(const TimestampCommand& timestamp, const std::string&) { return Timestamp{timestamp.slot}; }

  static std::uint64_t pitch(const ResourceInfo& texture) {
    return (texture.row_bytes + texture_row_pitch - 1) / texture_row_pitch * texture_row_pitch;
  }

  const ResourceInfo& resource(const std::string& name, const std::string& pointer) const {
    return resources_[resource_names_.index(name, pointer)];
  }
  const ResourceInfo& buffer(const std::string& name, const std::string& pointer) const {
    const ResourceInfo& info = resource(name, pointer);
    if (info.texture) throw ConfigError(file_, pointer, "a buffer", in_quotes(name) + ", a texture");
    return info;
  }
  std::uint64_t left_of(const ResourceInfo& info, std::uint64_t offset, const std::string& pointer) const {
    if (offset >= info.bytes) {
      throw ConfigError(file_, pointer, fmt::format("less than the buffer's {} bytes", info.bytes),
                        fmt::format("{}", offset));
    }
    return info.bytes - offset;
  }

  // A list keeps copies of the pipelines it uses, in the order of their first use.
  std::uint32_t compute_pipeline(const std::string& name, const std::string& at) {
    const std::uint32_t index = compute_names_.index(name, at + "/pipeline");
    const auto [entry, is_new] =
        compute_indices_.emplace(index, static_cast<std::uint32_t>(stream_->compute_pipelines.size()));
    if (is_new) stream_->compute_pipelines.push_back(workload_.compute_pipelines[index]);
    return entry->second;
  }
  std::uint32_t graphics_pipeline(const std::string& name, const std::string& at) {
    const std::uint32_t index = graphics_names_.index(name, at + "/pipeline");
    const auto [entry, is_new] =
        graphics_indices_.emplace(index, static_cast<std::uint32_t>(stream_->graphics_pipelines.size()));
    if (is_new) stream_->graphics_pipelines.push_back(workload_.graphics_pipelines[index]);
    return entry->second;
  }

  const Workload& workload_;
  const std::string& file_;
  std::vector<ResourceInfo> resources_;
  Names resource_names_;
  Names compute_names_;
  Names graphics_names_;
  CommandStream* stream_ = nullptr;
  std::map<std::uint32_t, std::uint32_t> compute_indices_;  // of the workload -> of the list
  std::map<std::uint32_t, std::uint32_t> graphics_indices_;
};

}  // namespace

std::vector<std::shared_ptr<const CommandStream>> record_lists(const Workload& workload, const std::string& file) {
  Recorder recorder(workload, file);
  std::vector<std::shared_ptr<const CommandStream>> lists;
  for (std::size_t i = 0; i < workload.command_lists.size(); ++i) {
    lists.push_back(recorder.record(workload.command_lists[i], fmt::format("/command_lists/{}", i)));
  }
  return lists;
}

}  // namespace fenceline
