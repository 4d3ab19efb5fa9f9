// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/modes/background_driver.hpp"
#include "bgproc/pgo/pipeline_profile.hpp"
#include "bgproc/tasks/task_queue.hpp"

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace fenceline {

/// What the variants of a pipeline state came to.
struct PgoUsage {
  std::uint64_t number = 0;              ///< the owner's (PgoPipeline::number)
  std::uint64_t executions = 0;          ///< of the original and variants
  std::uint64_t variants = 0;            ///< compiled, and used where their constants are bound
  std::uint64_t specialised = 0;         ///< executions of variants
  std::uint64_t saved_instructions = 0;  ///< of all threads of these, against the original
  // What follows tells of branches and resources, where executions say theirs.
  bool patterns = false;                    ///< one of them did
  std::uint64_t branch_misses = 0;          ///< executions of variants whose branches went another way than they assume
  std::uint64_t resource_misses = 0;        ///< that had other resources bound
  std::uint64_t promised_instructions = 0;  ///< what variants were to save in those executions (promised_scale)
};

/// A pipeline state as the driver has it. Destroyed whenever its owner likes, also while a task compiles for it: the
/// task holds a small object that points back here, and drops its result once that has been cleared.
class PgoPipeline {
 public:
  ~PgoPipeline();
  PgoPipeline(const PgoPipeline&) = delete;
  PgoPipeline& operator=(const PgoPipeline&) = delete;
  std::uint64_t number() const { return number_; }     ///< the owner's, which tasks carry as their subject
  const FoldedParts& parts() const { return parts_; }  ///< of its instructions, what may fold away

 private:
  friend class PgoDriver;
  struct Link;
  /// A driver's pipeline states, in the order of their creation, and the lock of all that it knows of them.
  struct Pipelines {
    std::mutex mutex;
    std::vector<PgoPipeline*> list;
    std::list<PgoUsage> usage;  // also of those that were executed and are gone
  };
  PgoPipeline(std::shared_ptr<Pipelines> all, std::uint64_t number, const FoldedParts& parts, double instructions);

  std::shared_ptr<Pipelines> all_;  // the driver's, which may be gone
  std::uint64_t number_;
  FoldedParts parts_;
  double instructions_;
  PipelineProfile profile_;
  std::list<PgoUsage>::iterator usage_;  // of all_, with its lock
  std::shared_ptr<Link> link_;
};

/// How one execution of a pipeline state goes.
struct PgoExecution {
  ConstantsKey constants = 0;                   ///< of the root constants that are bound
  std::uint32_t rounds = 0;                     ///< of the variant that is used; 0: the original
  Measurement measurement = Measurement::none;  ///< that is made of it
  std::uint64_t stands_for = 0;                 ///< executions, if it is measured
  bool trial = false;                           ///< of another cache policy or dispatch pattern
  std::uint64_t discards = 0;    ///< that there had been when it began: another makes its measurement meaningless
  ExecutionPatterns patterns{};  ///< of its branches and resources
  bool folds_branches = true;    ///< they go as the variant takes for granted, and are folded away
  bool folds_resources = true;   ///< the same of its resources
  double promised_part = 0;      ///< of its instructions, by the variant
};

/// What an execution's cost is multiplied with.
struct CostScale {
  double instructions = 1;  ///< ALU and SFU instructions, fixed cycles
  double bytes = 1;         ///< from video memory and texture units
};
/// Parts folded away by the variant taken off, and added what measuring and trials add, parts of the original as well:
/// a pure function.
CostScale cost_scale(const PgoConfig& config, const FoldedParts& parts, const PgoExecution& execution);
/// What a variant promises of an execution with its constants, in the mean of those that it was compiled from: what it
/// takes for granted saves its part in as many of them as had it, and the check of it costs nothing (assumption). A
/// pure function.
CostScale promised_scale(const FoldedParts& parts, const Variant& variant);

/// The simulated user-mode driver's profile-guided optimisation: measures executions, and queues a recompile where a
/// histogram says so; what comes of it is a variant that is used where the same root constants are bound. Variants
/// change cost only. Every method may be called from any thread; tasks end on the executor's.
class PgoDriver : public BackgroundDriver {
 public:
  /// Recompiles are queued there. The queue is closed before the driver is destroyed.
  PgoDriver(const PgoConfig& config, TaskQueue& tasks);

  /// A new pipeline state, of so many instructions a thread. It may outlive the driver.
  std::unique_ptr<PgoPipeline> create_pipeline(std::uint64_t number, const FoldedParts& parts, double instructions);

  /// The GPU begins to execute it with these constants.
  PgoExecution begin(PgoPipeline& pipeline, ConstantsKey constants, const ExecutionPatterns& patterns = {});
  /// It has ended: now it may count, unless earlier measurements were discarded meanwhile.
  void end(PgoPipeline& pipeline, const PgoExecution& execution);

  /// ID3D12Device6's, as the driver hears of it.
  bool set_background_processing_mode(ProcessingMode mode, MeasurementsAction action) override;

  const PgoConfig& config() const { return config_; }  ///< the machine's
  std::uint64_t variants() const;                      ///< compiled and in use
  std::uint64_t dropped() const;                       ///< compiled for a pipeline state that was gone
  std::uint64_t specialised() const;                   ///< executions of variants
  /// Of an execution of a variant of it, all threads together, against the original.
  void saved(PgoPipeline& pipeline, std::uint64_t instructions, std::uint64_t promised = 0);
  std::uint64_t saved_instructions() const;  ///< all together
  /// Of each pipeline state that has been executed, in the order of their creation, also of those that are gone.
  std::vector<PgoUsage> usage() const;

 private:
  struct Compile;
  void act(PgoPipeline& pipeline, bool committed, std::vector<Compile*>& compiles);
  void queue(const std::vector<Compile*>& compiles);
  void compiled(const Compile& compile, bool done);
  std::uint64_t sum_of(std::uint64_t PgoUsage::*count) const;

  PgoConfig config_;
  TaskQueue& tasks_;
  std::shared_ptr<PgoPipeline::Pipelines> pipelines_;
  ProcessingMode mode_ = ProcessingMode::allowed;
  std::uint64_t discards_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace fenceline
