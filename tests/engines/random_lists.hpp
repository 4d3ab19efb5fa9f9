// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/graphics_cost.hpp"
#include "tests/engines/shader_array/random_grids.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// What a list asks of the machine.
struct Demand {
  std::uint64_t groups = 0;
  std::uint64_t device_bytes = 0;  ///< of video memory and L2
  std::uint64_t to_device_bytes = 0;
  std::uint64_t to_host_bytes = 0;
  std::uint64_t timestamps = 0;

  void add_copy(CopyRoute route, std::uint64_t bytes) {
    if (route == CopyRoute::device_to_device) device_bytes += 2 * bytes;
    if (route == CopyRoute::host_to_device || route == CopyRoute::device_to_host) device_bytes += bytes;
    if (route == CopyRoute::host_to_device || route == CopyRoute::host_to_host) to_device_bytes += bytes;
    if (route == CopyRoute::device_to_host || route == CopyRoute::host_to_host) to_host_bytes += bytes;
  }
  void add_draw(const DrawCost& cost) {
    groups += cost.vertex_groups + cost.pixel_groups;
    device_bytes += cost.vram_bytes;
  }
  void add(const CommandStream& stream, const Command& command, const RasterRates& rates) {
    if (const auto copy = copy_cost(command)) add_copy(copy->route, copy->bytes);
    if (const auto bytes = access_bytes(command)) device_bytes += *bytes;
    if (const auto* draw = std::get_if<Draw>(&command)) {
      add_draw(draw_cost(*draw, stream.graphics_pipelines[draw->pipeline], rates));
    } else if (const auto* indexed = std::get_if<DrawIndexed>(&command)) {
      add_draw(draw_cost(*indexed, stream.graphics_pipelines[indexed->draw.pipeline], rates));
    } else if (const auto* dispatch = std::get_if<Dispatch>(&command)) {
      groups += dispatch->groups;
      device_bytes += dispatch->groups * stream.compute_pipelines[dispatch->pipeline].work.vram_bytes;
    } else if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
      const IndirectCall& call = stream.indirect_calls[indirect->call];
      device_bytes += argument_bytes(call);
      if (call.arguments_in_host) to_device_bytes += argument_bytes(call);
      for (std::uint64_t i = 0; i < call.count; ++i) add(stream, call.command, rates);
    }
    timestamps += std::holds_alternative<Timestamp>(command) ? 1 : 0;
  }
};

inline Demand demand_of(const CommandStream& stream, const RasterRates& rates) {
  Demand demand;
  bool skip = false;
  for (const Command& command : stream.commands) {
    if (const auto* predication = std::get_if<SetPredication>(&command)) skip = predication->skip;
    if (!skip || !traits_of(command).has(command_rule::predicated)) demand.add(stream, command, rates);
  }
  return demand;
}

/// Lists of every command that a kind of engine runs.
class RandomLists : public RandomGrids {
 public:
  enum class Kind : std::uint8_t { copy, compute, graphics };
  RandomLists(std::uint64_t seed, Kind kind) : RandomGrids(seed), kind_(kind) {}

  /// Draws and dispatches have a pipeline each, named after their place.
  CommandStream list(std::uint64_t commands) {
    CommandStream stream;
    for (std::uint64_t i = 0; i < commands; ++i) stream.commands.push_back(command(stream, i));
    return stream;
  }

 private:
  Command command(CommandStream& stream, std::uint64_t place) {
    const std::uint64_t what = below(kind_ == Kind::copy ? 7 : kind_ == Kind::compute ? 14 : 22);
    const auto route = static_cast<CopyRoute>(below(4));
    const std::uint64_t bytes = one_in(9) ? 0 : below(one_in(2) ? 100'000 : 4000);
    const auto slot = static_cast<std::uint32_t>(place);
    switch (what) {
      case 0: return CopyBuffer{route, bytes};
      case 1: return CopyTexture{route, below(600), below(40)};
      case 2: return ResolveQueryData{route, below(1000)};
      case 3: return Barrier{};
      case 4: return Timestamp{slot};
      case 5: return SetPredication{one_in(4), one_in(2)};
      case 6: return one_in(2) ? Command(BeginQuery{QueryType::occlusion, 1}) : EndQuery{QueryType::occlusion, 1};
      case 7: return Clear{bytes};
      case 8: return indirect(stream, place);
      case 9: return one_in(2) ? Command(Discard{}) : Timestamp{slot};
      case 10: return Timestamp{slot};
      case 14: return Resolve{bytes, 4};
      case 15: return BeginRenderPass{one_in(2) ? 0 : bytes};
      case 16: return EndRenderPass{one_in(2) ? 0 : bytes};
      default: return what < 14 ? dispatch(stream, place) : draw(stream, place);
    }
  }
  Command dispatch(CommandStream& stream, std::uint64_t place) {
    ComputePipeline pipeline;
    pipeline.name = "c" + std::to_string(place);
    pipeline.group = footprint();
    pipeline.work.cycles = one_in(9) ? 0 : below(3000);
    if (one_in(2)) pipeline.work.shader = shader();
    if (one_in(3)) pipeline.work.vram_bytes = below(4000);
    if (one_in(6)) pipeline.work.working_set_bytes = 1 + below(100'000);
    stream.compute_pipelines.push_back(pipeline);
    return Dispatch{static_cast<std::uint32_t>(stream.compute_pipelines.size() - 1), one_in(9) ? 0 : below(40)};
  }
  Command draw(CommandStream& stream, std::uint64_t place) {
    GraphicsPipeline pipeline;
    pipeline.name = "c" + std::to_string(place);
    pipeline.vertex_shader = shader();
    pipeline.pixel_shader = shader();
    pipeline.bytes_per_pixel = below32(12);
    pipeline.bytes_per_vertex = below32(40);
    pipeline.blend = one_in(3);
    stream.graphics_pipelines.push_back(pipeline);
    const std::uint64_t triangles = below(one_in(2) ? 20 : 1000);
    const Draw draw{static_cast<std::uint32_t>(stream.graphics_pipelines.size() - 1),
                    one_in(5) ? 0 : below(3000),
                    1 + below(2),
                    triangles,
                    triangles == 0 ? 0 : below(20'000),
                    0};
    if (one_in(3)) return DrawIndexed{draw, draw.vertices / 2};
    return draw;
  }
  Command indirect(CommandStream& stream, std::uint64_t place) {
    const Command command = kind_ == Kind::graphics && one_in(2) ? draw(stream, place) : dispatch(stream, place);
    stream.indirect_calls.push_back({command, below(5), 4 * (1 + below32(50)), one_in(2), one_in(3)});
    return ExecuteIndirect{static_cast<std::uint32_t>(stream.indirect_calls.size() - 1)};
  }

  Kind kind_;
};

}  // namespace fenceline::testing
