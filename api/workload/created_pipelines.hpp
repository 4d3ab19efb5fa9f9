// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"
#include "shadercache/implicit/created_pipeline.hpp"

#include <string>
#include <vector>

namespace fenceline {

/// A pipeline of a workload, as often as it is created: keys still lack the number that tells these apart.
struct CreatablePipeline {
  std::string name;
  CreatedPipeline takes;
};

/// The compute pipelines, then the graphics pipelines.
std::vector<CreatablePipeline> created_pipelines(const Workload& workload);

/// The pipeline state of that number, of that pipeline.
CreatedPipeline numbered(const CreatablePipeline& pipeline, std::uint64_t number);

}  // namespace fenceline
