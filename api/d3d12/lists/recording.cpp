// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/recording.hpp"

#include "api/d3d12/hazards/hazards.hpp"
#include "api/d3d12/host/gpu_clock.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {

template <class T>
T* Recording::find(std::vector<At<T>>& list, std::size_t command) {
  const auto at = std::lower_bound(list.begin(), list.end(), command,
                                   [](const At<T>& one, std::size_t wanted) { return one.command < wanted; });
  return at != list.end() && at->command == command ? &at->what : nullptr;
}

void Recording::clear() {
  stream_.commands.clear();
  stream_.compute_pipelines.clear();
  stream_.graphics_pipelines.clear();
  stream_.indirect_calls.clear();
  effects_.clear();
  next_effect_ = 0;
  predicates_.clear();
  indirects_.clear();
  timestamps_.clear();
  calls_.clear();
  states_.clear();
  tell_ = nullptr;
  hazards_ = nullptr;
  accesses_.clear();
  queries_.clear();
  skipped_.clear();
  indirect_counts_.clear();
  back_buffers_.clear();
  breadcrumbs_.reset();
}

void Recording::add(const Command& command, Effect effect) {
  effects_.push_back({stream_.commands.size(), {std::move(effect)}});
  stream_.commands.push_back(command);
}

void Recording::add_predication(const Predicate* predicate) {
  if (predicate != nullptr) predicates_.push_back({stream_.commands.size(), *predicate});
  stream_.commands.emplace_back(SetPredication{false, predicate != nullptr});
}

void Recording::add_indirect(const Indirect& indirect, bool arguments_in_host) {
  indirects_.push_back({stream_.commands.size(), indirect});
  stream_.commands.emplace_back(ExecuteIndirect{static_cast<std::uint32_t>(stream_.indirect_calls.size())});
  IndirectCall call;
  call.command = mean_command(indirect.state, indirect.operation, nullptr, 0, indirect.stride);
  call.count = indirect.most;
  call.stride_bytes = indirect.stride;
  call.count_buffer = indirect.count.memory != nullptr;
  call.arguments_in_host = arguments_in_host;
  stream_.indirect_calls.push_back(call);
}

void Recording::add_timestamp(Bytes to) {
  timestamps_.push_back({stream_.commands.size(), std::move(to)});
  stream_.commands.emplace_back(Timestamp{static_cast<std::uint32_t>(timestamps_.size() - 1)});
}

void Recording::add_back_buffer(const std::shared_ptr<const BackBuffer>& buffer) {
  if (buffer == nullptr) return;
  if (std::find(back_buffers_.begin(), back_buffers_.end(), buffer) == back_buffers_.end()) {
    back_buffers_.push_back(buffer);
  }
}

void Recording::add_query(const Command& end, Query query) {
  queries_.push_back({stream_.commands.size(), std::move(query)});
  stream_.commands.push_back(end);
}

void Recording::append(const Recording& bundle, std::uint64_t viewport_pixels) {
  const std::size_t first = stream_.commands.size();
  const CommandStream& from = bundle.stream_;
  const auto graphics = static_cast<std::uint32_t>(stream_.graphics_pipelines.size());
  const auto compute = static_cast<std::uint32_t>(stream_.compute_pipelines.size());
  const auto calls = static_cast<std::uint32_t>(stream_.indirect_calls.size());
  const auto moved = [&](Command command) {
    auto* const indexed = std::get_if<DrawIndexed>(&command);
    if (Draw* const draw = indexed != nullptr ? &indexed->draw : std::get_if<Draw>(&command)) {
      draw->pipeline += graphics;
      cover(*draw, viewport_pixels);
    }
    if (auto* dispatch = std::get_if<Dispatch>(&command)) dispatch->pipeline += compute;
    if (auto* indirect = std::get_if<ExecuteIndirect>(&command)) indirect->call += calls;
    return command;
  };
  for (const Command& command : from.commands) stream_.commands.push_back(moved(command));
  for (const IndirectCall& call : from.indirect_calls) {
    stream_.indirect_calls.push_back(call);
    stream_.indirect_calls.back().command = moved(call.command);
  }
  stream_.graphics_pipelines.insert(stream_.graphics_pipelines.end(), from.graphics_pipelines.begin(),
                                    from.graphics_pipelines.end());
  stream_.compute_pipelines.insert(stream_.compute_pipelines.end(), from.compute_pipelines.begin(),
                                   from.compute_pipelines.end());
  if (hazards_ != nullptr) accesses_.append(bundle.accesses_, first);
  for (const auto& effect : bundle.effects_) effects_.push_back({first + effect.command, {effect.what.effect}});
  for (At<Indirect> indirect : bundle.indirects_) {
    const bool dispatches = indirect.what.operation == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
    indirect.what.state.pipeline += dispatches ? compute : graphics;
    indirect.what.state.viewport_pixels = viewport_pixels;
    indirects_.push_back({first + indirect.command, std::move(indirect.what)});
  }
}

std::shared_ptr<const CommandStream> Recording::executable(const std::shared_ptr<Recording>& recording) {
  recording->next_effect_ = 0;
  recording->skipped_.clear();
  recording->indirect_counts_.clear();
  recording->calls_.clear();
  if (recording->hazards_ != nullptr) recording->accesses_.begin(recording->stream_.commands.size());
  for (At<Step>& effect : recording->effects_) effect.what.state = Step::State::waits;
  if (recording->breadcrumbs_) recording->breadcrumbs_->begin(recording->stream_);
  // Not an owner: the stream is part of what it would own.
  recording->stream_.effects = std::shared_ptr<CommandEffects>(std::shared_ptr<void>(), recording.get());
  struct Execution {
    explicit Execution(std::shared_ptr<Recording> of) : recording(std::move(of)) { ++recording->executions_; }
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;
    ~Execution() { --recording->executions_; }
    std::shared_ptr<Recording> recording;
  };
  return {std::make_shared<Execution>(recording), &recording->stream_};
}

void Recording::ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) {
  if (hazards_ != nullptr) accesses_.ran(command, start_ps, end_ps);
}

/// What takes no time of its own.
void Recording::ran_now(std::size_t command) {
  if (hazards_ != nullptr) accesses_.ran(command, hazards_->now_ps(), hazards_->now_ps());
}

void Recording::complete(std::size_t command) {
  if (breadcrumbs_) breadcrumbs_->complete(command);
  if (const Query* const query = find(queries_, command)) {
    ran_now(command);
    return answer(*query, command);
  }
  settle(command, Step::State::complete);
}

void Recording::skip(std::size_t command) {
  if (breadcrumbs_) breadcrumbs_->complete(command);
  if (!queries_.empty()) skipped_.push_back(command);
  const Step* const step = find(effects_, command);
  // D3D12 does not predicate WriteBufferImmediate, which here takes a copy's time.
  const bool predicated = step != nullptr && !std::holds_alternative<WriteWord>(step->effect);
  if (step != nullptr && !predicated) ran_now(command);
  settle(command, predicated ? Step::State::skipped : Step::State::complete);
}

void Recording::settle(std::size_t command, Step::State state) {
  Step* const settled = find(effects_, command);
  if (settled == nullptr) return;
  settled->state = state;
  for (; next_effect_ < effects_.size(); ++next_effect_) {
    const Step& next = effects_[next_effect_].what;
    if (next.state == Step::State::waits) return;
    if (next.state == Step::State::complete) apply(next.effect);
  }
}

bool Recording::skips(std::size_t command) {
  const Predicate* const predicate = find(predicates_, command);
  if (predicate == nullptr) return false;
  ran_now(command);
  const bool zero = predicate->at.value<std::uint64_t>() == 0;
  return zero == predicate->skip_if_zero;
}

const IndirectCall* Recording::call(std::size_t command) {
  const Indirect* const indirect = find(indirects_, command);
  if (indirect == nullptr) return nullptr;
  const auto& recorded = stream_.indirect_calls[std::get<ExecuteIndirect>(stream_.commands[command]).call];
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
  if (!queries_.empty()) {
    DrawCounts counts;
    for (std::uint64_t i = 0; i < found->count; ++i) {
      count_command(counts, mean_command(indirect->state, indirect->operation, arguments + i * indirect->stride, 1, 0),
                    stream_);
    }
    indirect_counts_.push_back({command, counts});
  }
  const auto* dispatch = std::get_if<Dispatch>(&found->command);
  if (dispatch != nullptr && dispatch->groups == 0) found->count = 0;
  if (hazards_ != nullptr) {
    const auto* const indexed = std::get_if<DrawIndexed>(&found->command);
    const auto* const draw = indexed != nullptr ? &indexed->draw : std::get_if<Draw>(&found->command);
    accesses_.found(command, count, count > 0 && draw != nullptr && draw->pixels > 0);
  }
  calls_.push_back(std::move(found));
  return calls_.back().get();
}

void Recording::check_states(TypeClass by, StateSteps::Tell tell) {
  type_class_ = by;
  tell_ = std::move(tell);
}

void Recording::finish() {
  if (breadcrumbs_) breadcrumbs_->complete_all();
  if (tell_) states_.apply(type_class_, tell_);
  if (hazards_ != nullptr) hazards_->executed(stream_);
}

void Recording::answer(const Query& query, std::size_t end) const {
  DrawCounts counts;
  for (std::size_t command = query.first; command < end; ++command) {
    if (std::binary_search(skipped_.begin(), skipped_.end(), command)) continue;
    count_command(counts, stream_.commands[command], stream_);
  }
  // Arguments may have been read more than once, around a preemption: the last time counts.
  for (auto indirect = indirect_counts_.begin(); indirect != indirect_counts_.end(); ++indirect) {
    const auto next = std::next(indirect);
    const bool last = next == indirect_counts_.end() || next->command != indirect->command;
    if (last && indirect->command >= query.first && indirect->command < end) counts += indirect->what;
  }
  write_counts(query.type, counts, query.to.data());
}

void Recording::timestamp(std::uint32_t slot, std::uint64_t at_ps) {
  const std::uint64_t ticks = timestamp_ticks(at_ps);
  if (hazards_ != nullptr) accesses_.ran(timestamps_[slot].command, at_ps, at_ps);
  std::memcpy(timestamps_[slot].what.data(), &ticks, sizeof ticks);
}

}  // namespace fenceline::d3d12
