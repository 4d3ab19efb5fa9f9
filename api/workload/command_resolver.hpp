// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/pgo/constants_key.hpp"
#include "api/resources/names.hpp"
#include "api/resources/resource_table.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"
#include "sim/config_errors.hpp"
#include "sim/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// Turns the commands of one workload's lists into those of their streams: what they name is looked up, and has to fit.
class CommandResolver {
 public:
  CommandResolver(const Workload& workload, const std::string& file)
      : workload_(workload),
        file_(file),
        resources_(workload.resources, file),
        compute_names_(file, "compute pipelines", "compute_pipelines", workload.compute_pipelines),
        graphics_names_(file, "graphics pipelines", "graphics_pipelines", workload.graphics_pipelines) {}

  const ResourceTable& resources() const { return resources_; }
  /// What comes next is of another list, whose stream gets its pipelines.
  void begin(CommandStream& stream) {
    stream_ = &stream;
    compute_indices_.clear();
    graphics_indices_.clear();
  }

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
    constexpr std::uint64_t most = DispatchCommand::most_groups;
    if (groups > most) throw ConfigError(file_, at, fmt::format("at most {} thread groups", most), "more");
    return Dispatch{compute_pipeline(dispatch.pipeline, at), static_cast<std::uint64_t>(groups)};
  }
  Command command_of(const CopyBufferCommand& copy, const std::string& at) {
    const ResourceInfo* source = nullptr;
    const ResourceInfo* destination = nullptr;
    std::uint64_t source_left = 0;
    std::uint64_t destination_left = 0;
    do_each(
        [&] {
          source = &resources_.buffer(copy.source, at + "/source");
          source_left = resources_.bytes_from(*source, copy.source_offset, at + "/source_offset");
        },
        [&] {
          destination = &resources_.buffer(copy.destination, at + "/destination");
          destination_left = resources_.bytes_from(*destination, copy.destination_offset, at + "/destination_offset");
        });
    const std::uint64_t most = std::min(source_left, destination_left);
    const std::uint64_t bytes = copy.bytes.value_or(most);
    if (bytes > most) {
      throw ConfigError(file_, at + "/bytes", fmt::format("at most the {} bytes that both buffers have there", most),
                        fmt::format("{}", bytes));
    }
    return CopyBuffer{route_between(*source, *destination), bytes};
  }
  Command command_of(const CopyTextureCommand& copy, const std::string& at) const {
    do_each([&] { resources_.resource(copy.source, at + "/source"); },
            [&] { resources_.resource(copy.destination, at + "/destination"); });
    const ResourceInfo& source = resources_.resource(copy.source, at + "/source");
    const ResourceInfo& destination = resources_.resource(copy.destination, at + "/destination");
    if (!source.texture() && !destination.texture()) {
      throw ConfigError(file_, at, "a texture as source or destination", "two buffers");
    }
    const ResourceInfo& texture = source.texture() ? source : destination;
    const ResourceInfo& other = source.texture() ? destination : source;
    if (texture.samples > 1 && !other.texture()) {
      throw ConfigError(file_, at + (source.texture() ? "/source" : "/destination"),
                        "a texture with one sample, as copies to and from buffers take",
                        fmt::format("{}, which has {}", in_quotes(texture.name), texture.samples));
    }
    const CopyTexture command{route_between(source, destination), texture.row_bytes, texture.rows};
    const std::uint64_t needed =
        other.texture() ? texture.bytes : (texture.rows - 1) * pitch(texture) + texture.row_bytes;
    const bool same = !other.texture() || (other.row_bytes == texture.row_bytes && other.rows == texture.rows &&
                                           other.samples == texture.samples);
    if (!same || other.bytes < needed) {
      throw ConfigError(file_, at + (source.texture() ? "/destination" : "/source"),
                        other.texture() ? fmt::format("a texture of the size of {} and {} samples to a texel",
                                                      in_quotes(texture.name), texture.samples)
                                        : fmt::format("a buffer of at least {} bytes (rows at multiples of {})", needed,
                                                      texture_row_pitch),
                        other.texture() ? in_quotes(other.name) : fmt::format("{} bytes", other.bytes));
    }
    return command;
  }
  Command command_of(const ClearCommand& clear, const std::string& at) {
    const ResourceInfo& target = resources_.in_video_memory(clear.target, at + "/target");
    const std::uint64_t divided = target.texture() ? target.texel_bytes : target.bytes;
    if (!clear.value.empty() && (clear.value.size() > 16 || divided % clear.value.size() != 0)) {
      throw ConfigError(file_, at + "/value", fmt::format("at most 16 bytes, and a divisor of {}", divided),
                        fmt::format("{}", clear.value.size()));
    }
    return Clear{target.bytes};
  }
  Command command_of(const ExecuteIndirectCommand& execute, const std::string& at) {
    IndirectCall call;
    const std::string command_at = at + "/command";
    const ResourceInfo* arguments = nullptr;
    do_each(
        [&] {
          call.command = std::visit([&](const auto& one) { return command_of(one, command_at); }, execute.command);
        },
        [&] {
          if (!execute.arguments_heap) arguments = &resources_.buffer(execute.arguments, at + "/arguments");
        });
    call.count = std::min(execute.count.value_or(execute.max_count), execute.max_count);
    const auto* const dispatch = std::get_if<Dispatch>(&call.command);
    if (dispatch != nullptr && dispatch->groups == 0) call.count = 0;  // as a Dispatch of none, it is nothing
    call.max_count = execute.max_count;
    call.count_buffer = execute.count.has_value();
    // Sizes of D3D12_DRAW_ARGUMENTS, D3D12_DRAW_INDEXED_ARGUMENTS and D3D12_DISPATCH_ARGUMENTS.
    constexpr std::array<std::uint32_t, 3> argument_sizes = {16, 20, 12};
    const std::uint32_t size = argument_sizes[execute.command.index()];
    call.stride_bytes = execute.stride.value_or(size);
    if (call.stride_bytes < size || call.stride_bytes % 4 != 0) {
      throw ConfigError(file_, at + "/stride", fmt::format("a multiple of 4 from {} on", size),
                        fmt::format("{}", call.stride_bytes));
    }
    if (execute.arguments_heap) {
      call.arguments_in_host = *execute.arguments_heap != HeapType::default_heap;
      stream_->indirect_calls.push_back(call);
      return ExecuteIndirect{static_cast<std::uint32_t>(stream_->indirect_calls.size() - 1)};
    }
    check_aligned(execute.arguments_offset, 4, at + "/arguments_offset");
    const std::uint64_t left = resources_.bytes_from(*arguments, execute.arguments_offset, at + "/arguments_offset");
    if (execute.max_count > 0 && (execute.max_count - 1) * call.stride_bytes + size > left) {
      throw ConfigError(file_, at + "/max_count",
                        fmt::format("at most the {} arguments that the {} bytes there hold",
                                    left < size ? 0 : (left - size) / call.stride_bytes + 1, left),
                        fmt::format("{}", execute.max_count));
    }
    call.arguments_in_host = arguments->heap != HeapType::default_heap;
    stream_->indirect_calls.push_back(call);
    return ExecuteIndirect{static_cast<std::uint32_t>(stream_->indirect_calls.size() - 1)};
  }
  Command command_of(const ResolveCommand& resolve, const std::string& at) {
    return resolve_of(resolve.source, at + "/source", resolve.destination, at + "/destination");
  }

  Command command_of(const BeginQueryCommand& begin, const std::string& at) {
    if (begin.query == QueryType::timestamp) {
      throw ConfigError(file_, at + "/query", "a query that begins: occlusion, binary_occlusion, pipeline_statistics",
                        "\"timestamp\", which only ends");
    }
    return BeginQuery{begin.query, begin.slot};
  }
  Command command_of(const EndQueryCommand& end, const std::string&) {
    if (end.query == QueryType::timestamp) return Timestamp{end.slot};
    return EndQuery{end.query, end.slot};
  }
  Command command_of(const ResolveQueryDataCommand& resolve, const std::string& at) {
    const ResourceInfo& destination = resources_.buffer(resolve.destination, at + "/destination");
    if (destination.heap == HeapType::upload) {
      throw ConfigError(file_, at + "/destination", "a buffer on a default or readback heap",
                        in_quotes(destination.name) + " on an upload heap");
    }
    check_aligned(resolve.destination_offset, 8, at + "/destination_offset");
    const std::uint64_t left =
        resources_.bytes_from(destination, resolve.destination_offset, at + "/destination_offset");
    // Sizes of UINT64 and D3D12_QUERY_DATA_PIPELINE_STATISTICS.
    const std::uint64_t size = resolve.query == QueryType::pipeline_statistics ? 88 : 8;
    if (resolve.count * size > left) {
      throw ConfigError(file_, at + "/count", fmt::format("at most the {} results that fit there", left / size),
                        fmt::format("{}", resolve.count));
    }
    const bool to_host = destination.heap == HeapType::readback;
    return ResolveQueryData{to_host ? CopyRoute::device_to_host : CopyRoute::device_to_device, resolve.count * size};
  }

  Command command_of(const SetPredicationCommand& set, const std::string& at) {
    if (set.buffer.empty()) return SetPredication{false, false};
    check_aligned(set.offset, 8, at + "/offset");
    const ResourceInfo& buffer = resources_.buffer(set.buffer, at + "/buffer");
    constexpr std::uint64_t predicate_bytes = 8;
    if (resources_.bytes_from(buffer, set.offset, at + "/offset") < predicate_bytes) {
      throw ConfigError(file_, at + "/offset", fmt::format("8 bytes before the buffer's end at {}", buffer.bytes),
                        fmt::format("{}", set.offset));
    }
    return SetPredication{set.skip.value_or(false), true};
  }

  Command command_of(const BeginRenderPassCommand& begin, const std::string& at) {
    std::uint64_t clear_bytes = 0;
    resolve_bytes_ = 0;
    ConfigErrors errors;
    const auto add = [&](const RenderPassTarget& target, const std::string& target_at) {
      const ResourceInfo& texture = resources_.texture(target.target, target_at + "/target");
      if (target.beginning == BeginningAccess::clear) clear_bytes += texture.bytes;
      if (target.ending != EndingAccess::resolve) return;
      resolve_bytes_ +=
          *access_bytes(resolve_of(target.target, target_at + "/target", target.resolve_to, target_at + "/resolve_to"));
    };
    for (std::size_t i = 0; i < begin.targets.size(); ++i) {
      errors.keep([&] { add(begin.targets[i], fmt::format("{}/targets/{}", at, i)); });
    }
    errors.throw_any();
    return BeginRenderPass{clear_bytes};
  }
  Command command_of(const EndRenderPassCommand&, const std::string&) { return EndRenderPass{resolve_bytes_}; }

  Command command_of(const HangCommand&, const std::string&) { return Hang{}; }
  Command command_of(const PageFaultCommand& fault, const std::string& at) {
    if (!fault.resource.empty()) resources_.resource(fault.resource, at + "/resource");
    stream_->faulting_accesses.push_back({fault.address, fault.write, fault.resource, fault.adapter_reset});
    return PageFault{static_cast<std::uint32_t>(stream_->faulting_accesses.size() - 1)};
  }
  Command command_of(const DiscardCommand& discard, const std::string& at) {
    resources_.in_video_memory(discard.resource, at + "/resource");
    return Discard{};
  }
  Command command_of(const BarrierCommand&, const std::string&) { return Barrier{}; }
  Command command_of(const TimestampCommand& timestamp, const std::string&) { return Timestamp{timestamp.slot}; }
  PatternKey resources_key(const std::vector<std::string>& names, const std::string& at) const {
    std::vector<std::uint32_t> indices;
    indices.reserve(names.size());
    ConfigErrors errors;
    for (std::size_t i = 0; i < names.size(); ++i) {
      errors.keep([&] { indices.push_back(resources_.index(names[i], fmt::format("{}/{}", at, i))); });
    }
    errors.throw_any();
    return constants_key(indices);
  }

 private:
  Resolve resolve_of(const std::string& from, const std::string& from_at, const std::string& to,
                     const std::string& to_at) const {
    const ResourceInfo* source = nullptr;
    const ResourceInfo* destination = nullptr;
    do_each(
        [&] {
          source = &resources_.texture(from, from_at);
          if (source->samples > 1) return;
          throw ConfigError(file_, from_at, "a texture with several samples", in_quotes(from) + ", which has 1");
        },
        [&] {
          destination = &resources_.texture(to, to_at);
          if (destination->samples == 1) return;
          throw ConfigError(file_, to_at, "a texture with one sample",
                            fmt::format("{}, which has {}", in_quotes(to), destination->samples));
        });
    if (destination->bytes != source->bytes / source->samples || destination->rows != source->rows ||
        destination->texel_bytes != source->texel_bytes) {
      throw ConfigError(file_, to_at, fmt::format("a texture of the size and format of {}", in_quotes(from)),
                        in_quotes(to));
    }
    return {destination->bytes, source->samples};
  }

  void check_aligned(std::uint64_t offset, std::uint64_t alignment, const std::string& pointer) const {
    if (offset % alignment == 0) return;
    throw ConfigError(file_, pointer, fmt::format("a multiple of {}", alignment), fmt::format("{}", offset));
  }
  static std::uint64_t pitch(const ResourceInfo& texture) { return rounded_up(texture.row_bytes, texture_row_pitch); }

  // A list keeps copies of the pipelines it uses, in the order of their first use.
  std::uint32_t compute_pipeline(const std::string& name, const std::string& at) {
    const std::uint32_t index = compute_names_.index(name, at + "/pipeline");
    const auto [entry, is_new] =
        compute_indices_.emplace(index, static_cast<std::uint32_t>(stream_->compute_pipelines.size()));
    if (is_new) stream_->compute_pipelines.push_back(labelled(workload_.compute_pipelines[index]));
    return entry->second;
  }
  std::uint32_t graphics_pipeline(const std::string& name, const std::string& at) {
    const std::uint32_t index = graphics_names_.index(name, at + "/pipeline");
    const auto [entry, is_new] =
        graphics_indices_.emplace(index, static_cast<std::uint32_t>(stream_->graphics_pipelines.size()));
    if (is_new) stream_->graphics_pipelines.push_back(labelled(workload_.graphics_pipelines[index]));
    return entry->second;
  }

  const Workload& workload_;
  const std::string& file_;
  ResourceTable resources_;
  Names compute_names_;
  Names graphics_names_;
  std::uint64_t resolve_bytes_ = 0;  // of the render pass that began last
  CommandStream* stream_ = nullptr;
  std::map<std::uint32_t, std::uint32_t> compute_indices_;  // of the workload -> of the list
  std::map<std::uint32_t, std::uint32_t> graphics_indices_;
};

}  // namespace fenceline
