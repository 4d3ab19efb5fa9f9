// SPDX-License-Identifier: Apache-2.0
#include "api/import/lone_command.hpp"

#include "api/stream_builder.hpp"
#include "engines/shader_array/rules/occupancy.hpp"
#include "sim/assert.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace fenceline {
namespace {

constexpr std::uint8_t no_route = 255;
constexpr double most_amount = 1e15;  // bytes or cycles of a group, as a workload may say

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

QueueConfig compute_queue() {
  QueueConfig queue;
  queue.name = "lone";
  queue.type = QueueType::compute;
  return queue;
}

}  // namespace

LoneCommands::LoneCommands(const MachineConfig& config) : config_(config) { start_machine(); }

void LoneCommands::start_machine() {
  machine_.emplace(config_);
  queue_ = machine_->create_queue(compute_queue());
  machine_->log().attach(*this, EventLog::Detail::commands);
}

void LoneCommands::span(const EventLog&, const Span& span) {
  if (span.kind == SpanKind::command) last_ps_ = span.end_ps - span.start_ps;
}

std::uint64_t LoneCommands::play(std::shared_ptr<const CommandStream> stream) {
  if (machine_->now_ps() > max_time_ps / 2) start_machine();
  last_ps_ = 0;
  machine_->execute(queue_, std::move(stream));
  const bool completed = machine_->run();
  FENCELINE_ASSERT(completed, "a command alone on a machine did not end");
  return last_ps_;
}

std::uint64_t LoneCommands::duration_ps(const Command& command) {
  const auto* copy = std::get_if<CopyBuffer>(&command);
  const auto* clear = std::get_if<Clear>(&command);
  FENCELINE_ASSERT(copy != nullptr || clear != nullptr, "only copies and clears are timed as they are");
  const std::pair<std::uint8_t, std::uint64_t> key =
      copy != nullptr ? std::pair(static_cast<std::uint8_t>(copy->route), copy->bytes)
                      : std::pair(no_route, clear->bytes);
  const auto found = copies_.find(key);
  if (found != copies_.end()) return found->second;
  return copies_[key] = play(StreamBuilder("lone").add(command).finish());
}

std::uint64_t LoneCommands::capacity(const GroupFootprint& footprint) const {
  const ShaderArrayConfig& array = config_.shader_array;
  return std::uint64_t{array.sms} * groups_that_fit(footprint, array);
}

std::uint64_t LoneCommands::dispatch_ps(const GroupFootprint& footprint, std::uint64_t groups, const GroupWork& work) {
  ComputePipeline pipeline;
  pipeline.name = "lone";
  pipeline.group = footprint;
  pipeline.work = work;
  return play(StreamBuilder("lone").dispatch(std::move(pipeline), groups).finish());
}

/// Work of so much of one kind with which the dispatch takes `wanted_ps`, where `slope` ps are due to each unit.
LoneCommands::Fit LoneCommands::search(const GroupFootprint& footprint, std::uint64_t groups, std::uint64_t wanted_ps,
                                       double slope, const WorkOf& work_of) {
  Fit best;
  double guess = static_cast<double>(wanted_ps) / slope;
  std::uint64_t earlier_amount = 0;
  std::uint64_t earlier_ps = 0;
  // The first play is right but for what the array adds to each wave; further ones correct by the slope seen so far.
  constexpr int most_plays = 8;
  for (int plays = 0; plays < most_plays; ++plays) {
    const auto amount = static_cast<std::uint64_t>(std::llround(std::clamp(guess, 0.0, most_amount)));
    if (plays > 0 && amount == earlier_amount) break;
    const std::uint64_t ps = dispatch_ps(footprint, groups, work_of(amount));
    if (plays == 0 || distance(ps, wanted_ps) < distance(best.duration_ps, wanted_ps)) best = {work_of(amount), ps};
    if (plays > 0 && ps != earlier_ps && (ps > earlier_ps) == (amount > earlier_amount)) {
      slope = static_cast<double>(distance(ps, earlier_ps)) / static_cast<double>(distance(amount, earlier_amount));
    }
    const double missing_ps = static_cast<double>(wanted_ps) - static_cast<double>(ps);
    if (std::abs(missing_ps) < 0.5 * slope) break;  // less than a unit's worth
    guess = static_cast<double>(amount) + missing_ps / slope;
    earlier_amount = amount;
    earlier_ps = ps;
  }
  return best;
}

LoneCommands::Fit LoneCommands::fit(const GroupFootprint& footprint, std::uint64_t groups, std::uint64_t wanted_ps,
                                    const KernelBound& bound) {
  const auto key = std::make_tuple(footprint.threads, footprint.registers_per_thread, footprint.shared_bytes, groups,
                                   wanted_ps, bound.bytes_in_flight_per_thread);
  const auto found = fits_.find(key);
  if (found != fits_.end()) return found->second;

  const ShaderArrayConfig& array = config_.shader_array;
  const std::uint64_t at_once = capacity(footprint);
  const std::uint64_t wave_count = (groups + at_once - 1) / at_once;
  const auto waves = static_cast<double>(wave_count);
  const auto moving = [&](std::uint64_t bytes) {
    GroupWork work;
    work.vram_bytes = bytes;
    work.bytes_in_flight_per_thread = bound.bytes_in_flight_per_thread;
    return work;
  };
  const auto busy = [](std::uint64_t cycles) {
    GroupWork work;
    work.cycles = cycles;
    return work;
  };
  if (dispatch_ps(footprint, groups, moving(1)) <= wanted_ps) {
    const double in_flight = static_cast<double>(footprint.threads) * bound.bytes_in_flight_per_thread;
    return fits_[key] = search(footprint, groups, wanted_ps, waves * array.load_latency_ns * 1e3 / in_flight, moving);
  }
  return fits_[key] = search(footprint, groups, wanted_ps, waves * 1e6 / array.clock_mhz, busy);
}

}  // namespace fenceline
