// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/recording.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {

void Recording::clear() {
  stream_.commands.clear();
  stream_.compute_pipelines.clear();
  stream_.graphics_pipelines.clear();
  stream_.indirect_calls.clear();
  stream_.root_constants.clear();
  stream_.splits = {};
  stream_.markers.clear();
  open_events_ = 0;
  stream_.resources.clear();
  set_in_bundle_.clear();
  table_reads_.clear();
  measured_graphics_.clear();
  measured_compute_.clear();
  effects_.clear();
  predicates_.clear();
  indirects_.clear();
  timestamps_.clear();
  discards_.clear();
  states_.clear();
  tell_ = nullptr;
  watched_ = false;
  accesses_.clear();
  queries_.clear();
  back_buffers_.clear();
  breadcrumbs_.reset();
  stream_.memory = {};
  memory_bindings_.clear();
  uses_found_.reset();
  uses_tiles_ = false;
  used_memory_.clear();
}

void Recording::add(const Command& command, Effect effect) {
  effects_.push_back({stream_.commands.size(), std::move(effect)});
  stream_.commands.push_back(command);
}

bool Recording::add_marker(Marker marker, bool in_bundle) {
  if (marker.kind == MarkerKind::end && open_events_ == 0 && !in_bundle) return false;
  if (marker.kind == MarkerKind::begin) ++open_events_;
  if (marker.kind == MarkerKind::end && open_events_ > 0) --open_events_;
  stream_.markers.push_back(std::move(marker));
  return true;
}

std::size_t Recording::end_events() {
  for (std::size_t i = 0; i < open_events_; ++i) {
    stream_.markers.push_back({MarkerKind::end, "", 0, stream_.commands.size()});
  }
  return std::exchange(open_events_, 0);
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
  call.count = call.max_count = indirect.most;
  call.stride_bytes = indirect.stride;
  call.count_buffer = indirect.count.memory != nullptr;
  call.arguments_in_host = arguments_in_host;
  stream_.indirect_calls.push_back(call);
}

void Recording::add_timestamp(Bytes to) {
  timestamps_.push_back({stream_.commands.size(), std::move(to)});
  stream_.commands.emplace_back(Timestamp{static_cast<std::uint32_t>(timestamps_.size() - 1)});
}

void Recording::add_discard(Bytes of) {
  discards_.push_back({stream_.commands.size(), std::move(of)});
  stream_.commands.emplace_back(Discard{});
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

void Recording::append(const Recording& bundle, std::uint64_t viewport_pixels, const BoundArguments& arguments) {
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
  for (Marker marker : from.markers) {
    marker.command += first;
    add_marker(std::move(marker), false);
  }
  for (const Command& command : from.commands) stream_.commands.push_back(moved(command));
  if (from.commands.size() > 1) stream_.splits.bundles.emplace_back(first, stream_.commands.size());
  for (const IndirectCall& call : from.indirect_calls) {
    stream_.indirect_calls.push_back(call);
    stream_.indirect_calls.back().command = moved(call.command);
  }
  stream_.graphics_pipelines.insert(stream_.graphics_pipelines.end(), from.graphics_pipelines.begin(),
                                    from.graphics_pipelines.end());
  stream_.compute_pipelines.insert(stream_.compute_pipelines.end(), from.compute_pipelines.begin(),
                                   from.compute_pipelines.end());
  table_reads_.append(bundle.table_reads_);
  measured_graphics_.insert(measured_graphics_.end(), bundle.measured_graphics_.begin(),
                            bundle.measured_graphics_.end());
  measured_compute_.insert(measured_compute_.end(), bundle.measured_compute_.begin(), bundle.measured_compute_.end());
  if (watched_) accesses_.append(bundle.accesses_, first);
  memory_bindings_.append(bundle.memory_bindings_, first);
  for (const auto& effect : bundle.effects_) effects_.push_back({first + effect.command, effect.what});
  for (At<Indirect> indirect : bundle.indirects_) {
    const bool dispatches = indirect.what.operation == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
    indirect.what.state.pipeline += dispatches ? compute : graphics;
    indirect.what.state.viewport_pixels = viewport_pixels;
    indirects_.push_back({first + indirect.command, std::move(indirect.what)});
  }
  for (const At<SetInBundle>& set : bundle.set_in_bundle_) {
    RootArguments bound = arguments.of(set.what.dispatches);
    bound.take(set.what.arguments);
    const std::size_t command = first + set.command;
    const Indirect* const indirect = indirect_at(command);
    const bool sets_constants = indirect != nullptr && !indirect->constants.arguments.empty();
    if (sets_constants || !bound.constants.empty()) bind_at(command, bound);
  }
}

void Recording::bind_at(std::size_t command, RootArguments& arguments) {
  if (stream_.root_constants.size() <= command) stream_.root_constants.resize(command + 1);
  stream_.root_constants[command] = arguments.constants.key();
  const PatternKey resources = arguments.descriptors.key();
  if (resources == 0) return;
  stream_.resources.resize(command + 1);
  stream_.resources.back() = resources;
}

void Recording::bind_in_bundle(const RootArguments& arguments, bool dispatches) {
  set_in_bundle_.push_back({stream_.commands.size() - 1, {arguments, dispatches}});
}

void Recording::check_states(TypeClass by, StateSteps::Tell tell) {
  type_class_ = by;
  tell_ = std::move(tell);
}

}  // namespace fenceline::d3d12
