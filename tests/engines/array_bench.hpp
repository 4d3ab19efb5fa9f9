// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/memory.hpp"
#include "engines/shader_array.hpp"
#include "tests/sim/script.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace fenceline {

struct ArrayTop : sc_core::sc_module {
  ArrayTop(sc_core::sc_module_name module_name, const ShaderArrayConfig& config, const MemoryConfig& memory_config,
           SmClasses classes)
      : sc_module(module_name),
        memory("memory", memory_config, log),
        array("array", config, memory, log, classes),
        script("script") {}
  EventLog log;
  Memory memory;
  ShaderArray array;
  Script script;
  std::vector<std::uint64_t> ends_ps;
  std::vector<int> calls;
};

/// A shader array with grids launched at given times.
class ArrayBench : public KernelOf<ArrayTop> {
 public:
  explicit ArrayBench(const ShaderArrayConfig& config, const MemoryConfig& memory = {},
                      SmClasses classes = SmClasses::by_state)
      : KernelOf(config, memory, classes) {}

  /// `order` is set to the number of the grid unless `keep_order`.
  void launch(std::uint64_t at_ps, Grid grid, bool keep_order = false) {
    enter([&](ArrayTop& t) {
      const std::size_t index = t.ends_ps.size();
      t.ends_ps.push_back(0);
      t.calls.push_back(0);
      if (!keep_order) grid.order = index;
      grid.done = t.script.callback([&t, index] {
        t.ends_ps[index] = sc_core::sc_time_stamp().value();
        ++t.calls[index];
      });
      t.script.at(at_ps, [&t, grid] { t.array.launch(grid); });
    });
  }
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

}  // namespace fenceline
