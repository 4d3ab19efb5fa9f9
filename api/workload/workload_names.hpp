// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/resources/names.hpp"
#include "api/resources/resource_table.hpp"
#include "api/workload/swap_chain_names.hpp"
#include "api/workload/workload.hpp"
#include "sim/config_errors.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// What the steps of a workload's timelines name.
class WorkloadNames {
 public:
  WorkloadNames(const Workload& workload, const std::string& file)
      : fences(file, "fences", workload.fences),
        lists(file, "command lists", "command_lists", workload.command_lists),
        queues(file, "queues", workload.queues),
        swap_chains(workload, file),
        resources(workload.resources, file),
        processes(file, "processes", workload.processes),
        compute_pipelines(file, "compute pipelines", "compute_pipelines", workload.compute_pipelines),
        graphics_pipelines(file, "graphics pipelines", "graphics_pipelines", workload.graphics_pipelines),
        file_(file),
        compute_pipelines_(static_cast<std::uint32_t>(workload.compute_pipelines.size())) {}

  /// Throws ConfigError for names that are empty or there twice.
  void check() const {
    do_each([&] { fences.check(); }, [&] { lists.check(); }, [&] { queues.check(); }, [&] { swap_chains.check(); },
            [&] { resources.check_names(); }, [&] { processes.check(); }, [&] { compute_pipelines.check(); },
            [&] { graphics_pipelines.check(); });
  }
  /// Its place in Program::created: among the compute pipelines, which the graphics pipelines follow.
  std::uint32_t created_pipeline(const std::string& name, const std::string& pointer) const {
    const bool computes = compute_pipelines.has(name);
    const bool draws = graphics_pipelines.has(name);
    if (computes && draws) {
      throw ConfigError(file_, pointer, "the name of one pipeline",
                        in_quotes(name) + ", a compute and a graphics pipeline");
    }
    if (!draws) return compute_pipelines.index(name, pointer);
    return compute_pipelines_ + graphics_pipelines.index(name, pointer);
  }

  Names fences;
  Names lists;  ///< command lists
  Names queues;
  SwapChainNames swap_chains;
  ResourceTable resources;
  Names processes;
  Names compute_pipelines;
  Names graphics_pipelines;

 private:
  std::string file_;
  std::uint32_t compute_pipelines_;
};

}  // namespace fenceline
