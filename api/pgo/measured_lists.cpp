// SPDX-License-Identifier: Apache-2.0
#include "api/pgo/measured_lists.hpp"

#include "api/pgo/specialised.hpp"

namespace fenceline {

MeasuredLists::MeasuredLists(Machine& machine, Folded compute, Folded graphics)
    : machine_(machine), folded_compute_(std::move(compute)), folded_graphics_(std::move(graphics)) {}

template <class Pipeline>
PgoPipeline* MeasuredLists::pipeline_of(const std::string& process, const Pipeline& pipeline, const Folded& folded,
                                        Pipelines& all) {
  std::unique_ptr<PgoPipeline>& one = all[{process, pipeline.name}];
  if (one == nullptr) {
    const auto own = folded.find(pipeline.name);
    const FoldedParts& parts = own != folded.end() ? own->second : machine_.config().background_processing.folded;
    machine_.name_task_subject(process, next_number_, pipeline.name);
    one = machine_.pgo_driver(process)->create_pipeline(next_number_++, parts, code_instructions(pipeline));
  }
  return one.get();
}

std::shared_ptr<CommandEffects> MeasuredLists::effects_of(const std::string& process,
                                                          const std::shared_ptr<const CommandStream>& list) {
  if (list->root_constants.empty() || !machine_.config().background_processing.supported) return nullptr;
  const auto [at, is_new] = lists_.try_emplace({process, list.get()});
  StreamPipelines& pipelines = at->second;
  if (is_new) {
    for (const ComputePipeline& one : list->compute_pipelines) {
      pipelines.compute.push_back(pipeline_of(process, one, folded_compute_, compute_));
    }
    for (const GraphicsPipeline& one : list->graphics_pipelines) {
      pipelines.graphics.push_back(pipeline_of(process, one, folded_graphics_, graphics_));
    }
  }
  return std::make_shared<MeasuredExecution>(*machine_.pgo_driver(process), list, pipelines);
}

}  // namespace fenceline
