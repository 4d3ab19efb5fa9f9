// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/pgo/pgo_driver.hpp"
#include "tests/bgproc/tasks/stepped_executor.hpp"

#include <cstdint>
#include <memory>

namespace fenceline {

/// With so many executions before a histogram counts, each so-and-so-manieth measured by default.
inline PgoConfig pgo_config_of(std::uint64_t act_now, std::uint32_t light_period = 16) {
  PgoConfig config;
  config.act_now_executions = act_now;
  config.light_period = light_period;
  return config;
}

/// A driver and its queue, whose tasks run when the test says so.
struct PgoBench {
  explicit PgoBench(const PgoConfig& config, const TaskQueueConfig& queue = {})
      : tasks(queue, executor), driver(config, tasks) {}
  ~PgoBench() { tasks.close(); }
  PgoBench(const PgoBench&) = delete;
  PgoBench& operator=(const PgoBench&) = delete;

  std::unique_ptr<PgoPipeline> pipeline(std::uint64_t number, const FoldedParts& parts = {}, double instructions = 10) {
    return driver.create_pipeline(number, parts, instructions);
  }
  PgoExecution execute(PgoPipeline& state, ConstantsKey constants) {
    const PgoExecution execution = driver.begin(state, constants);
    driver.end(state, execution);
    return execution;
  }
  void execute(PgoPipeline& state, ConstantsKey constants, std::uint64_t times) {
    for (; times > 0; --times) execute(state, constants);
  }
  bool set(ProcessingMode mode, MeasurementsAction action = MeasurementsAction::keep_all) {
    return driver.set_background_processing_mode(mode, action);
  }
  /// Rounds of the variant that an execution begins with; it never ends, so that it is not counted.
  std::uint32_t chosen(PgoPipeline& state, ConstantsKey constants) { return driver.begin(state, constants).rounds; }

  SteppedExecutor executor;
  TaskQueue tasks;
  PgoDriver driver;
};

}  // namespace fenceline
