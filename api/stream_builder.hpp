// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/pipeline.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// A pipeline state of `threads` threads a group whose every group takes so many SM cycles, whatever else runs.
ComputePipeline compute_pipeline(std::string name, std::uint64_t group_cycles, std::uint32_t threads = 256);

/// Records a command stream, command by command, for Machine::execute:
///
///     const auto frame = StreamBuilder("frame").draw(opaque, 3 * triangles, pixels).barrier().dispatch(blur,
///     510).finish();
///
/// Each call with a pipeline sets a new pipeline state. For one that is set again and again, add it once by `pipeline`
/// and name its number.
class StreamBuilder {
 public:
  /// The name of the command list: PacketTimes and every file of a run call its packets so.
  explicit StreamBuilder(std::string name);

  /// Adds a pipeline state. Its number is what commands name it by.
  std::uint32_t pipeline(ComputePipeline pipeline);
  /// Graphics pipelines are numbered apart from compute pipelines.
  std::uint32_t pipeline(GraphicsPipeline pipeline);

  /// A grid of that many thread groups, x * y * z. Direct and compute queues.
  StreamBuilder& dispatch(std::uint32_t pipeline, std::uint64_t groups);
  /// A grid of that many thread groups with a pipeline state of its own. Direct and compute queues.
  StreamBuilder& dispatch(ComputePipeline pipeline, std::uint64_t groups);
  /// One instance of a triangle list that covers so many pixels, after depth and scissor. Direct queues. What else a
  /// draw may say stands in Draw and DrawIndexed: see `add`.
  StreamBuilder& draw(std::uint32_t pipeline, std::uint64_t vertices, std::uint64_t pixels);
  /// One instance of a triangle list that covers so many pixels, with a pipeline state of its own. Direct queues.
  StreamBuilder& draw(GraphicsPipeline pipeline, std::uint64_t vertices, std::uint64_t pixels);
  /// A copy between buffers; the route says where they lie. All queues.
  StreamBuilder& copy(CopyRoute route, std::uint64_t bytes);
  /// A clear of a target of so many bytes. Direct and compute queues.
  StreamBuilder& clear(std::uint64_t bytes);
  /// What follows waits for everything before. All queues.
  StreamBuilder& barrier();
  /// A time stamp once everything before is complete. All queues.
  StreamBuilder& timestamp(std::uint32_t slot);
  /// What follows is a region that files of a run show by that name, until end_event; takes no time. `color` as
  /// PIX_COLOR has it, 0xffRRGGBB; 0: not said. All queues.
  StreamBuilder& begin_event(std::string name, std::uint32_t color = 0);
  /// The region that began last ends. std::invalid_argument: none has begun.
  StreamBuilder& end_event();
  /// A single place that files of a run show by that name; takes no time. All queues.
  StreamBuilder& set_marker(std::string name, std::uint32_t color = 0);
  /// Any other command.
  StreamBuilder& add(const Command& command);

  /// The stream, which machines may execute any number of times. The builder is empty then. std::invalid_argument: an
  /// event has not ended.
  std::shared_ptr<const CommandStream> finish();

 private:
  CommandStream stream_;
  std::vector<std::string> open_events_;
};

}  // namespace fenceline
