// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption.hpp"
#include "engines/memory/memory.hpp"
#include "engines/shader_array/rules/grid.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"
#include "engines/shader_array/shortcuts/shortcuts.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/clock_domain.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/timer.hpp"
#include "sim/log.hpp"
#include "sim/room_record.hpp"
#include "sim/ticket.hpp"

#include <systemc>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace fenceline {

class Dispatcher;

/// The SMs that the 3D and compute engines share. Runs the dispatcher on the edges of the SM clock and moves the bytes
/// of the groups it starts. What happens between two edges takes effect at the next one: groups start, end and free
/// their place on edges only.
class ShaderArray : public sc_core::sc_module {
 public:
  /// Idle SMs that move their bytes through `memory`.
  ShaderArray(sc_core::sc_module_name name, const ShaderArrayConfig& config, Memory& memory, EventLog& log,
              Shortcuts shortcuts = {});
  ~ShaderArray() override;

  /// At least one group must fit on an empty SM. With `left` the grid goes on where it was halted. The answer names it
  /// until it is done or halted.
  std::uint32_t launch(const Grid& grid, const GridRemainder* left = nullptr);
  /// Stops the grid, as Dispatcher::halt says; its owner hears what is left, unless it ends before.
  void halt(std::uint32_t grid, PreemptionLevel level);
  /// Which of the packet's grids wait for places do so with another rank from now on.
  void rerank(std::uint64_t packet, int priority, int in_process_priority);
  /// Groups of the grid have places.
  bool is_resident(std::uint32_t grid) const;
  /// A group of the grid has begun since the launch; at level `shader`, a cycle ago.
  bool has_worked(std::uint32_t grid, PreemptionLevel level) const;
  const ShaderArrayConfig& config() const { return config_; }    ///< what it was made from
  const ClockDomain& clock() const { return clock_; }            ///< of the SMs
  const Dispatcher& dispatcher() const { return *dispatcher_; }  ///< who places groups

 private:
  /// Memory accesses of a cohort.
  struct Access {
    std::uint32_t number = 0;     // of its ticket
    std::uint32_t stream = 0;     // of the memory
    std::uint64_t done_edge = 0;  // all bytes have been moved; 0: not yet
  };
  void step_at_next_edge();
  void woken(std::uint64_t);
  void work(std::uint64_t);
  void break_off_memory(std::uint32_t grid);
  void start_memory(std::uint32_t cohort);
  void streamed(std::uint64_t ticket);
  void memory_done(std::uint64_t ticket);
  void log_waves();
  void log_places();

  ShaderArrayConfig config_;
  ClockDomain clock_;
  std::uint64_t last_cycle_;  // before max_time_ps
  std::uint64_t memory_overhead_ps_;
  Memory& memory_;
  EventLog& log_;
  LogName log_track_;
  std::uint64_t logged_threads_ = 0;  // that have places
  // As far as a log hears of them: of packets, grids none of whose groups has had a place.
  std::map<std::uint64_t, std::deque<std::uint32_t>> shut_out_;
  std::vector<std::uint64_t> logged_waiting_;  // packets, in their order
  std::uint64_t logged_residents_ = 0;         // how often they had changed
  Agenda agenda_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::vector<Access> accesses_;  // by cohort
  TicketNumbers access_numbers_;
  std::vector<std::uint32_t> saving_;  // grids halted at level shader since the last step
  DeltaCall work_;
  Timer wake_;
};

}  // namespace fenceline
