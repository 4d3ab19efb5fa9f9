// SPDX-License-Identifier: Apache-2.0
#include "api/stream_builder.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace fenceline {

ComputePipeline compute_pipeline(std::string name, std::uint64_t group_cycles, std::uint32_t threads) {
  ComputePipeline pipeline;
  pipeline.name = std::move(name);
  pipeline.group.threads = threads;
  pipeline.work.cycles = group_cycles;
  return pipeline;
}

StreamBuilder::StreamBuilder(std::string name) { stream_.name = std::move(name); }

std::uint32_t StreamBuilder::pipeline(ComputePipeline pipeline) {
  stream_.compute_pipelines.push_back(std::move(pipeline));
  return static_cast<std::uint32_t>(stream_.compute_pipelines.size() - 1);
}
std::uint32_t StreamBuilder::pipeline(GraphicsPipeline pipeline) {
  stream_.graphics_pipelines.push_back(std::move(pipeline));
  return static_cast<std::uint32_t>(stream_.graphics_pipelines.size() - 1);
}

StreamBuilder& StreamBuilder::dispatch(std::uint32_t pipeline, std::uint64_t groups) {
  return add(Dispatch{pipeline, groups});
}
StreamBuilder& StreamBuilder::dispatch(ComputePipeline pipeline, std::uint64_t groups) {
  return dispatch(this->pipeline(std::move(pipeline)), groups);
}
StreamBuilder& StreamBuilder::draw(std::uint32_t pipeline, std::uint64_t vertices, std::uint64_t pixels) {
  return add(Draw{pipeline, vertices, 1, vertices / 3, pixels});
}
StreamBuilder& StreamBuilder::draw(GraphicsPipeline pipeline, std::uint64_t vertices, std::uint64_t pixels) {
  return draw(this->pipeline(std::move(pipeline)), vertices, pixels);
}
StreamBuilder& StreamBuilder::copy(CopyRoute route, std::uint64_t bytes) { return add(CopyBuffer{route, bytes}); }
StreamBuilder& StreamBuilder::clear(std::uint64_t bytes) { return add(Clear{bytes}); }
StreamBuilder& StreamBuilder::barrier() { return add(Barrier{}); }
StreamBuilder& StreamBuilder::timestamp(std::uint32_t slot) { return add(Timestamp{slot}); }

StreamBuilder& StreamBuilder::begin_event(std::string name, std::uint32_t color) {
  open_events_.push_back(name);
  stream_.markers.push_back({MarkerKind::begin, std::move(name), color, stream_.commands.size()});
  return *this;
}
StreamBuilder& StreamBuilder::end_event() {
  if (open_events_.empty()) {
    throw std::invalid_argument(fmt::format("command list \"{}\": end_event: no event has begun", stream_.name));
  }
  open_events_.pop_back();
  stream_.markers.push_back({MarkerKind::end, "", 0, stream_.commands.size()});
  return *this;
}
StreamBuilder& StreamBuilder::set_marker(std::string name, std::uint32_t color) {
  stream_.markers.push_back({MarkerKind::set, std::move(name), color, stream_.commands.size()});
  return *this;
}

StreamBuilder& StreamBuilder::add(const Command& command) {
  stream_.commands.push_back(command);
  return *this;
}

std::shared_ptr<const CommandStream> StreamBuilder::finish() {
  if (!open_events_.empty()) {
    throw std::invalid_argument(
        fmt::format("command list \"{}\": finish: event \"{}\" has not ended", stream_.name, open_events_.back()));
  }
  return std::make_shared<const CommandStream>(std::exchange(stream_, {}));
}

}  // namespace fenceline
