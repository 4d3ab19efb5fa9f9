// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fenceline::d3d12 {

/// Descriptors of a root parameter's table that shaders read, counted from the table's first one.
struct TableRead {
  UINT parameter;
  std::uint64_t first;
  std::uint64_t count;
};
/// Of all shaders of a pipeline state, each once, by parameter.
using TableReads = std::vector<TableRead>;

/// Of a stream's pipeline states, by their index there.
struct StreamTableReads {
  using Pipelines = std::vector<std::shared_ptr<const TableReads>>;
  Pipelines graphics;
  Pipelines compute;
  void clear() {
    graphics.clear();
    compute.clear();
  }
  /// Those of another one's, behind its own.
  void append(const StreamTableReads& other) {
    graphics.insert(graphics.end(), other.graphics.begin(), other.graphics.end());
    compute.insert(compute.end(), other.compute.begin(), other.compute.end());
  }
};

}  // namespace fenceline::d3d12
