// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command_traits.hpp"
#include "engines/command/pipeline.hpp"
#include "sim/marker_record.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {

/// Where the two ends of a copy lie: which channels its bytes pass.
enum class CopyRoute : std::uint8_t {
  device_to_device,  ///< VRAM read and VRAM write
  host_to_device,    ///< PCIe towards the GPU, VRAM write
  device_to_host,    ///< VRAM read, PCIe towards the host
  host_to_host,      ///< both PCIe directions
};
constexpr std::array<std::pair<CopyRoute, const char*>, 4> enum_names(CopyRoute) {
  return {{{CopyRoute::device_to_device, "device_to_device"},
           {CopyRoute::host_to_device, "host_to_device"},
           {CopyRoute::device_to_host, "device_to_host"},
           {CopyRoute::host_to_host, "host_to_host"}}};
}

/// D3D12_QUERY_TYPE, names and values.
enum class QueryType : std::uint8_t { occlusion = 0, binary_occlusion = 1, timestamp = 2, pipeline_statistics = 3 };
constexpr std::array<std::pair<QueryType, const char*>, 4> enum_names(QueryType) {
  return {{{QueryType::occlusion, "occlusion"},
           {QueryType::binary_occlusion, "binary_occlusion"},
           {QueryType::timestamp, "timestamp"},
           {QueryType::pipeline_statistics, "pipeline_statistics"}}};
}

/// D3D12_TEXTURE_DATA_PITCH_ALIGNMENT: rows of a texture in a buffer start at multiples of this.
constexpr std::uint64_t texture_row_pitch = 256;

/// What a copy moves, and between which memories.
struct CopyCost {
  CopyRoute route = CopyRoute::device_to_device;  ///< where its ends lie
  std::uint64_t bytes = 0;                        ///< moved over the route, with padding
};

/// DrawInstanced. A mesh draw (DispatchMesh) is one, too: its thread groups take the place of vertex groups, so
/// `vertices` are the threads of one group and `instances` the groups, `triangles` what they emit, and the pipeline's
/// vertex shader is the mesh shader.
struct Draw {
  static constexpr CommandTraits traits = {"DrawInstanced", CommandWork::draw, direct_lists_and_bundles,
                                           command_rule::predicated | command_rule::repeatable};
  std::uint32_t pipeline;           ///< index into CommandStream::graphics_pipelines
  std::uint64_t vertices;           ///< per instance
  std::uint64_t instances;          ///< of the vertices
  std::uint64_t triangles;          ///< after assembly, all instances
  std::uint64_t pixels;             ///< covered by the draw after depth and scissor, all instances
  std::uint64_t extent_pixels = 0;  ///< of the screen over which the triangles are spread; 0: far from each other
};
/// DrawIndexedInstanced: as Draw, and `vertices` counts indices of which some repeat.
struct DrawIndexed {
  static constexpr CommandTraits traits = {"DrawIndexedInstanced", CommandWork::draw, direct_lists_and_bundles,
                                           command_rule::predicated | command_rule::repeatable};
  Draw draw;                      ///< its vertices are the indices
  std::uint64_t unique_vertices;  ///< shaded per instance; repeated indices hit the post-transform cache
};
/// A grid of thread groups.
struct Dispatch {
  static constexpr CommandTraits traits = {
      "Dispatch", CommandWork::grid, shader_lists_and_bundles,
      command_rule::predicated | command_rule::not_in_render_pass | command_rule::repeatable};
  std::uint32_t pipeline;  ///< index into CommandStream::compute_pipelines
  std::uint64_t groups;    ///< x * y * z
};
/// A copy between buffers.
struct CopyBuffer {
  static constexpr CommandTraits traits = {"CopyBufferRegion", CommandWork::copy, all_lists_but_bundles,
                                           command_rule::predicated | command_rule::not_in_render_pass};
  CopyRoute route;      ///< where its ends lie
  std::uint64_t bytes;  ///< moved
  CopyCost cost() const { return {route, bytes}; }
};
/// `row_bytes` are those of the rows themselves; over PCIe rows have D3D12's 256-byte pitch.
struct CopyTexture {
  static constexpr CommandTraits traits = {"CopyTextureRegion", CommandWork::copy, all_lists_but_bundles,
                                           command_rule::predicated | command_rule::not_in_render_pass};
  CopyRoute route;          ///< where its ends lie
  std::uint64_t row_bytes;  ///< of the texels of a row
  std::uint64_t rows;       ///< of all slices
  /// Rows that cross PCIe do so with their padding to the row pitch; inside video memory the texture's own layout
  /// counts.
  CopyCost cost() const;
};
/// Clear of a render target, depth buffer or unordered access view.
struct Clear {
  static constexpr CommandTraits traits = {"Clear", CommandWork::access, direct_and_compute_lists,
                                           command_rule::predicated | command_rule::not_in_render_pass};
  std::uint64_t bytes;  ///< of the target
  std::uint64_t accessed_bytes() const { return bytes; }
};
/// Waits for every earlier command of the list, then flushes caches.
struct Barrier {
  static constexpr CommandTraits traits = {"ResourceBarrier", CommandWork::front_end, all_lists_but_bundles,
                                           command_rule::waits_for_all};
};
/// Bottom-of-pipe time stamp: taken when every earlier command of the list is complete; later commands need not wait.
struct Timestamp {
  static constexpr CommandTraits traits = {"EndQuery", CommandWork::front_end, all_lists_but_bundles};
  std::uint32_t slot;  ///< index in the query heap
};
/// ResolveSubresource: every sample is read, every texel of the destination written.
struct Resolve {
  static constexpr CommandTraits traits = {"ResolveSubresource", CommandWork::access, direct_lists,
                                           command_rule::predicated | command_rule::not_in_render_pass};
  std::uint64_t bytes;    ///< of the destination
  std::uint32_t samples;  ///< of the source
  std::uint64_t accessed_bytes() const { return bytes * (samples + 1ull); }
};
/// Counters start. Only the front end takes note.
struct BeginQuery {
  static constexpr CommandTraits traits = {"BeginQuery", CommandWork::front_end, direct_lists};
  QueryType type;      ///< what is counted
  std::uint32_t slot;  ///< index in the query heap
};
/// Counters of a query stop, at the bottom of the pipe; nothing waits. A time stamp is a Timestamp.
struct EndQuery {
  static constexpr CommandTraits traits = {"EndQuery", CommandWork::front_end, direct_lists};
  QueryType type;      ///< as in BeginQuery
  std::uint32_t slot;  ///< as in BeginQuery
};
/// Waits for every earlier command of the list, and so for the draws of its queries, then copies their results.
struct ResolveQueryData {
  static constexpr CommandTraits traits = {"ResolveQueryData", CommandWork::copy, all_lists_but_bundles,
                                           command_rule::not_in_render_pass | command_rule::waits_for_all};
  CopyRoute route;      ///< where its ends lie
  std::uint64_t bytes;  ///< moved
  CopyCost cost() const { return {route, bytes}; }
};
/// While it skips, what D3D12 predicates costs the front end its cycles and nothing more.
struct SetPredication {
  static constexpr CommandTraits traits = {"SetPredication", CommandWork::front_end, direct_and_compute_lists};
  bool skip;   ///< what the predicate's value says
  bool reads;  ///< there is a predicate buffer, which the front end reads first
};
/// A render pass begins: the targets that it asks to be cleared are.
struct BeginRenderPass {
  static constexpr CommandTraits traits = {"BeginRenderPass", CommandWork::access, direct_lists};
  std::uint64_t clear_bytes;  ///< of the targets that it clears
  std::uint64_t accessed_bytes() const { return clear_bytes; }
};
/// A render pass ends: the targets that it asks to be resolved are, once its draws are complete.
struct EndRenderPass {
  static constexpr CommandTraits traits = {"EndRenderPass", CommandWork::access, direct_lists};
  std::uint64_t resolve_bytes;  ///< read and written
  std::uint64_t accessed_bytes() const { return resolve_bytes; }
};
/// ExecuteIndirect: the front end reads the argument buffer, then runs one command again and again.
struct ExecuteIndirect {
  static constexpr CommandTraits traits = {"ExecuteIndirect", CommandWork::arguments, shader_lists_and_bundles,
                                           command_rule::predicated};
  std::uint32_t call;  ///< index into CommandStream::indirect_calls
};
/// The engine stops here: nothing but a reset goes on from it (docs/recovery.md).
struct Hang {
  static constexpr CommandTraits traits = {"Hang", CommandWork::stuck, all_lists_but_bundles,
                                           command_rule::waits_for_all};
};
/// The same, and the engine raises DXGK_INTERRUPT_DMA_PAGE_FAULTED.
struct PageFault {
  static constexpr CommandTraits traits = {"PageFault", CommandWork::stuck, all_lists_but_bundles,
                                           command_rule::waits_for_all};
  std::uint32_t access;  ///< index into CommandStream::faulting_accesses
};
/// DiscardResource: what the resource holds is not needed any more (AllocationUse::As::discard says which). Nothing
/// waits for it, and it waits for nothing.
struct Discard {
  static constexpr CommandTraits traits = {"DiscardResource", CommandWork::front_end, direct_and_compute_lists,
                                           command_rule::not_in_render_pass};
};

using Command = std::variant<Draw, DrawIndexed, Dispatch, CopyBuffer, CopyTexture, Clear, Barrier, Timestamp,
                             ExecuteIndirect, Resolve, BeginQuery, EndQuery, ResolveQueryData, SetPredication,
                             BeginRenderPass, EndRenderPass, Hang, PageFault, Discard>;

namespace command_detail {
template <class... Kinds>
constexpr std::array<CommandTraits, sizeof...(Kinds)> traits_of_all(const std::variant<Kinds...>*) {
  return {{Kinds::traits...}};
}
inline constexpr auto traits = traits_of_all(static_cast<const Command*>(nullptr));
}  // namespace command_detail

/// What is so of every command of its kind.
inline const CommandTraits& traits_of(const Command& command) { return command_detail::traits[command.index()]; }
inline const char* name_of(const Command& command) { return traits_of(command).name; }

/// Nothing for a command that is no copy; a kind of CommandWork::copy has a `cost`.
std::optional<CopyCost> copy_cost(const Command& command);
/// Bytes of video memory that a fixed-function command reads and writes: clears, resolves, and what the ends of a
/// render pass come down to. Nothing for any other; a kind of CommandWork::access has `accessed_bytes`.
std::optional<std::uint64_t> access_bytes(const Command& command);

/// What an ExecuteIndirect does: too large for a command, and never unrolled.
struct IndirectCall {
  Command command;                 ///< a draw or dispatch, the same for every argument
  std::uint64_t count = 0;         ///< times the command runs: the smaller of the count buffer's value and the maximum
  std::uint64_t max_count = 0;     ///< the maximum: so many arguments are fetched; below `count`: that many
  std::uint32_t stride_bytes = 0;  ///< from one command's arguments to the next one's
  bool count_buffer = false;       ///< the count was read, too
  bool arguments_in_host = false;  ///< they lie in system memory
};

/// An access to memory that is not there.
struct FaultingAccess {
  std::uint64_t address = 0;   ///< GPU virtual address
  bool write = false;          ///< else it reads
  std::string resource;        ///< that was meant; empty: not known
  bool adapter_reset = false;  ///< ADAPTER_RESET_REQUIRED of DXGK_PAGE_FAULT_FLAGS: resetting the engine is not enough
};

/// An entry of a patch location list: from a command on a slot holds a resource, or nothing. Source:
/// D3DDDI_PATCHLOCATIONLIST, SlotId and PatchOffset.
struct PatchLocation {
  std::size_t command = 0;  ///< index in the stream: from which on it counts
  std::uint32_t slot = 0;   ///< 0 to highest_patch_slot
  bool bound = false;       ///< false: the slot is unbound
};
constexpr std::uint32_t highest_patch_slot = (1u << 24) - 1;  ///< SlotId has 24 bits

/// What a stream says of the places where it may be split.
struct StreamSplits {
  /// Commands before which it may be split, increasing; unset: every boundary between commands.
  std::optional<std::vector<std::size_t>> offsets;
  /// First command of each bundle and the one behind its last: it is not split in between.
  std::vector<std::pair<std::size_t, std::size_t>> bundles;
  /// In order of `command`; empty: it programs what it uses in each piece anew.
  std::vector<PatchLocation> patches;
};

/// A command, or its list, uses an allocation.
struct AllocationUse {
  static constexpr std::size_t of_list = ~std::size_t{0};  ///< of `command`: no command, the list says so
  /// Of a copy its ends; of a Discard that its content is not needed any more.
  enum class As : std::uint8_t { source, destination, other, discard };
  std::size_t command = of_list;  ///< index in the stream; of_list: no command says so, its list does
  std::uint32_t allocation = 0;   ///< its number on the adapter
  As as = As::other;              ///< in what way
  bool in_tiles = false;          ///< of a reserved resource: what is not resident there is nothing, and no page fault
};

/// What a stream says of video memory (docs/residency.md).
struct StreamMemory {
  std::vector<AllocationUse> uses;         ///< in order of `command`
  std::vector<std::uint32_t> allocations;  ///< each once, in order of first use
  std::uint32_t allocations_end = 0;       ///< above all their numbers
  bool discards = false;                   ///< some of the uses are discards
  /// By command: a transfer over PCIe beside it, without which it is not complete. Of what is used in place.
  std::map<std::size_t, Command> remote_reads;
};

/// Recorded commands, immutable once a list is closed; lists and their packets share them.
struct CommandStream {
  std::string name;  ///< of the command list
  /// Of this recording, where others may come to stand in its place; 0: it has none, and is known by where it stands.
  std::uint64_t number = 0;
  std::vector<Command> commands;                     ///< in the order recorded
  std::vector<ComputePipeline> compute_pipelines;    ///< that dispatches name by their index
  std::vector<GraphicsPipeline> graphics_pipelines;  ///< that draws name by their index
  std::vector<IndirectCall> indirect_calls;          ///< that ExecuteIndirect names by their index
  std::vector<FaultingAccess> faulting_accesses;     ///< that PageFault names by their index
  /// By command: a number for the values of the root constants that it has bound, 0 for none; those behind its end have
  /// none. For whoever chooses variants (CommandEffects::variant); engines do not look at it.
  std::vector<std::uint64_t> root_constants;
  /// The same: a number for the way in which its branches go, and one for the resources that it has bound; 0: nobody
  /// says.
  std::vector<std::uint64_t> branches;
  std::vector<std::uint64_t> resources;  ///< as branches
  StreamSplits splits;                   ///< where it may be split
  StreamMemory memory;                   ///< what it uses; empty: nobody says
  std::vector<Marker> markers;           ///< in order of `command`; each end is a beginning's before it
};

/// What is read of the arguments, and of the count.
std::uint64_t argument_bytes(const IndirectCall& call);

/// What a command is called in the log: its pipeline's name, else D3D12's word.
std::string_view label_of(const CommandStream& stream, const Command& command);

// Asked for each command as it is issued.

/// Begins only when every earlier command is complete.
inline bool waits_for_all(const Command& command) {
  if (const auto* end = std::get_if<EndRenderPass>(&command)) return end->resolve_bytes > 0;
  return traits_of(command).has(command_rule::waits_for_all);
}
/// Done when the front end is done with it. A time stamp is taken later, and nothing waits for it; neither does it take
/// time, nor does a discard.
inline bool is_front_end_only(const Command& command) {
  if (const auto* begin = std::get_if<BeginRenderPass>(&command)) return begin->clear_bytes == 0;
  if (const auto* end = std::get_if<EndRenderPass>(&command)) return end->resolve_bytes == 0;
  return traits_of(command).work == CommandWork::front_end;
}

}  // namespace fenceline
