// SPDX-License-Identifier: Apache-2.0
#include "bgproc/pgo/pgo_driver.hpp"

#include "sim/duration.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline {

/// Lives as long as the pipeline state or a task that compiles for it. With the driver's lock.
struct PgoPipeline::Link {
  PgoPipeline* pipeline;  ///< null: it is gone
};

/// The context of a recompile's task, which frees it.
struct PgoDriver::Compile {
  PgoDriver& driver;
  std::shared_ptr<PgoPipeline::Link> link;
  Variant variant;
  TaskInfo info;

  static void finish(void* context, bool done) {
    const std::unique_ptr<Compile> compile(static_cast<Compile*>(context));
    compile->driver.compiled(*compile, done);
  }
  static void run(void* context) { finish(context, true); }
  static void cancel(void* context) { finish(context, false); }
};

PgoPipeline::PgoPipeline(std::shared_ptr<Pipelines> all, std::uint64_t number, const FoldedParts& parts,
                         double instructions)
    : all_(std::move(all)),
      number_(number),
      parts_(parts),
      instructions_(instructions),
      profile_(parts),
      link_(std::make_shared<Link>(Link{this})) {}

PgoPipeline::~PgoPipeline() {
  const std::lock_guard held(all_->mutex);
  link_->pipeline = nullptr;
  all_->list.erase(std::find(all_->list.begin(), all_->list.end(), this));
  if (usage_->executions == 0) all_->usage.erase(usage_);
}

CostScale cost_scale(const PgoConfig& config, const FoldedParts& parts, const PgoExecution& execution) {
  CostScale scale;
  if (execution.rounds >= 1) scale.instructions -= parts.constants;
  if (execution.rounds >= 2 && execution.folds_branches) scale.instructions -= parts.branches;
  if (execution.rounds >= 3 && execution.folds_resources) scale.bytes -= parts.resources;
  if (execution.measurement == Measurement::light) scale.instructions += config.light_cost;
  if (execution.measurement == Measurement::intrusive) scale.instructions += config.intrusive_cost;
  if (execution.trial) scale.instructions += config.tuning_cost;
  return scale;
}

CostScale promised_scale(const FoldedParts& parts, const Variant& variant) {
  CostScale scale;
  if (variant.rounds >= 1) scale.instructions -= parts.constants;
  if (variant.rounds >= 2) scale.instructions -= parts.branches * variant.branches.part;
  if (variant.rounds >= 3) scale.bytes -= parts.resources * variant.resources.part;
  return scale;
}

namespace {

/// It takes that for granted, rightly.
bool holds(const SteadyPattern& granted, PatternKey pattern) { return granted.part > 0 && granted.pattern == pattern; }

/// It takes something else for granted.
bool misses(const SteadyPattern& granted, PatternKey pattern) { return granted.part > 0 && granted.pattern != pattern; }

}  // namespace

PgoDriver::PgoDriver(const PgoConfig& config, TaskQueue& tasks)
    : config_(config), tasks_(tasks), pipelines_(std::make_shared<PgoPipeline::Pipelines>()) {}

std::unique_ptr<PgoPipeline> PgoDriver::create_pipeline(std::uint64_t number, const FoldedParts& parts,
                                                        double instructions) {
  std::unique_ptr<PgoPipeline> pipeline(new PgoPipeline(pipelines_, number, parts, instructions));
  const std::lock_guard held(pipelines_->mutex);
  pipelines_->list.push_back(pipeline.get());
  pipeline->usage_ = pipelines_->usage.emplace(pipelines_->usage.end());
  pipeline->usage_->number = number;
  return pipeline;
}

PgoExecution PgoDriver::begin(PgoPipeline& pipeline, ConstantsKey constants, const ExecutionPatterns& patterns) {
  const std::lock_guard held(pipelines_->mutex);
  PgoExecution execution;
  execution.constants = constants;
  execution.discards = discards_;
  execution.patterns = patterns;
  const Variant variant = pipeline.profile_.variant_of(constants);
  PgoUsage& usage = *pipeline.usage_;
  execution.rounds = variant.rounds;
  execution.folds_branches = holds(variant.branches, patterns.branches);
  execution.folds_resources = holds(variant.resources, patterns.resources);
  execution.promised_part = 1 - promised_scale(pipeline.parts_, variant).instructions;
  usage.patterns = usage.patterns || patterns.branches != 0 || patterns.resources != 0;
  if (variant.rounds >= 2 && pipeline.parts_.branches > 0 && misses(variant.branches, patterns.branches))
    ++usage.branch_misses;
  if (variant.rounds >= 3 && pipeline.parts_.resources > 0 && misses(variant.resources, patterns.resources))
    ++usage.resource_misses;
  if (execution.rounds > 0) ++usage.specialised;
  const std::uint64_t count = ++usage.executions;
  if (mode_ == ProcessingMode::disable_profiling_by_system) return execution;
  if (mode_ == ProcessingMode::allow_intrusive_measurements) {
    execution.measurement = Measurement::intrusive;
    execution.stands_for = 1;
  } else if (count % config_.light_period == 0) {
    execution.measurement = Measurement::light;
    execution.stands_for = config_.light_period;
  }
  execution.trial = config_.tuning_period > 0 && count % config_.tuning_period == 0;
  return execution;
}

void PgoDriver::end(PgoPipeline& pipeline, const PgoExecution& execution) {
  if (execution.measurement == Measurement::none) return;
  std::vector<Compile*> compiles;
  {
    const std::lock_guard held(pipelines_->mutex);
    if (execution.discards != discards_) return;
    pipeline.profile_.measured(execution.constants, execution.measurement, execution.stands_for, execution.patterns);
    if (!disables_tasks(mode_)) act(pipeline, false, compiles);
  }
  queue(compiles);
}

bool PgoDriver::set_background_processing_mode(ProcessingMode mode, MeasurementsAction action) {
  std::vector<Compile*> compiles;
  bool more = false;
  {
    const std::lock_guard held(pipelines_->mutex);
    mode_ = mode;
    if (action == MeasurementsAction::discard_previous) ++discards_;
    for (PgoPipeline* pipeline : pipelines_->list) {
      if (action == MeasurementsAction::discard_previous) pipeline->profile_.discard();
      if (commits(action)) act(*pipeline, true, compiles);
      more = more || pipeline->profile_.wants_more(config_.frequent_part);
    }
  }
  queue(compiles);
  return more;
}

void PgoDriver::act(PgoPipeline& pipeline, bool committed, std::vector<Compile*>& compiles) {
  for (const Variant& variant : pipeline.profile_.act(config_, committed)) {
    const double us = config_.compile_us + config_.compile_us_per_instruction * pipeline.instructions_;
    // What is too long for simulated time the cores refuse.
    const std::uint64_t cpu_ps = us < static_cast<double>(max_time_ps) / 1e6 ? ps_of_us(us) : max_time_ps;
    compiles.push_back(new Compile{*this, pipeline.link_, variant, {pipeline.number_, cpu_ps}});
  }
}

/// Without the lock: a task may be cancelled before the call returns.
void PgoDriver::queue(const std::vector<Compile*>& compiles) {
  for (Compile* compile : compiles) {
    const TaskInfo info = compile->info;
    if (!tasks_.queue_processing_work(&Compile::run, &Compile::cancel, compile, info)) Compile::cancel(compile);
  }
}

void PgoDriver::compiled(const Compile& compile, bool done) {
  const std::lock_guard held(pipelines_->mutex);
  PgoPipeline* const pipeline = compile.link->pipeline;
  if (pipeline == nullptr) {
    if (done) ++dropped_;
  } else if (done) {
    pipeline->profile_.compiled(compile.variant);
    ++pipeline->usage_->variants;
  } else {
    pipeline->profile_.dropped(compile.variant);
  }
}

std::uint64_t PgoDriver::sum_of(std::uint64_t PgoUsage::*count) const {
  const std::lock_guard held(pipelines_->mutex);
  std::uint64_t sum = 0;
  for (const PgoUsage& one : pipelines_->usage) sum += one.*count;
  return sum;
}

std::uint64_t PgoDriver::variants() const { return sum_of(&PgoUsage::variants); }
std::uint64_t PgoDriver::specialised() const { return sum_of(&PgoUsage::specialised); }
std::uint64_t PgoDriver::saved_instructions() const { return sum_of(&PgoUsage::saved_instructions); }

std::uint64_t PgoDriver::dropped() const {
  const std::lock_guard held(pipelines_->mutex);
  return dropped_;
}

void PgoDriver::saved(PgoPipeline& pipeline, std::uint64_t instructions, std::uint64_t promised) {
  const std::lock_guard held(pipelines_->mutex);
  pipeline.usage_->saved_instructions += instructions;
  pipeline.usage_->promised_instructions += promised;
}

std::vector<PgoUsage> PgoDriver::usage() const {
  const std::lock_guard held(pipelines_->mutex);
  std::vector<PgoUsage> executed;
  std::copy_if(pipelines_->usage.begin(), pipelines_->usage.end(), std::back_inserter(executed),
               [](const PgoUsage& one) { return one.executions > 0; });
  return executed;
}

}  // namespace fenceline
