// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_engine.hpp"

#include <utility>

namespace fenceline {
namespace {

const Draw* draw_in(const Command* command) {
  if (command == nullptr) return nullptr;
  if (const auto* indexed = std::get_if<DrawIndexed>(command)) return &indexed->draw;
  return std::get_if<Draw>(command);
}

}  // namespace

GraphicsEngine::GraphicsEngine(sc_core::sc_module_name module_name, const GraphicsEngineConfig& config,
                               ShaderArray& array, Memory& memory, EventLog& log)
    : ShaderEngine(module_name, config, array, memory, log),
      rates_(config.rates),
      pipeline_change_cycles_(config.pipeline_change_cycles),
      dispatch_switch_cycles_(config.dispatch_switch_cycles),
      draws_(config, array, memory, agenda(), clock(), *this, *this) {}

bool GraphicsEngine::must_drain(const Command& running, const Command& next) const {
  const CommandWork from = traits_of(running).work;
  const CommandWork to = traits_of(next).work;
  return (from == CommandWork::draw && to == CommandWork::grid) ||
         (from == CommandWork::grid && to == CommandWork::draw);
}

std::uint64_t GraphicsEngine::front_end_cycles(const Command* previous, const Command& next) const {
  const std::uint64_t cycles = engine_config().command_cycles;
  const Draw* last = draw_in(previous);
  if (const Draw* draw = draw_in(&next)) {
    return cycles + (last != nullptr && last->pipeline != draw->pipeline ? pipeline_change_cycles_ : 0);
  }
  const bool begins = previous == nullptr || last != nullptr;
  return cycles + (begins && traits_of(next).work == CommandWork::grid ? dispatch_switch_cycles_ : 0);
}

Grid GraphicsEngine::grid_of(const DmaPacket& packet) const {
  Grid grid = ShaderEngine::grid_of(packet);
  grid.of_graphics_queue = true;
  return grid;
}

void GraphicsEngine::start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued,
                           const CommandRemainder* left, Callback done) {
  const Command& command = *issued.command;
  const auto pipeline_of = [&](const Draw& draw) -> const GraphicsPipeline& {
    const GraphicsPipeline* const variant = issued.variant.graphics;
    return variant != nullptr ? *variant : packet.stream->graphics_pipelines[draw.pipeline];
  };
  if (id >= draw_of_.size()) draw_of_.resize(id + 1, none);
  draw_of_[id] = none;
  const auto start_draw = [&](const auto& drawn, const Draw& draw) {
    const GraphicsPipeline& pipeline = pipeline_of(draw);
    const DrawCost cost = draw_cost(drawn, pipeline, rates_);
    draw_of_[id] = draws_.start(id, grid_of(packet), cost, draw.triangles, pipeline, left, done);
  };
  if (const auto* draw = std::get_if<Draw>(&command)) {
    start_draw(*draw, *draw);
  } else if (const auto* indexed = std::get_if<DrawIndexed>(&command)) {
    start_draw(*indexed, indexed->draw);
  } else {
    ShaderEngine::start(id, packet, issued, left, done);
  }
}

void GraphicsEngine::halt(std::uint32_t id, PreemptionLevel level) {
  if (draw_of_[id] == none) {
    ShaderEngine::halt(id, level);
  } else {
    draws_.halt(draw_of_[id], level);
  }
}

void GraphicsEngine::draw_halted(std::uint32_t id, CommandRemainder left) {
  left.state = state_of(left.vertices);
  left.state += state_of(left.grid);
  halted(id, std::move(left));
}

void GraphicsEngine::grid_halted(std::uint64_t tag, GridRemainder left) {
  if (DrawTag::is_draw(tag)) {
    draws_.grid_halted(tag, std::move(left));
  } else {
    ShaderEngine::grid_halted(tag, std::move(left));
  }
}

bool GraphicsEngine::has_worked(std::uint32_t id, PreemptionLevel level) const {
  return draw_of_[id] == none ? ShaderEngine::has_worked(id, level) : draws_.has_worked(draw_of_[id], level);
}

void GraphicsEngine::reranked(const DmaPacket& packet) {
  ShaderEngine::reranked(packet);
  draws_.reranked(packet);
}

WorkClass GraphicsEngine::class_of(const Command& command) const {
  return traits_of(command).work == CommandWork::grid ? WorkClass::compute : WorkClass::graphics;
}

}  // namespace fenceline
