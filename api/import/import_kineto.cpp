// SPDX-License-Identifier: Apache-2.0
#include "api/import/import_kineto.hpp"

#include "api/import/kineto_host.hpp"
#include "api/import/kineto_lists.hpp"
#include "api/import/kineto_play.hpp"
#include "api/import/kineto_shares.hpp"
#include "api/import/kineto_work.hpp"
#include "api/import/lone_command.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace fenceline {
namespace {

// Longer than any profile: a machine's time ends at 106 days.
constexpr std::int64_t most_span_ns = 1'000'000'000'000'000;

void check_device(const KinetoTrace& trace) {
  const KinetoOp& first = trace.ops.front();
  for (const KinetoOp& op : trace.ops) {
    if (op.device == first.device) continue;
    throw trace.error(op, trace.pointers.device,
                      fmt::format("operations of one device, {} as before (--device takes those of one)", first.device),
                      fmt::format("device {}", op.device));
  }
}

void check_span(const KinetoTrace& trace) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const KinetoOp& op : trace.ops) first = std::min(first, op.start_ns);
  for (const KinetoOp& op : trace.ops) {
    // Their difference may be beyond 64 bits with a sign.
    const std::uint64_t span = static_cast<std::uint64_t>(op.end_ns) - static_cast<std::uint64_t>(first);
    if (span <= static_cast<std::uint64_t>(most_span_ns)) continue;
    throw trace.error(op, trace.pointers.start,
                      fmt::format("operations within {} s of each other", most_span_ns / 1'000'000'000),
                      "one that ends later");
  }
}

void measure(const KinetoTrace& trace, const KinetoSchedule& schedule, KinetoImport& result) {
  std::vector<const KinetoOp*> ops;
  for (const KinetoOp& op : trace.ops) {
    ops.push_back(&op);
    ++(op.kind == KinetoOp::Kind::kernel ? result.kernels
       : op.kind == KinetoOp::Kind::copy ? result.copies
                                         : result.fills);
  }
  std::sort(ops.begin(), ops.end(), [](const KinetoOp* a, const KinetoOp* b) { return a->start_ns < b->start_ns; });
  std::int64_t step_start = ops.front()->start_ns;
  std::int64_t reach = step_start;
  const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / 1e3; };
  for (const KinetoOp* op : ops) {
    if (op->start_ns - reach >= host_wait_ns) {
      result.step_us.push_back(us(reach - step_start));
      step_start = op->start_ns;
    }
    reach = std::max(reach, op->end_ns);
  }
  result.step_us.push_back(us(reach - step_start));
  result.span_us = us(reach - ops.front()->start_ns);
  result.queues = schedule.streams.size();
  result.stated_waits = schedule.stated;
  result.inferred_waits = schedule.inferred;
  result.ranges = trace.ranges;
  result.ranges_around = trace.ranges_around;
  result.whole_graphs = trace.whole_graphs;
}

}  // namespace

struct KinetoImporter::Machinery {
  Machinery(const MachineConfig& config, Workload& made) : machine(config), lone(config), workload(made) {}
  KinetoShares shares_of(const KinetoTrace& trace, const KinetoSchedule& schedule,
                         const KinetoWork::Progress& progress);

  MachineConfig machine;
  LoneCommands lone;
  Workload& workload;
};

/// Guessed, then played and corrected until the kernels are as slow in the play as the shares say.
KinetoShares KinetoImporter::Machinery::shares_of(const KinetoTrace& trace, const KinetoSchedule& schedule,
                                                  const KinetoWork::Progress& progress) {
  constexpr int most_plays = 6;
  constexpr double near_enough = 0.002;
  const GuessedShares guess = guessed_shares(trace, schedule, lone);
  KinetoShares shares = guess.shares;
  if (!guess.company) return shares;
  for (int play = 0; play < most_plays; ++play) {
    Workload trial;
    KinetoWork work(trace, schedule, "", machine, lone, shares, trial);
    KinetoImport unused;
    work.record(unused, progress);
    KinetoHost(trace, schedule, work, "", "", trial).write();
    std::optional<KinetoShares> played = played_shares(trial, machine, trace, schedule, work, guess.shares);
    if (!played) break;
    const double apart = difference(shares, *played, trace);
    shares = std::move(*played);
    if (apart <= near_enough) break;
  }
  return shares;
}

KinetoImporter::KinetoImporter(const MachineConfig& machine, Workload& workload) {
  kineto_costs(machine, true);  // refuses a machine without a compute node
  machinery_ = std::make_unique<Machinery>(machine, workload);
}
KinetoImporter::~KinetoImporter() = default;

KinetoImport KinetoImporter::add(KinetoTrace trace, const std::string& context,
                                 const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  check_device(trace);
  check_span(trace);
  KinetoImport result;
  result.file = trace.file;
  result.assumed = assume_sizes(trace, machinery_->machine, machinery_->lone);
  result.context = context;
  const std::string prefix = context.empty() ? "" : context + ".";
  if (!context.empty()) {
    ProcessInfo process;
    process.name = context;
    machinery_->workload.processes.push_back(std::move(process));
  }
  const KinetoSchedule schedule = schedule_of(trace);
  measure(trace, schedule, result);
  const KinetoShares shares = machinery_->shares_of(trace, schedule, progress);
  KinetoWork work(trace, schedule, prefix, machinery_->machine, machinery_->lone, shares, machinery_->workload);
  work.record(result, progress);
  KinetoHost(trace, schedule, work, context, prefix, machinery_->workload).write();
  return result;
}

}  // namespace fenceline
