// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/memory/memory.hpp"
#include "engines/shader_array/shader_array.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline::testing {

struct ArrayTop : sc_core::sc_module, GridOwner {
  ArrayTop(sc_core::sc_module_name module_name, const ShaderArrayConfig& config, const MemoryConfig& memory_config,
           Shortcuts shortcuts)
      : sc_module(module_name),
        memory("memory", memory_config, log),
        array("array", config, memory, log, shortcuts),
        script("script") {}
  void launch(std::size_t index) {
    GridRun& run = runs[index];
    run.handle = array.launch(run.grid, run.left ? &*run.left : nullptr);
    run.running = true;
    run.told_end_ps = ~std::uint64_t{0};
    run.left.reset();
  }
  void halt(std::size_t index, PreemptionLevel level, std::uint64_t pause_ps) {
    GridRun& run = runs[index];
    run.pause_ps = pause_ps;
    if (run.running && run.told_end_ps > now_ps()) array.halt(run.handle, level);
  }
  void end(std::size_t index) {
    ends_ps[index] = now_ps();
    ++calls[index];
    runs[index].running = false;
  }
  void grid_ends(std::uint64_t index, std::uint64_t end_ps) override {
    runs[index].told_end_ps = end_ps;
    script.at(end_ps, [this, index, end_ps] {
      if (runs[index].running && runs[index].told_end_ps == end_ps) end(index);
    });
  }
  void grid_halted(std::uint64_t index, GridRemainder left) override {
    GridRun& run = runs[index];
    run.running = false;
    ++run.halts;
    run.halted_ps.push_back(now_ps());
    run.remainders.push_back(left);
    run.left = std::move(left);
    script.at(now_ps() + run.pause_ps, [this, index] { launch(index); });
  }

  /// A grid and what became of it.
  struct GridRun {
    Grid grid;
    std::uint32_t handle = 0;
    bool running = false;
    int halts = 0;
    std::uint64_t told_end_ps = ~std::uint64_t{0};  ///< of a foretold grid, once it has been told
    std::uint64_t pause_ps = 0;                     ///< until a halted grid goes on
    std::optional<GridRemainder> left;
    std::vector<std::uint64_t> halted_ps;
    std::vector<GridRemainder> remainders;
  };
  EventLog log;
  Memory memory;
  ShaderArray array;
  Script script;
  std::vector<std::uint64_t> ends_ps;
  std::vector<int> calls;
  std::vector<GridRun> runs;
};

/// A shader array with grids launched at given times.
class ArrayBench : public KernelOf<ArrayTop> {
 public:
  explicit ArrayBench(const ShaderArrayConfig& config, const MemoryConfig& memory = {}, Shortcuts shortcuts = {})
      : KernelOf(config, memory, shortcuts) {}

  /// `order` is set to the number of the grid unless `keep_order`.
  void launch(std::uint64_t at_ps, Grid grid, bool keep_order = false) {
    enter([&](ArrayTop& t) {
      const std::size_t index = t.ends_ps.size();
      t.ends_ps.push_back(0);
      t.calls.push_back(0);
      if (!keep_order) grid.order = index;
      grid.owner = &t;
      grid.tag = index;
      grid.done = t.script.callback([&t, index] { t.end(index); });
      t.runs.emplace_back();
      t.runs.back().grid = grid;
      t.script.at(at_ps, [&t, index] { t.launch(index); });
    });
  }
  /// Halts the grid, if it runs at that time; it goes on `pause_ps` after it has stopped.
  void halt(std::uint64_t at_ps, std::size_t grid, PreemptionLevel level, std::uint64_t pause_ps) {
    enter([&](ArrayTop& t) { t.script.at(at_ps, [&t, grid, level, pause_ps] { t.halt(grid, level, pause_ps); }); });
  }
  /// The grid gets another priority; its number is its packet's id.
  void rerank(std::uint64_t at_ps, std::size_t grid, int priority) {
    enter([&](ArrayTop& t) {
      t.script.at(at_ps, [&t, grid, priority] {
        t.runs[grid].grid.priority = priority;
        t.array.rerank(grid, priority, 0);
      });
    });
  }
  const ArrayTop::GridRun& grid(std::size_t index) { return top().runs[index]; }
  /// When each grid ended, in the order of `launch`.
  const std::vector<std::uint64_t>& run() {
    kernel.run_to_end();
    return top().ends_ps;
  }
  /// Every grid has ended exactly once.
  bool all_ended_once() { return top().calls == std::vector<int>(top().calls.size(), 1); }
};

inline Grid grid_of(std::uint64_t groups, GroupFootprint footprint, std::uint64_t cycles) {
  Grid grid;
  grid.groups = groups;
  grid.footprint = footprint;
  grid.work.cycles = cycles;
  return grid;
}

}  // namespace fenceline::testing
