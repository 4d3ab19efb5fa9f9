// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/queue_rules.hpp"
#include "api/resources/resource.hpp"
#include "api/workload/effects/effect_info.hpp"
#include "api/workload/pipelines/pipeline_info.hpp"
#include "api/workload/workload_steps.hpp"
#include "engines/command/command.hpp"
#include "scheduler/policies/priority.hpp"
#include "sim/config/described.hpp"
#include "sim/marker_record.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fenceline {

// GPU work at rest, as plain data: what a JSON workload says. Things refer to each other by name.

/// A fence that timelines name.
struct FenceInfo {
  std::string name;
  std::uint64_t initial_value = 0;
  std::string process = {};  ///< whose device's it is; empty: of those whose queues signal it
  /// Swap chain, or queue, for its own, of which it tells the number of the frame on screen; nobody signals it. Empty:
  /// a fence as others.
  std::string frames_of = {};
};

/// Each command shows the names of the resources that it uses.
using NameVisitor = std::function<void(const std::string&)>;

/// What a draw or dispatch tells of its shaders besides root constants, for drivers that measure it.
struct ShaderInputs {
  std::vector<std::uint32_t> branches;  ///< which way each branch went; empty: not said
  std::vector<std::string> resources;   ///< that are bound, in their order; empty: not said
  void for_each_resource(const NameVisitor& visit) const {
    for (const std::string& name : resources) visit(name);
  }
};

/// DrawInstanced.
struct DrawCommand {
  static constexpr const char* type_name = "draw";
  std::string pipeline;
  std::uint64_t vertices = 3;
  std::uint64_t instances = 1;
  std::optional<std::uint64_t> triangles;          ///< all instances; unset: a triangle list
  std::uint64_t pixels = 0;                        ///< covered by all instances, after depth and scissor
  std::uint64_t extent_pixels = 0;                 ///< 0: the triangles are far from each other
  std::vector<std::uint32_t> root_constants = {};  ///< values that are bound; empty: none
  ShaderInputs inputs = {};                        ///< branches and resources
  void for_each_resource(const NameVisitor& visit) const { inputs.for_each_resource(visit); }
};
/// DrawIndexedInstanced.
struct DrawIndexedCommand {
  static constexpr const char* type_name = "draw_indexed";
  std::string pipeline;
  std::uint64_t indices = 3;
  std::uint64_t instances = 1;
  std::optional<std::uint64_t> unique_vertices;  ///< unset: no index repeats
  std::optional<std::uint64_t> triangles;        ///< all instances; unset: a triangle list
  std::uint64_t pixels = 0;                      ///< covered by all instances, after depth and scissor
  std::uint64_t extent_pixels = 0;               ///< 0: the triangles are far from each other
  std::vector<std::uint32_t> root_constants;     ///< values that are bound; empty: none
  ShaderInputs inputs;                           ///< branches and resources
  void for_each_resource(const NameVisitor& visit) const { inputs.for_each_resource(visit); }
};
/// Dispatch: `x * y * z` thread groups.
struct DispatchCommand {
  static constexpr const char* type_name = "dispatch";
  static constexpr std::uint64_t most_groups = 65'535ULL * 65'535 * 65'535;  ///< that D3D12 dispatches at once
  std::string pipeline;
  std::uint64_t x = 1;
  std::uint64_t y = 1;
  std::uint64_t z = 1;
  std::vector<std::uint32_t> root_constants = {};  ///< values that are bound; empty: none
  ShaderInputs inputs = {};                        ///< branches and resources
  void for_each_resource(const NameVisitor& visit) const { inputs.for_each_resource(visit); }
};
/// CopyBufferRegion.
struct CopyBufferCommand {
  static constexpr const char* type_name = "copy_buffer";
  std::string source;
  std::string destination;
  std::uint64_t source_offset = 0;
  std::uint64_t destination_offset = 0;
  std::optional<std::uint64_t> bytes;    ///< unset: all that fits both
  std::optional<CopyRoute> route = {};   ///< in place of the resources, beside bytes
  std::vector<EffectInfo> effects = {};  ///< beside route: what it does to bytes
  bool predicated = true;                ///< false: WriteBufferImmediate, whose effects a predicate does not skip
  void for_each_resource(const NameVisitor& visit) const { visit(source), visit(destination); }
};
/// CopyTextureRegion of a whole texture, to or from a texture or a buffer.
struct CopyTextureCommand {
  static constexpr const char* type_name = "copy_texture";
  std::string source;
  std::string destination;
  std::optional<CopyRoute> route = {};   ///< in place of the resources, beside row_bytes and rows
  std::uint64_t row_bytes = 0;           ///< of the texels of a row that is copied
  std::uint64_t rows = 0;                ///< of all slices
  std::vector<EffectInfo> effects = {};  ///< beside route: what it does to bytes
  void for_each_resource(const NameVisitor& visit) const { visit(source), visit(destination); }
};
/// ClearRenderTargetView and its like.
struct ClearCommand {
  static constexpr const char* type_name = "clear";
  std::string target;
  std::optional<std::uint64_t> bytes = {};  ///< in place of the target
  std::vector<std::uint32_t> value = {};    ///< bytes, again and again; empty: zeros
  std::vector<EffectInfo> effects = {};     ///< in place of the target: what it does to bytes
  void for_each_resource(const NameVisitor& visit) const { visit(target); }
};
/// ResourceBarrier: what follows waits for what came before.
struct BarrierCommand {
  static constexpr const char* type_name = "barrier";
  void for_each_resource(const NameVisitor&) const {}
};
/// EndQuery of a time stamp.
struct TimestampCommand {
  static constexpr const char* type_name = "timestamp";
  std::uint32_t slot = 0;
  void for_each_resource(const NameVisitor&) const {}
};
/// ExecuteIndirect of one kind of command.
struct ExecuteIndirectCommand {
  static constexpr const char* type_name = "execute_indirect";
  std::variant<DrawCommand, DrawIndexedCommand, DispatchCommand> command;
  std::uint64_t max_count = 1;
  std::optional<std::uint64_t> count;  ///< what the count buffer holds; unset: there is none
  std::string arguments;
  std::uint64_t arguments_offset = 0;
  std::optional<std::uint32_t> stride;          ///< unset: the arguments lie without gaps
  std::optional<HeapType> arguments_heap = {};  ///< in place of the argument buffer
  void for_each_resource(const NameVisitor& visit) const {
    visit(arguments);
    std::visit([&](const auto& one) { one.for_each_resource(visit); }, command);
  }
};
/// ExecuteBundle.
struct ExecuteBundleCommand {
  static constexpr const char* type_name = "execute_bundle";
  std::string bundle;
  void for_each_resource(const NameVisitor&) const {}
};
/// ResolveSubresource.
struct ResolveCommand {
  static constexpr const char* type_name = "resolve";
  std::string source;
  std::string destination;
  std::optional<std::uint64_t> bytes = {};  ///< of the destination, in place of the resources, beside samples
  std::uint32_t samples = 1;                ///< of the source
  std::vector<EffectInfo> effects = {};     ///< beside bytes: what it does to them
  void for_each_resource(const NameVisitor& visit) const { visit(source), visit(destination); }
};
/// BeginQuery.
struct BeginQueryCommand {
  static constexpr const char* type_name = "begin_query";
  QueryType query = QueryType::occlusion;  ///< what is counted
  std::uint32_t slot = 0;                  ///< index in the query heap
  void for_each_resource(const NameVisitor&) const {}
};
/// EndQuery of what BeginQuery began.
struct EndQueryCommand {
  static constexpr const char* type_name = "end_query";
  QueryType query = QueryType::occlusion;  ///< as in BeginQueryCommand
  std::uint32_t slot = 0;                  ///< as in BeginQueryCommand
  void for_each_resource(const NameVisitor&) const {}
};
/// ResolveQueryData.
struct ResolveQueryDataCommand {
  static constexpr const char* type_name = "resolve_query_data";
  QueryType query = QueryType::occlusion;
  std::uint32_t first_slot = 0;
  std::uint32_t count = 1;
  std::string destination;
  std::uint64_t destination_offset = 0;
  std::optional<CopyRoute> route = {};      ///< in place of the destination, beside bytes
  std::optional<std::uint64_t> bytes = {};  ///< of the results
  std::vector<EffectInfo> effects = {};     ///< beside route: what it does to bytes
  void for_each_resource(const NameVisitor& visit) const { visit(destination); }
};
/// SetPredication.
struct SetPredicationCommand {
  static constexpr const char* type_name = "set_predication";
  std::string buffer;  ///< empty: predication ends
  std::uint64_t offset = 0;
  std::optional<bool> skip;
  bool unnamed_buffer = false;  ///< there is a buffer, which has no name here
  void for_each_resource(const NameVisitor& visit) const { visit(buffer); }
};

/// D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE.
enum class BeginningAccess : std::uint8_t { discard, preserve, clear };
constexpr EnumNames<BeginningAccess, 3> enum_names(BeginningAccess) {
  return {{{BeginningAccess::discard, "discard"},
           {BeginningAccess::preserve, "preserve"},
           {BeginningAccess::clear, "clear"}}};
}
/// D3D12_RENDER_PASS_ENDING_ACCESS_TYPE.
enum class EndingAccess : std::uint8_t { discard, preserve, resolve };
constexpr EnumNames<EndingAccess, 3> enum_names(EndingAccess) {
  return {
      {{EndingAccess::discard, "discard"}, {EndingAccess::preserve, "preserve"}, {EndingAccess::resolve, "resolve"}}};
}
/// A render target or depth buffer of a render pass.
struct RenderPassTarget {
  std::string target;
  BeginningAccess beginning = BeginningAccess::preserve;
  EndingAccess ending = EndingAccess::preserve;
  std::string resolve_to;
};
/// BeginRenderPass.
struct BeginRenderPassCommand {
  static constexpr const char* type_name = "begin_render_pass";
  std::vector<RenderPassTarget> targets;
  std::optional<std::uint64_t> clear_bytes = {};  ///< in place of the targets
  std::vector<EffectInfo> effects = {};           ///< beside clear_bytes: what it does to bytes
  void for_each_resource(const NameVisitor& visit) const {
    for (const RenderPassTarget& one : targets) visit(one.target), visit(one.resolve_to);
  }
};
/// EndRenderPass.
struct EndRenderPassCommand {
  static constexpr const char* type_name = "end_render_pass";
  std::optional<std::uint64_t> resolve_bytes = {};  ///< in place of what the pass's targets say
  std::vector<EffectInfo> effects = {};             ///< beside resolve_bytes: what it does to bytes
  void for_each_resource(const NameVisitor&) const {}
};
/// The engine stops here, and nothing but a reset ends it.
struct HangCommand {
  static constexpr const char* type_name = "hang";
  void for_each_resource(const NameVisitor&) const {}
};
/// The same, by an access to memory that is not there.
struct PageFaultCommand {
  static constexpr const char* type_name = "page_fault";
  std::uint64_t address = 0;  ///< GPU virtual address
  bool write = false;         ///< else it reads
  std::string resource;       ///< that was meant; empty: not known
  bool adapter_reset = false;
  void for_each_resource(const NameVisitor& visit) const { visit(resource); }
};
/// DiscardResource.
struct DiscardCommand {
  static constexpr const char* type_name = "discard";
  std::string resource;
  void for_each_resource(const NameVisitor& visit) const { visit(resource); }
};
/// ID3D12GraphicsCommandList::BeginEvent: a region of the list begins.
struct BeginEventCommand : MarkerText {
  static constexpr const char* type_name = "begin_event";
  void for_each_resource(const NameVisitor&) const {}
  /// As streams have it.
  Marker marker() const { return {MarkerKind::begin, name, color, 0}; }
};
/// ID3D12GraphicsCommandList::EndEvent: the region ends that began last and has not ended.
struct EndEventCommand {
  static constexpr const char* type_name = "end_event";
  void for_each_resource(const NameVisitor&) const {}
  /// As streams have it.
  Marker marker() const { return {MarkerKind::end, "", 0, 0}; }
};
/// ID3D12GraphicsCommandList::SetMarker.
struct SetMarkerCommand : MarkerText {
  static constexpr const char* type_name = "set_marker";
  void for_each_resource(const NameVisitor&) const {}
  /// As streams have it.
  Marker marker() const { return {MarkerKind::set, name, color, 0}; }
};
/// A command that stands alone, or in a repeat.
using SimpleCommandInfo =
    std::variant<DrawCommand, DrawIndexedCommand, DispatchCommand, CopyBufferCommand, CopyTextureCommand, ClearCommand,
                 BarrierCommand, TimestampCommand, ExecuteIndirectCommand, ExecuteBundleCommand, ResolveCommand,
                 BeginQueryCommand, EndQueryCommand, ResolveQueryDataCommand, SetPredicationCommand,
                 BeginRenderPassCommand, EndRenderPassCommand, HangCommand, PageFaultCommand, DiscardCommand,
                 BeginEventCommand, EndEventCommand, SetMarkerCommand>;
/// Commands recorded `count` times, one round after the other.
struct RepeatCommand {
  static constexpr const char* type_name = "repeat";
  std::uint64_t count = 1;
  std::vector<SimpleCommandInfo> commands;
  void for_each_resource(const NameVisitor& visit) const {
    for (const SimpleCommandInfo& command : commands) {
      std::visit([&](const auto& one) { one.for_each_resource(visit); }, command);
    }
  }
};
using CommandInfo =
    std::variant<DrawCommand, DrawIndexedCommand, DispatchCommand, CopyBufferCommand, CopyTextureCommand, ClearCommand,
                 BarrierCommand, TimestampCommand, ExecuteIndirectCommand, ExecuteBundleCommand, ResolveCommand,
                 BeginQueryCommand, EndQueryCommand, ResolveQueryDataCommand, SetPredicationCommand,
                 BeginRenderPassCommand, EndRenderPassCommand, HangCommand, PageFaultCommand, DiscardCommand,
                 BeginEventCommand, EndEventCommand, SetMarkerCommand, RepeatCommand>;

/// It stands among commands, and is none to the GPU.
template <class AnyCommand>
bool is_marker(const AnyCommand& command) {
  return std::holds_alternative<BeginEventCommand>(command) || std::holds_alternative<EndEventCommand>(command) ||
         std::holds_alternative<SetMarkerCommand>(command);
}

/// An entry of a list's patch location list (D3DDDI_PATCHLOCATIONLIST).
struct PatchInfo {
  std::uint64_t command = 0;  ///< of the list, where a repeat is one: from which on it counts
  std::uint32_t slot = 0;
  std::string resource;  ///< empty: the slot is unbound
};

/// A command list, or a bundle.
struct CommandListInfo {
  std::string name;
  CommandListType type = CommandListType::direct;
  std::vector<CommandInfo> commands;
  std::optional<std::vector<std::uint64_t>> split_offsets = {};  ///< unset: each boundary between commands
  std::vector<PatchInfo> patches = {};
  std::vector<std::string> uses = {};  ///< resources, besides those that its commands name
  std::string label = {};              ///< what files of a run call it; empty: its name
};
void describe(Fields& f, CommandListInfo& c);

/// A process, and the executable that it runs.
struct ProcessInfo : ProcessConfig {
  std::string program;  ///< whose implicit shader caches it has; empty: its own name
};
void describe(Fields& f, ProcessInfo& c);

/// A queue and what it is told to do, from the run's start.
struct QueueInfo : QueueConfig {
  std::string output;       ///< that it presents to; empty: the primary one
  std::string composed_by;  ///< queue of the compositor that takes its frames; empty: they are flipped
  std::vector<QueueStep> timeline;
};
void describe(Fields& f, QueueInfo& c);
/// A swap chain of a queue, besides the queue's own.
struct SwapChainInfo {
  std::string name;         ///< of the swap chain, and of no queue
  std::string queue;        ///< that presents to it: a direct one
  std::string output;       ///< to which it presents; empty: the primary one
  std::string composed_by;  ///< queue of the compositor that takes its frames; empty: they are flipped
};
void describe(Fields& f, SwapChainInfo& c);
/// A simulated CPU thread, from the run's start.
struct CpuInfo {
  std::string name;
  std::vector<CpuStep> timeline;
  bool captured = false;  ///< its calls and wake-ups take no time: what they took is in its work
};

/// A beat that CPU threads and deadlines keep: a display's, a camera's, a game's.
struct BeatInfo {
  std::string name;         ///< of the beat
  double us = 0;            ///< the first, since the run's start
  double us_step = 0;       ///< between two
  std::uint64_t count = 1;  ///< how many
};
void describe(Fields& f, BeatInfo& c);

/// A fence is to get somewhere in time, once or again and again. What becomes of it is a result of the run.
struct DeadlineInfo {
  std::string name;                      ///< of the deadline
  std::string fence;                     ///< its name
  std::uint64_t value = 0;               ///< to be reached, the first time
  std::uint64_t value_step = 0;          ///< added each further time
  std::uint64_t count = 1;               ///< how many times
  double us = 0;                         ///< since the run's start
  double us_step = 0;                    ///< added each further time
  std::optional<std::string> beat = {};  ///< in place of us, us_step and count: its name
  double offset_us = 0;                  ///< behind the beat's times; negative: before them
};
void describe(Fields& f, DeadlineInfo& c);

/// GPU work at rest. Fields are keys of its JSON: `fenceline schema workload` says what each means.
struct Workload {
  std::string name;
  std::string source;
  std::string machine;  ///< a built-in machine's name or a file beside the workload; empty: the built-in h200
  std::vector<Resource> resources;
  std::vector<ComputePipelineInfo> compute_pipelines;
  std::vector<GraphicsPipelineInfo> graphics_pipelines;
  std::vector<FenceInfo> fences;
  std::vector<CommandListInfo> command_lists;
  std::vector<ProcessInfo> processes;
  std::vector<QueueInfo> queues;
  std::vector<CpuInfo> cpus;
  std::vector<DeadlineInfo> deadlines;
  std::vector<BeatInfo> beats = {};
  std::vector<SwapChainInfo> swap_chains = {};  ///< besides the queues' own
};
void describe(Fields& f, Workload& c);

}  // namespace fenceline
