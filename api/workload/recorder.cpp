// SPDX-License-Identifier: Apache-2.0
#include "api/workload/recorder.hpp"

#include "api/resources/names.hpp"
#include "api/resources/resource_table.hpp"
#include "api/workload/list_state.hpp"
#include "api/workload/list_uses.hpp"
#include "api/workload/markers/list_markers.hpp"
#include "api/workload/said_numbers.hpp"
#include "api/workload/texture_copy.hpp"
#include "engines/command/command.hpp"
#include "sim/config_errors.hpp"
#include "sim/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace fenceline {
namespace {

/// Records the command lists of one workload.
class Recorder {
 public:
  Recorder(const Workload& workload, const std::string& file)
      : workload_(workload),
        file_(file),
        resources_(workload.resources, file),
        compute_names_(file, "compute pipelines", "compute_pipelines", workload.compute_pipelines),
        graphics_names_(file, "graphics pipelines", "graphics_pipelines", workload.graphics_pipelines),
        list_names_(file, "command lists", "command_lists", workload.command_lists),
        state_(file),
        markers_(file) {}

  /// Null: something is wrong with it.
  std::shared_ptr<const CommandStream> record(std::size_t index) {
    const CommandListInfo& list = workload_.command_lists[index];
    auto stream = std::make_shared<CommandStream>();
    stream->name = list.label.empty() ? list.name : list.label;
    stream->commands.reserve(list.commands.size());
    stream_ = stream.get();
    compute_indices_.clear();
    graphics_indices_.clear();
    state_ = ListState(file_);
    markers_.restart(list.type == CommandListType::bundle);
    starts_.clear();
    executing_bundle_at_.clear();
    errors_before_ = errors_.size();
    record_commands(index, list.type);
    if (errors_.size() > errors_before_) return nullptr;
    errors_.keep([&] {
      state_.check_ended();
      markers_.check_ended();
      const std::string at = fmt::format("/command_lists/{}", index);
      take_splits(list, starts_, resources_, {file_, at}, *stream);
      end_uses(*stream, resources_, list, at);
    });
    return stream;
  }

  /// Throws what is wrong with the lists that were recorded.
  void throw_errors() const { errors_.throw_any(); }

 private:
  /// Appends the commands of a list to the stream, those of the bundles that it executes among them.
  void record_commands(std::size_t index, CommandListType type) {
    const std::vector<CommandInfo>& commands = workload_.command_lists[index].commands;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const std::string at = fmt::format("/command_lists/{}/commands/{}", index, i);
      if (executing_bundle_at_.empty()) starts_.push_back(stream_->commands.size());
      errors_.keep([&] { std::visit([&](const auto& info) { record_command(info, type, at); }, commands[i]); });
    }
  }

  template <class Info>
  void record_command(const Info& info, CommandListType type, const std::string& at) {
    const std::optional<Command> by_numbers = command_of_numbers(info);
    const Command command = by_numbers ? *by_numbers : command_of(info, at);
    if (errors_.size() > errors_before_) return;  // behind what is wrong, nothing but names is looked up
    check_allowed(command, type, at);
    const auto* indirect = std::get_if<ExecuteIndirect>(&command);
    const Command* repeated = indirect != nullptr ? &stream_->indirect_calls[indirect->call].command : nullptr;
    state_.record(command, repeated, executing_bundle_at_.empty() ? at : executing_bundle_at_);
    stream_->commands.push_back(command);
    keep(stream_->root_constants, bound_constants(info));
    if (const ShaderInputs* const inputs = shader_inputs(info)) {
      keep(stream_->branches, constants_key(inputs->branches));
      keep(stream_->resources, resources_key(inputs->resources, at + "/resources"));
    }
    add_uses(*stream_, resources_, [&](const NameVisitor& visit) { info.for_each_resource(visit); });
  }
  /// Of the last command; 0 is what a command has that does not say.
  void keep(std::vector<std::uint64_t>& all, std::uint64_t key) const {
    if (key == 0) return;
    all.resize(stream_->commands.size());
    all.back() = key;
  }
  PatternKey resources_key(const std::vector<std::string>& names, const std::string& at) const {
    std::vector<std::uint32_t> indices;
    indices.reserve(names.size());
    for (const std::string& name : names) {
      indices.push_back(resources_.index(name, fmt::format("{}/{}", at, indices.size())));
    }
    return constants_key(indices);
  }
  void record_command(const BeginEventCommand& one, CommandListType, const std::string& at) { mark(one.marker(), at); }
  void record_command(const EndEventCommand& one, CommandListType, const std::string& at) { mark(one.marker(), at); }
  void record_command(const SetMarkerCommand& one, CommandListType, const std::string& at) { mark(one.marker(), at); }
  void mark(const Marker& marker, const std::string& at) { markers_.record(marker, at, *stream_); }
  void record_command(const RepeatCommand& repeat, CommandListType type, const std::string& at) {
    add_inlined(repeat.count * repeat.commands.size(), at);
    std::vector<std::string> places;
    for (std::size_t i = 0; i < repeat.commands.size(); ++i) places.push_back(fmt::format("{}/commands/{}", at, i));
    for (std::uint64_t round = 0; round < repeat.count; ++round) {
      const std::size_t errors = errors_.size();
      for (std::size_t i = 0; i < repeat.commands.size(); ++i) {
        const auto record = [&](const auto& info) { record_command(info, type, places[i]); };
        errors_.keep([&] { std::visit(record, repeat.commands[i]); });
      }
      if (errors_.size() > errors) return;  // the other rounds would say the same again
    }
  }
  /// Commands that are written once and recorded more often.
  void add_inlined(std::uint64_t commands, const std::string& at) {
    inlined_ += commands;
    if (inlined_ > max_inlined_commands) {
      throw ConfigError(file_, at,
                        fmt::format("at most {} commands of repeats and executed bundles in all", max_inlined_commands),
                        "more");
    }
  }
  void record_command(const ExecuteBundleCommand& execute, CommandListType type, const std::string& at) {
    if (type != CommandListType::direct) unsuitable(type, "ExecuteBundle", at);
    const std::uint32_t bundle = list_names_.index(execute.bundle, at + "/bundle");
    const CommandListInfo& list = workload_.command_lists[bundle];
    if (list.type != CommandListType::bundle) {
      throw ConfigError(file_, at + "/bundle", "a bundle",
                        fmt::format("{}, a {} command list", in_quotes(list.name), name_of(list.type)));
    }
    add_inlined(list.commands.size(), at);
    executing_bundle_at_ = at;
    const std::size_t first = stream_->commands.size();
    record_commands(bundle, CommandListType::bundle);
    executing_bundle_at_.clear();
    if (stream_->commands.size() - first > 1) stream_->splits.bundles.emplace_back(first, stream_->commands.size());
  }

  void check_allowed(const Command& command, CommandListType type, const std::string& at) const {
    if (!allowed(command, type)) unsuitable(type, name_of(command), at);
    if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
      const Command& repeated = stream_->indirect_calls[indirect->call].command;
      if (!allowed(repeated, type)) unsuitable(type, name_of(repeated), at + "/command");
      if (type == CommandListType::bundle && stream_->indirect_calls[indirect->call].count_buffer) {
        throw ConfigError(file_, at + "/count", "no count buffer in a bundle", "one");
      }
    }
  }
  [[noreturn]] void unsuitable(CommandListType type, const char* command, const std::string& at) const {
    const std::string list = type == CommandListType::bundle ? "bundle" : std::string(name_of(type)) + " list";
    throw ConfigError(file_, at, fmt::format("a command that a {} may have", list), command);
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
    const ResourceInfo& source = resources_.buffer(copy.source, at + "/source");
    const ResourceInfo& destination = resources_.buffer(copy.destination, at + "/destination");
    const std::uint64_t source_left = resources_.bytes_from(source, copy.source_offset, at + "/source_offset");
    const std::uint64_t destination_left =
        resources_.bytes_from(destination, copy.destination_offset, at + "/destination_offset");
    const std::uint64_t most = std::min(source_left, destination_left);
    const std::uint64_t bytes = copy.bytes.value_or(most);
    if (bytes > most) {
      throw ConfigError(file_, at + "/bytes", fmt::format("at most the {} bytes that both buffers have there", most),
                        fmt::format("{}", bytes));
    }
    return CopyBuffer{route_between(source, destination), bytes};
  }
  Command command_of(const CopyTextureCommand& copy, const std::string& at) const {
    return texture_copy(copy, resources_, file_, at);
  }
  Command command_of(const ClearCommand& clear, const std::string& at) {
    const ResourceInfo& target = resources_.in_video_memory(clear.target, at + "/target");
    const std::uint64_t divided = target.texture ? target.texel_bytes : target.bytes;
    if (!clear.value.empty() && (clear.value.size() > 16 || divided % clear.value.size() != 0)) {
      throw ConfigError(file_, at + "/value", fmt::format("at most 16 bytes, and a divisor of {}", divided),
                        fmt::format("{}", clear.value.size()));
    }
    return Clear{target.bytes};
  }
  Command command_of(const ExecuteIndirectCommand& execute, const std::string& at) {
    IndirectCall call;
    const std::string command_at = at + "/command";
    call.command = std::visit([&](const auto& info) { return command_of(info, command_at); }, execute.command);
    call.count = std::min(execute.count.value_or(execute.max_count), execute.max_count);
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
    const ResourceInfo& arguments = resources_.buffer(execute.arguments, at + "/arguments");
    const std::uint64_t left = resources_.bytes_from(arguments, execute.arguments_offset, at + "/arguments_offset");
    if (execute.max_count > 0 && (execute.max_count - 1) * call.stride_bytes + size > left) {
      throw ConfigError(file_, at + "/max_count",
                        fmt::format("at most the {} arguments that the {} bytes there hold",
                                    left < size ? 0 : (left - size) / call.stride_bytes + 1, left),
                        fmt::format("{}", execute.max_count));
    }
    call.arguments_in_host = arguments.heap != HeapType::default_heap;
    stream_->indirect_calls.push_back(call);
    return ExecuteIndirect{static_cast<std::uint32_t>(stream_->indirect_calls.size() - 1)};
  }
  Command command_of(const ResolveCommand& resolve, const std::string& at) {
    return resolve_of(resolve.source, at + "/source", resolve.destination, at + "/destination");
  }
  Resolve resolve_of(const std::string& from, const std::string& from_at, const std::string& to,
                     const std::string& to_at) const {
    const ResourceInfo& source = resources_.texture(from, from_at);
    const ResourceInfo& destination = resources_.texture(to, to_at);
    if (source.samples == 1) {
      throw ConfigError(file_, from_at, "a texture with several samples", in_quotes(from) + ", which has 1");
    }
    if (destination.samples != 1) {
      throw ConfigError(file_, to_at, "a texture with one sample",
                        fmt::format("{}, which has {}", in_quotes(to), destination.samples));
    }
    if (destination.bytes != source.bytes / source.samples || destination.rows != source.rows ||
        destination.texel_bytes != source.texel_bytes) {
      throw ConfigError(file_, to_at, fmt::format("a texture of the size and format of {}", in_quotes(from)),
                        in_quotes(to));
    }
    return {destination.bytes, source.samples};
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
    state_.check_resolved(resolve.query, resolve.first_slot, resolve.count, at);
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
    for (std::size_t i = 0; i < begin.targets.size(); ++i) {
      const RenderPassTarget& target = begin.targets[i];
      const std::string target_at = fmt::format("{}/targets/{}", at, i);
      const ResourceInfo& texture = resources_.texture(target.target, target_at + "/target");
      if (target.beginning == BeginningAccess::clear) clear_bytes += texture.bytes;
      if (target.ending != EndingAccess::resolve) continue;
      resolve_bytes_ +=
          *access_bytes(resolve_of(target.target, target_at + "/target", target.resolve_to, target_at + "/resolve_to"));
    }
    return BeginRenderPass{clear_bytes};
  }
  Command command_of(const EndRenderPassCommand&, const std::string&) { return EndRenderPass{resolve_bytes_}; }

  void check_aligned(std::uint64_t offset, std::uint64_t alignment, const std::string& pointer) const {
    if (offset % alignment == 0) return;
    throw ConfigError(file_, pointer, fmt::format("a multiple of {}", alignment), fmt::format("{}", offset));
  }

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
  Names list_names_;
  std::uint64_t inlined_ = 0;
  ListState state_;
  ListMarkers markers_;
  std::uint64_t resolve_bytes_ = 0;  // of the render pass that began last
  std::string executing_bundle_at_;  // pointer; empty: the list's own commands
  std::vector<std::size_t> starts_;  // by the list's command: the first of the stream that is its
  CommandStream* stream_ = nullptr;
  ConfigErrors errors_;                                     // of all lists
  std::size_t errors_before_ = 0;                           // of lists before this one
  std::map<std::uint32_t, std::uint32_t> compute_indices_;  // of the workload -> of the list
  std::map<std::uint32_t, std::uint32_t> graphics_indices_;
};

}  // namespace

std::vector<std::shared_ptr<const CommandStream>> record_lists(const Workload& workload, const std::string& file) {
  Recorder recorder(workload, file);
  std::vector<std::shared_ptr<const CommandStream>> lists;
  for (std::size_t i = 0; i < workload.command_lists.size(); ++i) lists.push_back(recorder.record(i));
  recorder.throw_errors();
  return lists;
}

}  // namespace fenceline
