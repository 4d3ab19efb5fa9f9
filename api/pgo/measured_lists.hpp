// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"
#include "api/pgo/measured_execution.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// The pipeline states of recorded lists as the drivers of the processes have them that execute these: one for each
/// name and process, for lists whose commands have root constants bound.
class MeasuredLists {
 public:
  /// What folds away in pipeline states, by name; the machine's where they say nothing.
  using Folded = std::map<std::string, FoldedParts>;
  /// The machine lives longer.
  MeasuredLists(Machine& machine, Folded compute, Folded graphics);

  /// What an execution by that process does besides; null: nothing is to be measured in it.
  std::shared_ptr<CommandEffects> effects_of(const std::string& process,
                                             const std::shared_ptr<const CommandStream>& list);

 private:
  using Key = std::pair<std::string, std::string>;  // process, name
  using Pipelines = std::map<Key, std::unique_ptr<PgoPipeline>>;
  template <class Pipeline>
  PgoPipeline* pipeline_of(const std::string& process, const Pipeline& pipeline, const Folded& folded, Pipelines& all);

  Machine& machine_;
  Folded folded_compute_;
  Folded folded_graphics_;
  Pipelines compute_;
  Pipelines graphics_;
  std::uint64_t next_number_ = 1;
  std::map<std::pair<std::string, const CommandStream*>, StreamPipelines> lists_;
};

}  // namespace fenceline
