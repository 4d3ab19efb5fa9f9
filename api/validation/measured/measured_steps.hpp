// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline {

/// The steps of a trace: runs of operations with less than `host_wait_ns` between them, as the importer counts them.
std::vector<KinetoTrace> steps_of(const KinetoTrace& trace);
/// Of the steps with the most operations (a profiler breaks steps in two now and then) that of median length, the
/// shorter of two; a trace without any is its own.
KinetoTrace median_step(const KinetoTrace& trace);
/// First start to last end.
double span_us(const KinetoTrace& trace);
/// Median over the steps.
double step_us(const KinetoTrace& trace);

/// Whether the file begins as a Kineto trace: "traceEvents" stands in its first 64 KiB. trace.json of a run does not.
bool looks_like_trace(const std::filesystem::path& file);
/// Of the traces in the directory the one with steps closest to `us`; null when none is within a fifth.
std::shared_ptr<const KinetoTrace> trace_of_steps(const std::filesystem::path& directory, double us);

/// Of the traces in the directory those with the shortest and the longest steps; null when there are not two.
std::pair<std::shared_ptr<const KinetoTrace>, std::shared_ptr<const KinetoTrace>> shortest_and_longest_traces(
    const std::filesystem::path& directory);

}  // namespace fenceline
