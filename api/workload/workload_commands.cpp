// SPDX-License-Identifier: Apache-2.0
#include "api/timeline/workload_range.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"
#include "sim/config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fenceline {
namespace {

/// Each is simulated and logged: a million take some seconds.
constexpr std::uint64_t most_indirect_commands = 1'000'000;
const Range byte_range = between(1, 1e15);
const Range work_range = between(0, 1e15);

void describe_draw_work(Fields& f, std::optional<std::uint64_t>& triangles, std::uint64_t& pixels,
                        std::uint64_t& extent_pixels) {
  f.optional("triangles", triangles, "triangles of all instances; absent: one for every three vertices",
             between(0, 1e12));
  f.optional("pixels", pixels, "pixels shaded and written, all instances", between(0, 1e12));
  f.optional("extent_pixels", extent_pixels,
             "pixels of the screen over which the triangles are spread, for what close neighbours save; 0: far apart",
             between(0, 1e12));
}

void describe_root_constants(Fields& f, std::vector<std::uint32_t>& root_constants) {
  f.optional("root_constants", root_constants,
             "32-bit values of the root constants that are bound: the driver may compile a variant of the pipeline for "
             "values that come often; empty: there are none, and nothing is measured");
}

void describe_inputs(Fields& f, ShaderInputs& inputs) {
  f.optional("branches", inputs.branches,
             "which way the branches of its shaders went, a number each: measured intrusively, beside root_constants; "
             "empty: not said");
  f.optional("resources", inputs.resources,
             "names of the resources that its shaders have bound, in their order: measured intrusively, beside "
             "root_constants; empty: not said");
}

void describe_route(Fields& f, std::optional<CopyRoute>& route) {
  f.optional("route", route, "in place of names of resources: the memories that are read and written");
}

/// A command says resources, or numbers in their place.
void check_numbers(Fields& f, bool numbers, bool all_named, bool some_named, const char* names, const char* in_place) {
  f.check(numbers ? !some_named : all_named, fmt::format("{}, or {} in place of that", names, in_place),
          numbers && some_named ? "both" : "neither");
}

}  // namespace

void describe(Fields& f, DrawCommand& c) {
  f.about("DrawInstanced");
  f.required("pipeline", c.pipeline, "name of a graphics pipeline");
  f.optional("vertices", c.vertices, "vertices of one instance", between(0, 1e9));
  f.optional("instances", c.instances, "instances", between(0, 1e9));
  describe_draw_work(f, c.triangles, c.pixels, c.extent_pixels);
  describe_root_constants(f, c.root_constants);
  describe_inputs(f, c.inputs);
}

void describe(Fields& f, DrawIndexedCommand& c) {
  f.about("DrawIndexedInstanced");
  f.required("pipeline", c.pipeline, "name of a graphics pipeline");
  f.optional("indices", c.indices, "indices of one instance", between(0, 1e9));
  f.optional("instances", c.instances, "instances", between(0, 1e9));
  f.optional("unique_vertices", c.unique_vertices, "vertices shaded for one instance; absent: one for every index",
             between(0, 1e9));
  describe_draw_work(f, c.triangles, c.pixels, c.extent_pixels);
  describe_root_constants(f, c.root_constants);
  describe_inputs(f, c.inputs);
}

void describe(Fields& f, DispatchCommand& c) {
  f.about("Dispatch");
  f.required("pipeline", c.pipeline, "name of a compute pipeline");
  f.optional("x", c.x, "thread groups in x", between(0, static_cast<double>(DispatchCommand::most_groups)));
  f.optional("y", c.y, "thread groups in y", between(0, 65535));
  f.optional("z", c.z, "thread groups in z", between(0, 65535));
  describe_root_constants(f, c.root_constants);
  describe_inputs(f, c.inputs);
}

void describe(Fields& f, CopyBufferCommand& c) {
  f.about("CopyBufferRegion");
  f.optional("source", c.source, "name of a buffer");
  f.optional("destination", c.destination, "name of a buffer");
  f.optional("source_offset", c.source_offset, "bytes", work_range);
  f.optional("destination_offset", c.destination_offset, "bytes", work_range);
  f.optional("bytes", c.bytes, "absent: all that fits both", byte_range);
  describe_route(f, c.route);
  check_numbers(f, c.route.has_value(), !c.source.empty() && !c.destination.empty(),
                !c.source.empty() || !c.destination.empty(), "source and destination", "route and bytes");
  f.check(!c.route || c.bytes.has_value(), "bytes beside route", "none", "bytes");
  describe_effects(f, c.effects, c.route.has_value(), "route and bytes");
  f.optional(
      "predicated", c.predicated,
      "a predicate that skips it skips its effects; false: WriteBufferImmediate, which D3D12 does not predicate");
  f.check(c.predicated || !c.effects.empty(), "effects beside predicated false", "none", "predicated");
}

void describe(Fields& f, CopyTextureCommand& c) {
  f.about("CopyTextureRegion of a whole texture; the other side is a texture or a buffer");
  f.optional("source", c.source, "name of a texture or buffer");
  f.optional("destination", c.destination, "name of a texture or buffer");
  describe_route(f, c.route);
  f.optional("row_bytes", c.row_bytes, "beside route: bytes of a row's texels that are copied", work_range);
  f.optional("rows", c.rows, "beside route: rows of all slices", work_range);
  check_numbers(f, c.route.has_value(), !c.source.empty() && !c.destination.empty(),
                !c.source.empty() || !c.destination.empty(), "source and destination", "route, row_bytes and rows");
  f.check(c.route || (c.row_bytes == 0 && c.rows == 0), "route beside row_bytes and rows", "none", "route");
  describe_effects(f, c.effects, c.route.has_value(), "route, row_bytes and rows");
}

void describe(Fields& f, ClearCommand& c) {
  f.about("ClearRenderTargetView, ClearDepthStencilView or ClearUnorderedAccessView");
  f.optional("target", c.target, "name of a resource in video memory");
  f.optional("bytes", c.bytes, "in place of the target: how much is cleared", work_range);
  check_numbers(f, c.bytes.has_value(), !c.target.empty(), !c.target.empty(), "target", "bytes");
  f.optional("value", c.value,
             "bytes that are written again and again, 1 to 16 that divide a texel's or the buffer's bytes, where the "
             "workload acts on bytes; empty: zeros",
             between(0, 255));
  describe_effects(f, c.effects, c.bytes.has_value(), "bytes");
}

void describe(Fields& f, BarrierCommand&) { f.about("ResourceBarrier: waits for all earlier commands of the list"); }

void describe(Fields& f, TimestampCommand& c) {
  f.about("EndQuery of a time stamp: taken when all earlier commands of the list are complete");
  f.required("slot", c.slot, "index in the query heap");
}

void describe(Fields& f, ExecuteIndirectCommand& c) {
  f.about("ExecuteIndirect: one command again and again, with arguments that the front end reads from a buffer");
  f.required("command", c.command, "draw, draw_indexed or dispatch: what each argument leads to");
  f.required("max_count", c.max_count, "MaxCommandCount; at most 1000000 commands may run", between(0, 4294967295));
  f.optional("count", c.count, "value of the count buffer; absent: no count buffer, max_count commands",
             between(0, 4294967295));
  const std::uint64_t runs = std::min(c.max_count, c.count.value_or(c.max_count));
  f.check(runs <= most_indirect_commands, fmt::format("at most {} commands that run", most_indirect_commands),
          fmt::format("{}", runs), c.count && *c.count < c.max_count ? "count" : "max_count");
  f.optional("arguments", c.arguments, "name of the argument buffer");
  f.optional("arguments_heap", c.arguments_heap, "in place of the buffer's name: the heap on which it lies");
  check_numbers(f, c.arguments_heap.has_value(), !c.arguments.empty(), !c.arguments.empty(), "arguments",
                "arguments_heap");
  f.optional("arguments_offset", c.arguments_offset, "bytes, a multiple of 4", work_range);
  f.optional("stride", c.stride,
             "ByteStride of the command signature; absent: 16 for draw, 20 for draw_indexed, 12 for dispatch",
             between(12, 65536));
}

void describe(Fields& f, ExecuteBundleCommand& c) {
  f.about("ExecuteBundle: the bundle's commands, as if they were recorded here");
  f.required("bundle", c.bundle, "name of a command list of type bundle");
}

void describe(Fields& f, ResolveCommand& c) {
  f.about("ResolveSubresource: each sample of the source is read, each texel of the destination written");
  f.optional("source", c.source, "name of a texture with several samples");
  f.optional("destination", c.destination, "name of a texture of its size with one");
  f.optional("bytes", c.bytes, "in place of source and destination, beside samples: how much is written", work_range);
  f.optional("samples", c.samples, "beside bytes: of the source", between(1, 32));
  check_numbers(f, c.bytes.has_value(), !c.source.empty() && !c.destination.empty(),
                !c.source.empty() || !c.destination.empty(), "source and destination", "bytes and samples");
  describe_effects(f, c.effects, c.bytes.has_value(), "bytes and samples");
}

void describe_query(Fields& f, QueryType& query, std::uint32_t& slot) {
  f.required("query", query, "type of the query");
  f.required("slot", slot, "index in the query heap of that type; both kinds of occlusion share one");
}

void describe(Fields& f, BeginQueryCommand& c) {
  f.about("BeginQuery of anything but a time stamp");
  describe_query(f, c.query, c.slot);
}

void describe(Fields& f, EndQueryCommand& c) {
  f.about("EndQuery; of a time stamp it is the same as timestamp");
  describe_query(f, c.query, c.slot);
}

void describe(Fields& f, ResolveQueryDataCommand& c) {
  f.about("ResolveQueryData: waits for all earlier commands of the list, then copies results of queries to a buffer");
  f.required("query", c.query, "type of the queries; a result is 8 bytes, of pipeline_statistics 88");
  f.optional("first_slot", c.first_slot, "index in the query heap");
  f.optional("count", c.count, "queries", between(0, 4294967295));
  f.optional("destination", c.destination, "name of a buffer that is not on an upload heap");
  f.optional("destination_offset", c.destination_offset, "bytes, a multiple of 8", work_range);
  describe_route(f, c.route);
  f.optional("bytes", c.bytes, "beside route: of the results", work_range);
  check_numbers(f, c.route.has_value(), !c.destination.empty(), !c.destination.empty(), "destination",
                "route and bytes");
  f.check(c.route.has_value() == c.bytes.has_value(), "bytes beside route", "one of them", "bytes");
  describe_effects(f, c.effects, c.route.has_value(), "route and bytes");
}

void describe(Fields& f, SetPredicationCommand& c) {
  f.about(
      "SetPredication: from here on draws, dispatches, copies, clears, resolves and ExecuteIndirect of the list may be "
      "skipped; they then cost front-end cycles only");
  f.optional("buffer", c.buffer, "name of the buffer with the predicate; empty: nothing is skipped any more");
  f.optional("offset", c.offset, "bytes, a multiple of 8", work_range);
  f.optional("skip", c.skip, "what the predicate says; required with a buffer");
  f.optional("unnamed_buffer", c.unnamed_buffer, "there is a buffer with a predicate, which has no name here");
  const bool reads = !c.buffer.empty() || c.unnamed_buffer;
  f.check(c.buffer.empty() || !c.unnamed_buffer, "buffer or unnamed_buffer", "both");
  f.check(!reads || c.skip.has_value(), "skip beside a buffer", "a buffer alone");
  f.check(reads || !c.skip.has_value(), "a buffer beside skip", "skip alone");
}

void describe(Fields& f, RenderPassTarget& c) {
  f.about("a render target or depth buffer of a render pass");
  f.required("target", c.target, "name of a texture");
  f.optional("beginning", c.beginning, "what becomes of its contents when the pass begins");
  f.optional("ending", c.ending, "what becomes of them when it ends");
  f.optional("resolve_to", c.resolve_to, "texture that the target is resolved to; with ending resolve only");
  const bool resolves = c.ending == EndingAccess::resolve;
  f.check(!resolves || !c.resolve_to.empty(), "resolve_to beside the ending access resolve", "none");
  f.check(resolves || c.resolve_to.empty(), "the ending access resolve beside resolve_to", "another one", "ending");
}

void describe(Fields& f, BeginRenderPassCommand& c) {
  f.about(
      "BeginRenderPass: targets are cleared as they ask; until end_render_pass the list may draw, but not copy, clear, "
      "resolve or dispatch");
  f.optional("targets", c.targets, "render targets and depth buffer");
  f.optional("clear_bytes", c.clear_bytes, "in place of the targets: how much is cleared", work_range);
  f.check(!c.clear_bytes || c.targets.empty(), "targets or clear_bytes", "both");
  // D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT and a depth buffer.
  f.check(c.clear_bytes || (!c.targets.empty() && c.targets.size() <= 9), "1 to 9 targets",
          std::to_string(c.targets.size()), "targets");
  describe_effects(f, c.effects, c.clear_bytes.has_value(), "clear_bytes");
}

void describe(Fields& f, EndRenderPassCommand& c) {
  f.about("EndRenderPass: targets with the ending access resolve are resolved once the draws are complete");
  f.optional("resolve_bytes", c.resolve_bytes, "in place of what the targets say: how much is read and written",
             work_range);
  describe_effects(f, c.effects, c.resolve_bytes.has_value(), "resolve_bytes");
}

void describe(Fields& f, HangCommand&) {
  f.about("the engine stops here, once what came before in the list is complete: nothing but a reset ends it");
}

void describe(Fields& f, PageFaultCommand& c) {
  f.about("an access to memory that is not there: the engine stops as with hang, and raises dma_page_faulted");
  f.optional("address", c.address, "GPU virtual address");
  f.optional("write", c.write, "it writes; false: it reads");
  f.optional("resource", c.resource, "name of the resource that was meant; empty: not known");
  f.optional("adapter_reset", c.adapter_reset, "resetting the engine is not enough (ADAPTER_RESET_REQUIRED)");
}

void describe(Fields& f, DiscardCommand& c) {
  f.about("DiscardResource: its content is not needed any more, until a later command has used it");
  f.optional("resource", c.resource, "name of a resource in video memory; empty: one that has no name here");
}

void describe(Fields& f, BeginEventCommand& c) {
  f.about(
      "BeginEvent: a region of the list begins, which end_event ends (of the list or a bundle that it executes); takes "
      "no time");
  describe(f, static_cast<MarkerText&>(c));
}

void describe(Fields& f, EndEventCommand&) {
  f.about("EndEvent: the region ends that began last and has not ended; takes no time");
}

void describe(Fields& f, SetMarkerCommand& c) {
  f.about("SetMarker: a single place in the list; takes no time");
  describe(f, static_cast<MarkerText&>(c));
}

void describe(Fields& f, RepeatCommand& c) {
  f.about("the commands, so many times");
  f.required("count", c.count, "rounds", workload_range::count);
  f.required("commands", c.commands, "in order; no repeat among them, but bundles, which may have some");
  f.check(!c.commands.empty(), "at least one command", "none", "commands");
}

void describe(Fields& f, PatchInfo& c) {
  f.about("an entry of a patch location list: what a slot holds from a command on");
  f.required("command", c.command,
             "number of the list's command, a repeat being one, from which on it counts (PatchOffset)");
  f.required("slot", c.slot, "which (SlotId)", between(0, highest_patch_slot));
  f.optional("resource", c.resource, "what it holds; empty: the slot is unbound");
}

void describe(Fields& f, CommandListInfo& c) {
  f.about("a closed command list");
  f.required("name", c.name, "name of the command list");
  f.optional("label", c.label,
             "what files of a run call it, where names have to differ and those do not; empty: its name");
  f.required("type", c.type,
             "command list type: what it may contain and which queues take it; bundles are executed by direct lists");
  f.required("commands", c.commands, "in order");
  f.optional("uses", c.uses,
             "names of resources that it uses besides those that its commands name: they have to be resident, or used "
             "in place, when it runs");
  f.optional("split_offsets", c.split_offsets,
             "numbers of the commands, a repeat being one, before which a list that is too long for a DMA buffer may "
             "be split, increasing; "
             "absent: all, but in render passes");
  f.optional("patches", c.patches,
             "patch location list, in order of `command`: held against binding leaks where the list is split");
}

}  // namespace fenceline
