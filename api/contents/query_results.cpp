// SPDX-License-Identifier: Apache-2.0
#include "api/contents/query_results.hpp"

#include "engines/command/timestamp_clock.hpp"

namespace fenceline {

void QueryResults::set_timestamp(std::uint32_t slot, std::uint64_t at_ps) {
  results_[{QueryType::timestamp, slot}] = {timestamp_ticks(at_ps)};
}

void QueryResults::set(QueryType type, std::uint32_t slot, const DrawCounts& counts) {
  Result& result = results_[{heap(type), slot}];
  if (type != QueryType::pipeline_statistics) {
    result = {counts.samples};
    return;
  }
  // Of geometry, hull and domain shaders there are none.
  result = {counts.vertices,           counts.assembled,  counts.vertex_invocations, 0, 0,
            counts.primitives,         counts.primitives, counts.pixel_invocations,  0, 0,
            counts.compute_invocations};
}

std::vector<std::uint64_t> QueryResults::numbers(QueryType type, const Result& result) {
  if (type == QueryType::pipeline_statistics) return {result.begin(), result.end()};
  if (type == QueryType::binary_occlusion) return {result[0] != 0 ? std::uint64_t{1} : std::uint64_t{0}};
  return {result[0]};
}

}  // namespace fenceline
