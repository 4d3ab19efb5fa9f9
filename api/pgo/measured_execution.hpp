// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/pgo/pgo_driver.hpp"
#include "engines/command/command.hpp"
#include "engines/command/command_effects.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline {

/// The driver's pipeline state behind each of a stream's, by index; null: it is not measured.
struct StreamPipelines {
  std::vector<PgoPipeline*> compute;
  std::vector<PgoPipeline*> graphics;
};

/// One execution of a stream as the driver sees it: draws and dispatches with root constants begin with the variant
/// that their constants select, or measured; what was measured counts when all of the stream is complete.
class MeasuredExecution : public CommandEffects {
 public:
  /// Keeps the stream; the driver and pipeline states live until the execution is complete.
  MeasuredExecution(PgoDriver& driver, std::shared_ptr<const CommandStream> stream, const StreamPipelines& pipelines);

  PipelineVariant variant(std::size_t command, const Command& begins) override;
  /// With other root constants than the stream says.
  PipelineVariant variant(std::size_t command, const Command& begins, ConstantsKey constants);
  void finish() override;
  void ended(std::size_t) override {}
  void skip(std::size_t) override {}
  bool skips(std::size_t command) override;
  const IndirectCall* call(std::size_t) override { return nullptr; }
  void timestamp(std::uint32_t, std::uint64_t) override {}

 private:
  /// Of the pipeline state for an execution that costs something else; null: it costs what it says.
  template <class Pipeline>
  const Pipeline* chosen(PgoPipeline* measured, ConstantsKey constants, std::size_t command, const Command& begins,
                         const Pipeline& own, std::deque<Pipeline>& others);

  PgoDriver& driver_;
  std::shared_ptr<const CommandStream> stream_;
  const StreamPipelines& pipelines_;
  std::vector<std::pair<PgoPipeline*, PgoExecution>> executions_;
  std::deque<ComputePipeline> compute_;  // deque: engines keep where they are
  std::deque<GraphicsPipeline> graphics_;
};

}  // namespace fenceline
