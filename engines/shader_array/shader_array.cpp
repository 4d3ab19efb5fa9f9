// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shader_array.hpp"

#include "engines/shader_array/rules/rules_dispatcher.hpp"
#include "engines/shader_array/rules/wave_parts.hpp"
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"
#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

std::unique_ptr<Dispatcher> dispatcher_of(const ShaderArrayConfig& config, Shortcuts shortcuts) {
  if (config.simulate == SimulatedBy::rules) return std::make_unique<RulesDispatcher>(config);
  return std::make_unique<ShortcutDispatcher>(config, shortcuts);
}

}  // namespace

ShaderArray::ShaderArray(sc_core::sc_module_name module_name, const ShaderArrayConfig& config, Memory& memory,
                         EventLog& log, Shortcuts shortcuts)
    : sc_module(module_name),
      config_(config),
      clock_(ClockDomain::of_mhz(config.clock_mhz)),
      last_cycle_(clock_.cycle_at(max_time_ps)),
      memory_overhead_ps_(ps_of_ns(config.memory_group_overhead_ns) + clock_.time_of(config.group_overhead_cycles)),
      memory_(memory),
      log_(log),
      log_track_(log.name(name())),
      agenda_("agenda"),
      dispatcher_(dispatcher_of(config, shortcuts)),
      work_("work", Callback::to<&ShaderArray::work>(this)),
      wake_("timer", Callback::to<&ShaderArray::woken>(this)) {}

ShaderArray::~ShaderArray() = default;

bool ShaderArray::is_resident(std::uint32_t grid) const { return dispatcher_->is_resident(grid); }

std::uint32_t ShaderArray::launch(const Grid& grid, const GridRemainder* left) {
  if (grid.work.cycles > last_cycle_) throw_time_overflow(name());
  const std::uint32_t index = dispatcher_->launch(grid, left);
  if (log_.enabled()) shut_out_[grid.order].push_back(index);
  step_at_next_edge();
  return index;
}

void ShaderArray::halt(std::uint32_t grid, PreemptionLevel level) {
  const std::uint64_t now = now_ps();
  dispatcher_->halt(grid, level, clock_.time_of(clock_.cycle_at(now)) == now);
  const bool told = std::find(saving_.begin(), saving_.end(), grid) != saving_.end();
  if (traits_of(level).has(level_rule::stops_threads) && !told) saving_.push_back(grid);
  step_at_next_edge();
}

void ShaderArray::rerank(std::uint64_t packet, int priority, int in_process_priority) {
  dispatcher_->rerank(packet, priority, in_process_priority);
  step_at_next_edge();
}

bool ShaderArray::has_worked(std::uint32_t grid, PreemptionLevel level) const {
  const std::uint64_t first = dispatcher_->first_start(grid);
  const std::uint64_t cycle = clock_.cycle_at(now_ps());
  return first != never && (traits_of(level).has(level_rule::stops_threads) ? first < cycle : first <= cycle);
}

void ShaderArray::step_at_next_edge() {
  const std::uint64_t now = now_ps();
  const std::uint64_t edge_ps = clock_.time_of(clock_.first_edge_from(now));
  if (edge_ps == now) {
    work_.request();
  } else {
    wake_.set(std::min(edge_ps, wake_.due_ps()));
  }
}

// `work` comes one delta cycle later: all that arrives or ends at this edge is handled together, in order.
void ShaderArray::woken(std::uint64_t) { work_.request(); }

void ShaderArray::work(std::uint64_t) {
  const bool waves_logged = log_.enabled(EventLog::Detail::waves);
  for (const std::uint32_t grid : saving_) break_off_memory(grid);
  saving_.clear();
  dispatcher_->step(clock_.cycle_at(now_ps()), waves_logged);
  for (const std::uint32_t cohort : dispatcher_->events().starting) start_memory(cohort);
  if (waves_logged) log_waves();
  if (!shut_out_.empty() || !logged_waiting_.empty()) log_places();
  const std::uint64_t next = dispatcher_->next();
  if (next != never && next > last_cycle_) throw_time_overflow(name());
  wake_.set(next == never ? Timer::never : clock_.time_of(next));
  // With the books closed: a callback may launch the next grid.
  for (const Grid& grid : dispatcher_->events().waiting) {
    if (grid.owner != nullptr) grid.owner->grid_waits(grid.tag);
  }
  for (const Grid& grid : dispatcher_->events().placed) {
    if (grid.owner != nullptr) grid.owner->grid_placed(grid.tag);
  }
  for (const ForetoldGrid& one : dispatcher_->events().foretold) {
    one.owner->grid_ends(one.tag, clock_.time_of(one.end));
  }
  for (const Grid& grid : dispatcher_->events().finished) grid.done();
  for (const HaltedGrid& one : dispatcher_->events().halted) one.grid.owner->grid_halted(one.grid.tag, one.left);
}

void ShaderArray::start_memory(std::uint32_t index) {
  const Cohort& cohort = dispatcher_->cohort(index);
  const Grid& grid = dispatcher_->grid(cohort.grid);
  const std::uint64_t texture = texture_bytes(grid);
  const auto set_of = [&](std::uint64_t set_bytes, std::uint64_t bytes) {
    return AccessedSet{set_bytes, grid.groups * bytes, static_cast<double>(bytes)};
  };
  Memory::Stream stream;
  stream.bytes = cohort.bytes;
  stream.bytes_in_flight = cohort.groups * grid.footprint.threads * grid.work.bytes_in_flight_per_thread;
  if (cohort.part) {
    const double weighted = static_cast<double>(stream.bytes_in_flight) * flight_weight(grid, *cohort.part, config_);
    stream.bytes_in_flight = static_cast<std::uint64_t>(std::llround(weighted));
  }
  stream.reads = {cohort.grid,
                  {set_of(grid.work.working_set_bytes, grid.work.vram_bytes),
                   set_of(grid.work.shader.texture_working_set_bytes, texture)},
                  config_.load_latency_ns};
  if (index >= accesses_.size()) accesses_.resize(index + 1);
  const Ticket ticket{index, access_numbers_.next()};
  const auto streamed = Callback::to<&ShaderArray::streamed>(this, ticket.argument());
  accesses_[index] = {ticket.number, memory_.stream(stream, streamed), 0};
}

/// What is left of the accesses of a grid whose groups all lose their places.
void ShaderArray::break_off_memory(std::uint32_t grid) {
  const std::uint64_t cycle = clock_.cycle_at(now_ps());
  for (const std::uint32_t index : dispatcher_->accessing(grid)) {
    Access& access = accesses_[index];
    CohortMemory left;
    if (access.done_edge > 0) {
      left.cycles = access.done_edge - cycle;
    } else if (const auto bytes = memory_.cancel(access.stream)) {
      left.bytes = bytes->bytes[0];
    } else {
      left.cycles = clock_.first_edge_from(memory_.delivery_ps(access.stream) + memory_overhead_ps_) - cycle;
    }
    access.number = 0;
    dispatcher_->break_off_memory(index, left);
  }
}

void ShaderArray::streamed(std::uint64_t ticket) {
  const auto [cohort, number] = Ticket::of(ticket);
  Access& access = accesses_[cohort];
  if (access.number != number) return;
  const std::uint64_t done_ps = now_ps() + memory_overhead_ps_;
  access.done_edge = clock_.first_edge_from(done_ps);
  agenda_.at<&ShaderArray::memory_done>(clock_.time_of(access.done_edge), this, ticket);
}

void ShaderArray::memory_done(std::uint64_t ticket) {
  const auto [cohort, number] = Ticket::of(ticket);
  if (accesses_[cohort].number != number) return;
  accesses_[cohort].number = 0;
  dispatcher_->end_memory(cohort);
  work_.request();
}

/// Of packets that want places and have none, who has them.
void ShaderArray::log_places() {
  const Tally& residents = dispatcher_->residents();
  std::vector<std::uint64_t> waiting;
  for (auto it = shut_out_.begin(); it != shut_out_.end();) {
    auto& [packet, grids] = *it;
    // They get their places in the order of their launches. In the place of one that is over there may be another's.
    const auto waits = [&, order = packet](std::uint32_t grid) {
      return dispatcher_->grid(grid).order == order && dispatcher_->is_shut_out(grid);
    };
    while (!grids.empty() && !waits(grids.front())) grids.pop_front();
    if (!grids.empty() && !residents.numbers().empty() && !residents.has(packet)) waiting.push_back(packet);
    it = grids.empty() ? shut_out_.erase(it) : std::next(it);
  }
  if (waiting == logged_waiting_ && (waiting.empty() || residents.changes() == logged_residents_)) return;
  for (const std::uint64_t packet : logged_waiting_) {
    if (std::binary_search(waiting.begin(), waiting.end(), packet)) continue;
    log_.room({RoomRecord::Where::shader_array, {}, packet, {}, false, now_ps()});
  }
  std::vector<RoomRecord::Holder> holders;
  for (const std::uint64_t other : residents.numbers()) holders.push_back({other, {}});
  for (const std::uint64_t packet : waiting) {
    const bool known = std::binary_search(logged_waiting_.begin(), logged_waiting_.end(), packet);
    if (known && residents.changes() == logged_residents_) continue;
    log_.room({RoomRecord::Where::shader_array, {}, packet, holders, true, now_ps()});
  }
  logged_waiting_ = std::move(waiting);
  logged_residents_ = residents.changes();
}

void ShaderArray::log_waves() {
  for (const Cohort& cohort : dispatcher_->events().ended) {
    const Grid& grid = dispatcher_->grid(cohort.grid);
    log_.span(
        {log_track_, SpanKind::wave, grid.label, clock_.time_of(cohort.start), clock_.time_of(cohort.end), grid.order});
  }
  const std::uint64_t threads = dispatcher_->resident_threads();
  if (threads == logged_threads_) return;
  logged_threads_ = threads;
  log_.counter({log_track_, CounterKind::resident_threads, now_ps(), threads});
}

}  // namespace fenceline
