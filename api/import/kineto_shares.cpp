// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_shares.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {

constexpr double least_share = 1e-3;

}  // namespace

/// Walks through the starts and ends in order, adding up how much of the time a kernel would have needed alone.
GuessedShares guessed_shares(const KinetoTrace& trace, const KinetoSchedule& schedule, const LoneCommands& lone) {
  GuessedShares guess{KinetoShares(trace.ops.size(), 1.0)};
  if (schedule.streams.size() < 2) return guess;
  KinetoShares& shares = guess.shares;
  struct Edge {
    std::int64_t at_ns;
    bool start;
    std::uint32_t op;
  };
  std::vector<Edge> edges;
  const std::vector<std::int64_t> own_start = own_starts(trace, schedule);
  const auto part = [&](const KinetoOp& op) {
    const double capacity = static_cast<double>(lone.capacity({op.threads, op.registers_per_thread, op.shared_bytes}));
    return std::min(1.0, static_cast<double>(op.groups()) / capacity);
  };
  for (std::uint32_t i = 0; i < trace.ops.size(); ++i) {
    const KinetoOp& op = trace.ops[i];
    if (op.kind != KinetoOp::Kind::kernel || op.end_ns <= own_start[i]) continue;
    edges.push_back({own_start[i], true, i});
    edges.push_back({op.end_ns, false, i});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    if (a.at_ns != b.at_ns) return a.at_ns < b.at_ns;
    return a.start != b.start ? b.start : a.op < b.op;  // ends first
  });
  double wanted = 0;  // parts of the machine
  double alone_ns = 0;
  std::int64_t at_ns = 0;
  std::size_t running = 0;
  for (const Edge& edge : edges) {
    const double passed = static_cast<double>(edge.at_ns - at_ns);
    if (running > 0) alone_ns += wanted > 1 ? passed / wanted : passed;
    at_ns = edge.at_ns;
    const KinetoOp& op = trace.ops[edge.op];
    if (edge.start) {
      guess.company = guess.company || running > 0;  // of one stream no two have it for themselves
      ++running;
      wanted += part(op);
      shares[edge.op] = alone_ns;  // until its end: what had been added up at its start
    } else {
      const double own_ns = static_cast<double>(op.end_ns - own_start[edge.op]);
      shares[edge.op] = std::clamp((alone_ns - shares[edge.op]) / own_ns, least_share, 1.0);
      wanted = --running == 0 ? 0 : wanted - part(op);
    }
  }
  return guess;
}

double difference(const KinetoShares& one, const KinetoShares& other, const KinetoTrace& trace) {
  double apart = 0;
  double all = 0;
  for (std::size_t i = 0; i < trace.ops.size(); ++i) {
    const KinetoOp& op = trace.ops[i];
    if (op.kind != KinetoOp::Kind::kernel) continue;
    const auto length = static_cast<double>(op.end_ns - op.start_ns);
    apart += length * std::abs(one[i] - other[i]);
    all += length;
  }
  return all > 0 ? apart / all : 0;
}

}  // namespace fenceline
