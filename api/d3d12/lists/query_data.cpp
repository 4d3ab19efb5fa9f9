// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/query_data.hpp"

#include <cstring>
#include <type_traits>

namespace fenceline::d3d12 {
namespace {

template <class Statistics>
Statistics statistics_of(const DrawCounts& counts) {
  Statistics statistics{};
  statistics.IAVertices = counts.vertices;
  statistics.IAPrimitives = counts.assembled;
  statistics.VSInvocations = counts.vertex_invocations;
  statistics.CInvocations = counts.primitives;
  statistics.CPrimitives = counts.primitives;
  statistics.PSInvocations = counts.pixel_invocations;
  statistics.CSInvocations = counts.compute_invocations;
  if constexpr (std::is_same_v<Statistics, D3D12_QUERY_DATA_PIPELINE_STATISTICS1>) {
    statistics.ASInvocations = counts.amplification_invocations;
    statistics.MSInvocations = counts.mesh_invocations;
    statistics.MSPrimitives = counts.mesh_primitives;
  }
  return statistics;
}

template <class T>
void put(const T& value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace

void write_counts(D3D12_QUERY_TYPE type, const DrawCounts& counts, std::byte* to) {
  switch (type) {
    case D3D12_QUERY_TYPE_OCCLUSION:
    case D3D12_QUERY_TYPE_BINARY_OCCLUSION: return put(counts.samples, to);
    case D3D12_QUERY_TYPE_PIPELINE_STATISTICS:
      return put(statistics_of<D3D12_QUERY_DATA_PIPELINE_STATISTICS>(counts), to);
    case D3D12_QUERY_TYPE_PIPELINE_STATISTICS1:
      return put(statistics_of<D3D12_QUERY_DATA_PIPELINE_STATISTICS1>(counts), to);
    default: return put(D3D12_QUERY_DATA_SO_STATISTICS{}, to);
  }
}

}  // namespace fenceline::d3d12
