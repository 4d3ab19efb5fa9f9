// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_steps.hpp"

#include "api/import/kineto_lists.hpp"
#include "api/import/read_kineto.hpp"
#include "api/report/perfetto/perfetto_layout.hpp"
#include "sim/files/input_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace fenceline {

std::vector<KinetoTrace> steps_of(const KinetoTrace& trace) {
  std::vector<const KinetoOp*> ops;
  for (const KinetoOp& op : trace.ops) ops.push_back(&op);
  std::stable_sort(ops.begin(), ops.end(),
                   [](const KinetoOp* a, const KinetoOp* b) { return a->start_ns < b->start_ns; });
  std::vector<KinetoTrace> steps;
  std::int64_t reach = 0;
  for (const KinetoOp* op : ops) {
    if (steps.empty() || op->start_ns - reach >= host_wait_ns) {
      steps.push_back({trace.file, trace.names, {}, trace.waits, trace.pointer_prefix});
      reach = op->end_ns;
    }
    steps.back().ops.push_back(*op);
    reach = std::max(reach, op->end_ns);
  }
  return steps;
}

double span_us(const KinetoTrace& trace) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for (const KinetoOp& op : trace.ops) {
    first = std::min(first, op.start_ns);
    last = std::max(last, op.end_ns);
  }
  return trace.ops.empty() ? 0 : static_cast<double>(last - first) / 1e3;
}

KinetoTrace median_step(const KinetoTrace& trace) {
  std::vector<KinetoTrace> steps = steps_of(trace);
  if (steps.empty()) return trace;
  std::size_t most = 0;
  for (const KinetoTrace& step : steps) most = std::max(most, step.ops.size());
  const auto broken = [most](const KinetoTrace& step) { return step.ops.size() < most; };
  steps.erase(std::remove_if(steps.begin(), steps.end(), broken), steps.end());
  std::stable_sort(steps.begin(), steps.end(),
                   [](const KinetoTrace& a, const KinetoTrace& b) { return span_us(a) < span_us(b); });
  return std::move(steps[(steps.size() - 1) / 2]);
}

double step_us(const KinetoTrace& trace) { return span_us(median_step(trace)); }

bool looks_like_trace(const std::filesystem::path& file) {
  constexpr std::size_t enough = 65536;
  const std::string text = first_bytes(file, enough);
  return text.find("\"traceEvents\"") != std::string::npos &&
         text.compare(0, trace_beginning.size(), trace_beginning) != 0;
}

namespace {

std::vector<std::filesystem::path> traces_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory.empty() ? "." : directory)) {
    if (entry.is_regular_file() && looks_like_trace(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::shared_ptr<const KinetoTrace> trace_of_steps(const std::filesystem::path& directory, double us) {
  constexpr double farthest = 0.2;
  std::shared_ptr<const KinetoTrace> nearest;
  double least = us * farthest;
  for (const std::filesystem::path& file : traces_in(directory)) {
    auto trace = std::make_shared<const KinetoTrace>(read_kineto(file));
    const double distance = std::abs(step_us(*trace) - us);
    if (distance > least || (nearest && distance == least)) continue;
    least = distance;
    nearest = std::move(trace);
  }
  return nearest;
}

std::pair<std::shared_ptr<const KinetoTrace>, std::shared_ptr<const KinetoTrace>> shortest_and_longest_traces(
    const std::filesystem::path& directory) {
  const std::vector<std::filesystem::path> files = traces_in(directory);
  if (files.size() < 2) return {};
  std::shared_ptr<const KinetoTrace> shortest;
  std::shared_ptr<const KinetoTrace> longest;
  for (const std::filesystem::path& file : files) {
    const auto trace = std::make_shared<const KinetoTrace>(read_kineto(file));
    if (!shortest || step_us(*trace) < step_us(*shortest)) shortest = trace;
    if (!longest || step_us(*trace) > step_us(*longest)) longest = trace;
  }
  return {shortest, longest};
}

}  // namespace fenceline
