// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/waiting_order.hpp"

namespace fenceline {
namespace {

bool goes_first(const Grid& grid, const ShaderArrayConfig& config) {
  return grid.graphics || (config.graphics_queue_first && grid.of_graphics_queue);
}

}  // namespace

bool makes_way(const Grid& waiting, const Grid& comes, const ShaderArrayConfig& config) {
  if (waiting.priority != comes.priority) return waiting.priority < comes.priority;
  if (waiting.process == comes.process && waiting.in_process_priority != comes.in_process_priority) {
    return waiting.in_process_priority < comes.in_process_priority;
  }
  return goes_first(comes, config) && !goes_first(waiting, config);
}

}  // namespace fenceline
