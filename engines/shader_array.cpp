// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array.hpp"

#include "sim/duration.hpp"
#include "sim/kernel.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <vector>

namespace fenceline {

ShaderArray::ShaderArray(sc_core::sc_module_name module_name, const ShaderArrayConfig& config, Memory& memory,
                         EventLog& log, SmClasses classes)
    : sc_module(module_name),
      config_(config),
      clock_(config.clock_khz),
      last_cycle_(clock_.cycle_at(max_time_ps)),
      memory_overhead_ps_(ps_of_ns(config.memory_group_overhead_ns)),
      memory_(memory),
      log_(log),
      log_track_(log.name(name())),
      log_category_(log.name("wave")),
      agenda_("agenda"),
      dispatcher_(config, classes) {
  SC_HAS_PROCESS(ShaderArray);
  SC_METHOD(work);
  sensitive << work_;
  dont_initialize();
  SC_METHOD(woken);
  sensitive << wake_;
  dont_initialize();
}

void ShaderArray::launch(const Grid& grid) {
  if (grid.work.cycles > last_cycle_) throw_time_overflow(name());
  dispatcher_.launch(grid);
  const std::uint64_t now_ps = sc_core::sc_time_stamp().value();
  const std::uint64_t edge_ps = clock_.time_of(clock_.first_edge_from(now_ps));
  if (edge_ps == now_ps) {
    work_.notify(sc_core::SC_ZERO_TIME);
  } else {
    wake_.notify(sc_core::sc_time::from_value(edge_ps - now_ps));  // ignored when an earlier one is pending
  }
}

// `work` comes one delta cycle later: all that arrives or ends at this edge is handled together, in order.
void ShaderArray::woken() { work_.notify(sc_core::SC_ZERO_TIME); }

void ShaderArray::work() {
  std::vector<Callback> finished;
  guarded([&] {
    const std::uint64_t now_ps = sc_core::sc_time_stamp().value();
    const bool waves_logged = log_.enabled(EventLog::Detail::waves);
    dispatcher_.step(clock_.cycle_at(now_ps), waves_logged);
    for (const std::uint32_t cohort : dispatcher_.starting()) start_memory(cohort);
    if (waves_logged) log_waves();
    for (const Grid& grid : dispatcher_.finished()) finished.push_back(grid.done);
    const std::uint64_t next = dispatcher_.next();
    wake_.cancel();
    if (next == never) return;
    if (next > last_cycle_) throw_time_overflow(name());
    wake_.notify(sc_core::sc_time::from_value(clock_.time_of(next) - now_ps));
  });
  // Outside the bookkeeping: a callback may launch the next grid.
  guarded([&] {
    for (const Callback& done : finished) done();
  });
}

void ShaderArray::start_memory(std::uint32_t index) {
  const Dispatcher::Cohort& cohort = dispatcher_.cohort(index);
  const Grid& grid = dispatcher_.grid(cohort.grid);
  Memory::Stream stream;
  stream.bytes = cohort.groups * grid.work.vram_bytes;
  stream.bytes_in_flight = cohort.groups * grid.footprint.threads * grid.work.bytes_in_flight_per_thread;
  stream.vram_latency_ns = config_.load_latency_ns;
  stream.hit_fraction = memory_.hit_fraction(grid.groups * grid.work.vram_bytes, grid.work.working_set_bytes);
  memory_.stream(stream, Callback::to<&ShaderArray::streamed>(this, index));
}

void ShaderArray::streamed(std::uint64_t cohort) {
  const std::uint64_t done_ps = sc_core::sc_time_stamp().value() + memory_overhead_ps_;
  agenda_.at<&ShaderArray::memory_done>(clock_.time_of(clock_.first_edge_from(done_ps)), this, cohort);
}

void ShaderArray::memory_done(std::uint64_t cohort) {
  dispatcher_.end_memory(static_cast<std::uint32_t>(cohort));
  work_.notify(sc_core::SC_ZERO_TIME);
}

void ShaderArray::log_waves() {
  for (const Dispatcher::Cohort& cohort : dispatcher_.ended()) {
    const Grid& grid = dispatcher_.grid(cohort.grid);
    log_.span(
        {log_track_, log_category_, grid.label, clock_.time_of(cohort.start), clock_.time_of(cohort.end), grid.order});
  }
}

}  // namespace fenceline
