// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace fenceline {

/// Reads the GPU's work out of what `nsys export --type sqlite` makes of a report of Nsight Systems.
///
/// The tables are those of "SQLite Schema Reference" and "SQLite Schema Event Values" in NVIDIA's Post-Collection
/// Analysis Guide (docs.nvidia.com/nsight-systems/AnalysisGuide, schema 3.28.1 of release 2026.4), of older versions
/// "SQLite Export Schema Reference" (docs.nvidia.com/nsight-systems/2021.5/nsys-exporter/exported_data.html). A
/// database mostly has only those tables for which there were events, and columns come and go with versions: what is
/// not needed may be missing.
///
/// - CUPTI_ACTIVITY_KIND_KERNEL: kernels, by the names that StringIds has.
/// - CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET: copies and memsets.
/// - CUPTI_ACTIVITY_KIND_GRAPH_TRACE: each row a kernel of unknown size, where the profile has no kernels of graphs
///   (`nsys profile --cuda-graph-trace=node` has them).
/// - CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_CUDA_EVENT: waits between streams (add_nsys_waits).
/// - NVTX_EVENTS, CUPTI_ACTIVITY_KIND_RUNTIME: regions (NsysRanges).
///
/// All work has to be of one process; of `device`, if one is given: work of others is read over, and so are waits and
/// calls of other processes. `progress` hears of bytes read and bytes there are. Throws ConfigError: the path
/// is `/TABLE/row/column`, rows counted from 0 in the order in which they are stored.
KinetoTrace read_nsys(const std::filesystem::path& file,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress = {},
                      std::optional<std::uint32_t> device = {});

}  // namespace fenceline
