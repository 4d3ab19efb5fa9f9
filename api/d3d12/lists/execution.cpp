// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/execution.hpp"

#include "api/d3d12/hazards/hazards.hpp"
#include "api/d3d12/host/gpu_clock.hpp"
#include "api/d3d12/lists/query_data.hpp"
#include "api/d3d12/resources/acted_effect.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {

Execution::Execution(std::shared_ptr<const Recording> recording, Hazards* hazards, PgoDriver* driver)
    : recording_(std::move(recording)), hazards_(hazards), effects_(recording_->effects().size()) {
  ++recording_->executions_;
  if (const Accesses* const accesses = recording_->accesses()) {
    access_times_ =
        std::make_shared<AccessTimes>(std::shared_ptr<const Accesses>(recording_, accesses), recording_->stream());
  }
  if (recording_->breadcrumbs() != nullptr) breadcrumbs_.emplace(*recording_->breadcrumbs(), recording_->stream());
  if (driver != nullptr && !recording_->stream().root_constants.empty()) measure(*driver);
}

/// Pipeline states that are gone are not measured.
void Execution::measure(PgoDriver& driver) {
  const auto keep = [this](const Recording::Measured& measured, std::vector<PgoPipeline*>& pipelines) {
    for (const std::weak_ptr<PgoPipeline>& one : measured) {
      measured_pipelines_.push_back(one.lock());
      pipelines.push_back(measured_pipelines_.back().get());
    }
  };
  keep(recording_->measured_graphics(), stream_pipelines_.graphics);
  keep(recording_->measured_compute(), stream_pipelines_.compute);
  measured_.emplace(driver, std::shared_ptr<const CommandStream>(recording_, &recording_->stream()), stream_pipelines_);
}

PipelineVariant Execution::variant(std::size_t command, const Command& begins) {
  if (!measured_) return {};
  const auto at = command_constants_.find(command);
  if (at == command_constants_.end()) return measured_->variant(command, begins);
  CommandConstants& of = at->second;
  return measured_->variant(command, begins, of.begun < of.keys.size() ? of.keys[of.begun++] : 0);
}

Execution::~Execution() { --recording_->executions_; }

void Execution::ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) {
  if (access_times_) access_times_->ran(command, start_ps, end_ps);
}

/// What takes no time of its own.
void Execution::ran_now(std::size_t command) {
  if (access_times_) access_times_->ran(command, hazards_->now_ps(), hazards_->now_ps());
}

void Execution::ended(std::size_t command) {
  if (breadcrumbs_) breadcrumbs_->complete(command);
  if (const Recording::Query* const query = recording_->query_at(command)) {
    ran_now(command);
    return answer(*query, command);
  }
  advance(command, false);
}

void Execution::skip(std::size_t command) {
  if (breadcrumbs_) breadcrumbs_->complete(command);
  if (recording_->has_queries()) skipped_.push_back(command);
  const Effect* const effect = find(recording_->effects(), command);
  // D3D12 does not predicate WriteBufferImmediate, which here takes a copy's time.
  const bool predicated = effect != nullptr && !std::holds_alternative<WriteWord>(*effect);
  if (effect != nullptr && !predicated) ran_now(command);
  advance(command, predicated);
}

/// What was recorded there, if anything, is settled.
void Execution::advance(std::size_t command, bool skipped) {
  const std::vector<At<Effect>>& effects = recording_->effects();
  const auto at = std::lower_bound(effects.begin(), effects.end(), command,
                                   [](const At<Effect>& one, std::size_t wanted) { return one.command < wanted; });
  if (at == effects.end() || at->command != command) return;
  effects_.settle(static_cast<std::size_t>(at - effects.begin()), skipped, [&](std::size_t effect) {
    apply(effects[effect].what);
    if (done_) done_(effects[effect].command);
  });
}

std::vector<ActedCommand> Execution::acts() const {
  std::vector<ActedCommand> all;
  for (const At<Effect>& effect : recording_->effects()) {
    ActedCommand& one = all.emplace_back();
    one.command = effect.command;
    one.predicated = !std::holds_alternative<WriteWord>(effect.what);
    if (auto known = acted(effect.what)) {
      one.effects.push_back(std::move(*known));
    } else {
      one.shows_when_done = true;
    }
  }
  return all;
}

void Execution::for_each_memory(const std::function<void(const ActedMemoryPtr&)>& visit) const {
  recording_->for_each_memory([&](const std::shared_ptr<HeapMemory>& memory) { visit(memory); });
}

std::vector<ActedWrite> Execution::done(std::size_t command) const {
  return written_by(*find(recording_->effects(), command));
}

bool Execution::skips(std::size_t command) {
  const Recording::Predicate* const predicate = recording_->predicate_at(command);
  if (predicate == nullptr) return false;
  ran_now(command);
  const bool zero = predicate->at.value<std::uint64_t>() == 0;
  return zero == predicate->skip_if_zero;
}

const IndirectCall* Execution::call(std::size_t command) {
  const Recording::Indirect* const indirect = recording_->indirect_at(command);
  if (indirect == nullptr) return nullptr;
  const auto& recorded = stream().indirect_calls[std::get<ExecuteIndirect>(stream().commands[command]).call];
  auto found = std::make_unique<IndirectCall>(recorded);
  found->count = indirect->most;
  if (indirect->count.memory) {
    found->count = std::min<std::uint64_t>(found->count, indirect->count.value<std::uint32_t>());
  }
  const std::uint64_t count = found->count;
  std::vector<std::byte> gathered;  // of a reserved buffer
  if (indirect->arguments.reserved()) {
    gathered.resize(std::min(found->count * indirect->stride, indirect->arguments_bytes));
    indirect->arguments.read(gathered.size(), gathered.data());
  }
  const std::byte* const first = indirect->arguments.reserved() ? gathered.data() : indirect->arguments.data();
  const std::byte* const arguments = first + indirect->operation_offset;
  found->command = mean_command(indirect->state, indirect->operation, arguments, found->count, indirect->stride);
  if (recording_->has_queries()) {
    DrawCounts counts;
    for (std::uint64_t i = 0; i < found->count; ++i) {
      count_command(counts, mean_command(indirect->state, indirect->operation, arguments + i * indirect->stride, 1, 0),
                    stream());
    }
    indirect_counts_.push_back({command, counts});
  }
  if (measured_ && !indirect->constants.arguments.empty()) {
    std::vector<ConstantsKey>& keys = command_constants_[command].keys;
    keys.clear();
    for (std::uint64_t i = 0; i < found->count; ++i)
      keys.push_back(indirect->constants.key(first + i * indirect->stride));
  }
  const auto* dispatch = std::get_if<Dispatch>(&found->command);
  if (dispatch != nullptr && dispatch->groups == 0) found->count = 0;
  if (access_times_) {
    const auto* const indexed = std::get_if<DrawIndexed>(&found->command);
    const auto* const draw = indexed != nullptr ? &indexed->draw : std::get_if<Draw>(&found->command);
    access_times_->found(command, count, count > 0 && draw != nullptr && draw->pixels > 0);
  }
  calls_.push_back(std::move(found));
  return calls_.back().get();
}

void Execution::finish() {
  if (measured_) measured_->finish();
  if (breadcrumbs_) breadcrumbs_->complete_all();
  recording_->apply_states();
  if (access_times_) hazards_->executed(*access_times_);
}

void Execution::answer(const Recording::Query& query, std::size_t end) const {
  DrawCounts counts;
  for (std::size_t command = query.first; command < end; ++command) {
    if (std::binary_search(skipped_.begin(), skipped_.end(), command)) continue;
    count_command(counts, stream().commands[command], stream());
  }
  // Arguments may have been read more than once, around a preemption: the last time counts.
  for (auto indirect = indirect_counts_.begin(); indirect != indirect_counts_.end(); ++indirect) {
    const auto next = std::next(indirect);
    const bool last = next == indirect_counts_.end() || next->command != indirect->command;
    if (last && indirect->command >= query.first && indirect->command < end) counts += indirect->what;
  }
  write_counts(query.type, counts, query.to.data());
}

void Execution::timestamp(std::uint32_t slot, std::uint64_t at_ps) {
  const std::uint64_t ticks = timestamp_ticks(at_ps);
  const At<Bytes>& to = recording_->timestamp(slot);
  if (access_times_) access_times_->ran(to.command, at_ps, at_ps);
  std::memcpy(to.what.data(), &ticks, sizeof ticks);
}

}  // namespace fenceline::d3d12
