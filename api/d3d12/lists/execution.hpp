// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/stream_bytes.hpp"
#include "api/d3d12/debug/breadcrumb_progress.hpp"
#include "api/d3d12/hazards/access_times.hpp"
#include "api/d3d12/lists/recording.hpp"
#include "api/pgo/measured_execution.hpp"
#include "engines/command/command_effects.hpp"
#include "engines/command/draw_counts.hpp"
#include "engines/command/effect_order.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

class Hazards;

/// A list that a queue was given: what its recording does to bytes, resource states, queries and breadcrumbs, as the
/// machine comes to its commands. It keeps the recording, which counts as executing as long as this exists.
class Execution final : public CommandEffects, public StreamBytes {
 public:
  /// `hazards` hear what the recording accesses, where it is watched; null if it is not. `driver` measures what has
  /// root constants bound; null: it does not.
  Execution(std::shared_ptr<const Recording> recording, Hazards* hazards, PgoDriver* driver);
  ~Execution() override;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  const CommandStream& stream() const { return recording_->stream(); }
  /// Null unless it is watched.
  const std::shared_ptr<AccessTimes>& access_times() const { return access_times_; }
  /// Null: none are recorded.
  const BreadcrumbProgress* breadcrumbs() const { return breadcrumbs_ ? &*breadcrumbs_ : nullptr; }

  void ended(std::size_t command) override;
  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) override;
  void skip(std::size_t command) override;
  bool skips(std::size_t command) override;
  const IndirectCall* call(std::size_t command) override;
  PipelineVariant variant(std::size_t command, const Command& begins) override;
  void finish() override;
  void timestamp(std::uint32_t slot, std::uint64_t at_ps) override;

  std::shared_ptr<const CommandStream> region() const override { return {recording_, &recording_->stream()}; }
  std::vector<ActedCommand> acts() const override;
  void for_each_memory(const std::function<void(const ActedMemoryPtr&)>& visit) const override;
  void when_done(std::function<void(std::size_t command)> told) override { done_ = std::move(told); }
  std::vector<ActedWrite> done(std::size_t command) const override;

 private:
  void advance(std::size_t command, bool skipped);
  void answer(const Recording::Query& query, std::size_t end) const;
  void ran_now(std::size_t command);
  void measure(PgoDriver& driver);

  const std::shared_ptr<const Recording> recording_;
  Hazards* const hazards_;
  EffectOrder effects_;  // of the recording's
  std::function<void(std::size_t command)> done_;
  std::vector<std::unique_ptr<IndirectCall>> calls_;
  std::vector<std::size_t> skipped_;             // commands that a predicate skipped, where there are queries
  std::vector<At<DrawCounts>> indirect_counts_;  // what ExecuteIndirect ran, where there are queries
  std::shared_ptr<AccessTimes> access_times_;
  std::optional<BreadcrumbProgress> breadcrumbs_;
  std::vector<std::shared_ptr<PgoPipeline>> measured_pipelines_;  // kept until it is over
  StreamPipelines stream_pipelines_;
  std::optional<MeasuredExecution> measured_;
  /// Root constants of the commands that an ExecuteIndirect runs, where its arguments set some.
  struct CommandConstants {
    std::vector<ConstantsKey> keys;
    std::size_t begun = 0;  // commands
  };
  std::map<std::size_t, CommandConstants> command_constants_;  // by the ExecuteIndirect
};

}  // namespace fenceline::d3d12
