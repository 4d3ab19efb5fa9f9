// SPDX-License-Identifier: Apache-2.0
#include "api/pgo/measured_execution.hpp"

#include "api/pgo/specialised.hpp"

#include <cmath>
#include <variant>

namespace fenceline {
namespace {

/// Of a command; those behind the end have none.
std::uint64_t key_of(const std::vector<std::uint64_t>& keys, std::size_t command) {
  return command < keys.size() ? keys[command] : 0;
}

}  // namespace

MeasuredExecution::MeasuredExecution(PgoDriver& driver, std::shared_ptr<const CommandStream> stream,
                                     const StreamPipelines& pipelines)
    : driver_(driver), stream_(std::move(stream)), pipelines_(pipelines) {}

template <class Pipeline>
const Pipeline* MeasuredExecution::chosen(PgoPipeline* measured, ConstantsKey constants, std::size_t command,
                                          const Command& begins, const Pipeline& own, std::deque<Pipeline>& others) {
  if (constants == 0 || measured == nullptr) return nullptr;
  const PgoExecution execution =
      driver_.begin(*measured, constants, {key_of(stream_->branches, command), key_of(stream_->resources, command)});
  if (execution.measurement != Measurement::none) executions_.emplace_back(measured, execution);
  PgoExecution unmeasured = execution;
  unmeasured.measurement = Measurement::none;
  unmeasured.trial = false;
  const double folded = 1 - cost_scale(driver_.config(), measured->parts(), unmeasured).instructions;
  if (folded > 0 || execution.promised_part > 0) {
    const double instructions = shader_instructions(own, begins);
    driver_.saved(*measured, static_cast<std::uint64_t>(std::llround(folded * instructions)),
                  static_cast<std::uint64_t>(std::llround(execution.promised_part * instructions)));
  }
  const CostScale scale = cost_scale(driver_.config(), measured->parts(), execution);
  if (scale.instructions == 1 && scale.bytes == 1) return nullptr;
  others.push_back(specialised(own, scale));
  return &others.back();
}

PipelineVariant MeasuredExecution::variant(std::size_t command, const Command& begins) {
  return variant(command, begins, key_of(stream_->root_constants, command));
}

PipelineVariant MeasuredExecution::variant(std::size_t command, const Command& begins, ConstantsKey constants) {
  PipelineVariant variant;
  if (const auto* dispatch = std::get_if<Dispatch>(&begins)) {
    const std::uint32_t index = dispatch->pipeline;
    variant.compute =
        chosen(pipelines_.compute[index], constants, command, begins, stream_->compute_pipelines[index], compute_);
    return variant;
  }
  const auto* indexed = std::get_if<DrawIndexed>(&begins);
  const std::uint32_t index = indexed != nullptr ? indexed->draw.pipeline : std::get<Draw>(begins).pipeline;
  variant.graphics =
      chosen(pipelines_.graphics[index], constants, command, begins, stream_->graphics_pipelines[index], graphics_);
  return variant;
}

void MeasuredExecution::finish() {
  for (const auto& [pipeline, execution] : executions_) driver_.end(*pipeline, execution);
  executions_.clear();
}

bool MeasuredExecution::skips(std::size_t command) { return std::get<SetPredication>(stream_->commands[command]).skip; }

}  // namespace fenceline
