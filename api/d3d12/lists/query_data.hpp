// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "engines/command/draw_counts.hpp"

#include <cstddef>

namespace fenceline::d3d12 {

/// Writes the result of a query as ResolveQueryData gives it out: 8 bytes, or D3D12_QUERY_DATA_PIPELINE_STATISTICS(1).
/// Stream output is not modelled: its counts are 0.
void write_counts(D3D12_QUERY_TYPE type, const DrawCounts& counts, std::byte* to);

}  // namespace fenceline::d3d12
