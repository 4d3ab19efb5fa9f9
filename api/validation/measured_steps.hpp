// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/kineto_trace.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace fenceline {

/// The steps of a trace: runs of operations with less than `host_wait_ns` between them, as the importer counts them.
std::vector<KinetoTrace> steps_of(const KinetoTrace& trace);
/// First start to last end.
double span_us(const KinetoTrace& trace);
/// Median over the steps.
double step_us(const KinetoTrace& trace);

/// Whether the file begins as a Kineto trace: "traceEvents" stands in its first 64 KiB.
bool looks_like_trace(const std::filesystem::path& file);
/// Of the traces in the directory the one with steps closest to `us`; null when none is within a fifth.
std::shared_ptr<const KinetoTrace> trace_of_steps(const std::filesystem::path& directory, double us);

}  // namespace fenceline
