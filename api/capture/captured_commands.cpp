// SPDX-License-Identifier: Apache-2.0
#include "api/capture/captured_commands.hpp"

#include "api/capture/captured_markers.hpp"
#include "api/capture/cbor_map.hpp"
#include "api/capture/word_of.hpp"

#include <type_traits>
#include <variant>

namespace fenceline {

void CapturedCommands::add_draw(CborMap& to, const Draw& draw) const {
  to.add("pipeline", pipeline(graphics_, draw.pipeline));
  to.add_unless("instances", draw.instances, 1);
  to.add_unless("triangles", draw.triangles, draw.vertices / 3 * draw.instances);
  to.add_unless("pixels", draw.pixels, 0);
  to.add_unless("extent_pixels", draw.extent_pixels, 0);
}

/// The command's own, or the variant that it had in its place.
const std::string& CapturedCommands::pipeline(const std::vector<std::string>& own, std::uint32_t index) const {
  const auto variant = variants_.find(index_);
  return variant != variants_.end() ? variant->second : own[index];
}

void CapturedCommands::append(std::string& to, std::size_t index) {
  index_ = index;
  const Command& command = stream_.commands[index];
  if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
    const auto came_to = outcomes_.calls.find(index);
    return append_indirect(to,
                           came_to != outcomes_.calls.end() ? came_to->second : stream_.indirect_calls[indirect->call]);
  }
  if (const auto* set = std::get_if<SetPredication>(&command)) {
    const auto came_to = outcomes_.skips.find(index);
    CborMap map(to);
    map.add("type", "set_predication");
    if (!set->reads) return;
    map.add("unnamed_buffer", true);
    map.add("skip", came_to != outcomes_.skips.end() ? came_to->second : set->skip);
    return;
  }
  append(to, command);
}

void CapturedCommands::append(std::string& to, const Command& command) {
  CborMap map(to);
  std::visit(
      [&](const auto& one) {
        using Kind = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Kind, Draw>) {
          map.add("type", "draw");
          map.add("vertices", one.vertices);
          add_draw(map, one);
        } else if constexpr (std::is_same_v<Kind, DrawIndexed>) {
          map.add("type", "draw_indexed");
          map.add("indices", one.draw.vertices);
          map.add_unless("unique_vertices", one.unique_vertices, one.draw.vertices);
          add_draw(map, one.draw);
        } else if constexpr (std::is_same_v<Kind, Dispatch>) {
          map.add("type", "dispatch");
          map.add("pipeline", pipeline(compute_, one.pipeline));
          map.add("x", one.groups);
        } else if constexpr (std::is_same_v<Kind, CopyBuffer>) {
          map.add("type", "copy_buffer");
          map.add("route", word_of(one.route));
          map.add("bytes", one.bytes);
        } else if constexpr (std::is_same_v<Kind, CopyTexture>) {
          map.add("type", "copy_texture");
          map.add("route", word_of(one.route));
          map.add("row_bytes", one.row_bytes);
          map.add("rows", one.rows);
        } else if constexpr (std::is_same_v<Kind, Clear>) {
          map.add("type", "clear");
          map.add("bytes", one.bytes);
        } else if constexpr (std::is_same_v<Kind, Barrier>) {
          map.add("type", "barrier");
        } else if constexpr (std::is_same_v<Kind, Timestamp>) {
          map.add("type", "timestamp");
          map.add("slot", one.slot);
        } else if constexpr (std::is_same_v<Kind, Resolve>) {
          map.add("type", "resolve");
          map.add("bytes", one.bytes);
          map.add("samples", one.samples);
        } else if constexpr (std::is_same_v<Kind, BeginQuery>) {
          map.add("type", "begin_query");
          map.add("query", word_of(one.type));
          map.add("slot", begin(one));
        } else if constexpr (std::is_same_v<Kind, EndQuery>) {
          map.add("type", "end_query");
          map.add("query", word_of(one.type));
          map.add("slot", end(one));
        } else if constexpr (std::is_same_v<Kind, ResolveQueryData>) {
          map.add("type", "resolve_query_data");
          map.add("query", "timestamp");  // of which kind they are is not known here, nor asked
          map.add("route", word_of(one.route));
          map.add("bytes", one.bytes);
        } else if constexpr (std::is_same_v<Kind, BeginRenderPass>) {
          map.add("type", "begin_render_pass");
          map.add("clear_bytes", one.clear_bytes);
        } else if constexpr (std::is_same_v<Kind, EndRenderPass>) {
          map.add("type", "end_render_pass");
          map.add("resolve_bytes", one.resolve_bytes);
        } else if constexpr (std::is_same_v<Kind, Hang>) {
          map.add("type", "hang");
        } else if constexpr (std::is_same_v<Kind, PageFault>) {
          const FaultingAccess& access = stream_.faulting_accesses[one.access];
          map.add("type", "page_fault");
          map.add_unless("address", access.address, 0);
          if (access.write) map.add("write", true);
          if (access.adapter_reset) map.add("adapter_reset", true);
        } else if constexpr (std::is_same_v<Kind, Discard>) {
          map.add("type", "discard");
        } else {
          // `append` of an index says these, and nothing repeats them.
          static_assert(std::is_same_v<Kind, ExecuteIndirect> || std::is_same_v<Kind, SetPredication>);
        }
      },
      command);
  const auto effects = outcomes_.effects.find(index_);
  if (effects == outcomes_.effects.end() || effects->second.empty()) return;
  if (outcomes_.not_predicated.count(index_) > 0) map.add("predicated", false);
  const std::vector<std::uint8_t> cbor = nlohmann::json::to_cbor(effects->second);
  map.value_of("effects").append(reinterpret_cast<const char*>(cbor.data()), cbor.size());
}

std::size_t CapturedCommands::append_markers(std::string& to, std::size_t index) {
  const std::size_t first = marker_;
  for (; marker_ < stream_.markers.size() && stream_.markers[marker_].command <= index; ++marker_) {
    const Marker& marker = stream_.markers[marker_];
    CborMap map(to);
    map.add("type", type_of(marker.kind));
    if (marker.kind == MarkerKind::end) continue;
    map.add("name", marker.name);
    map.add_unless("color", marker.color, 0);
  }
  return marker_ - first;
}

void CapturedCommands::append_indirect(std::string& to, const IndirectCall& call) {
  CborMap map(to);
  map.add("type", "execute_indirect");
  append(map.value_of("command"), call.command);
  map.add("max_count", std::max(call.count, call.max_count));
  // Arguments that ask for no group need no count to come to nothing.
  const auto* const dispatch = std::get_if<Dispatch>(&call.command);
  const bool no_group = dispatch != nullptr && dispatch->groups == 0;
  if (call.count_buffer || (call.count < call.max_count && !no_group)) map.add("count", call.count);
  map.add("stride", std::uint64_t{call.stride_bytes});
  map.add("arguments_heap", call.arguments_in_host ? "upload" : "default");
}

std::uint32_t CapturedCommands::begin(const BeginQuery& query) {
  open_queries_[{query.type, query.slot}].push_back(next_query_);
  return next_query_++;
}

std::uint32_t CapturedCommands::end(const EndQuery& query) {
  std::deque<std::uint32_t>& open = open_queries_[{query.type, query.slot}];
  if (open.empty()) return query.slot;
  const std::uint32_t slot = open.front();
  open.pop_front();
  return slot;
}

}  // namespace fenceline
