// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_lists.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace fenceline {
namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();
constexpr std::uint32_t none = ~std::uint32_t{0};

/// Finds the lists of one trace.
class Scheduling {
 public:
  explicit Scheduling(const KinetoTrace& trace)
      : trace_(trace), stream_of_(trace.ops.size()), waits_of_(), cut_after_(trace.ops.size(), false) {}

  KinetoSchedule make() {
    sort_ops();
    assign_streams();
    for (const KinetoWait& wait : trace_.waits) add_stated(wait);
    if (trace_.waits.empty() && result_.streams.size() > 1) infer();
    make_lists();
    return std::move(result_);
  }

 private:
  const KinetoOp& op(std::uint32_t index) const { return trace_.ops[index]; }

  void sort_ops() {
    order_.resize(trace_.ops.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return op(a).start_ns != op(b).start_ns ? op(a).start_ns < op(b).start_ns : a < b;
    });
    place_.resize(order_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  }

  void assign_streams() {
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> streams;
    for (const KinetoOp& one : trace_.ops) streams.emplace(std::pair(one.context, one.stream), 0);
    for (auto& [key, index] : streams) {
      index = static_cast<std::uint32_t>(result_.streams.size());
      result_.streams.push_back({key.first, key.second});
    }
    ops_of_.resize(streams.size());
    for (const std::uint32_t index : order_) {
      stream_of_[index] = streams[{op(index).context, op(index).stream}];
      ops_of_[stream_of_[index]].push_back(index);
    }
    launches_.resize(streams.size());
  }

  /// The stream's operations by correlation, with the last place in time up to each, and the first from each on.
  struct Launches {
    std::vector<std::uint64_t> correlations;
    std::vector<std::uint32_t> last_up_to;
    std::vector<std::uint32_t> first_from;
  };
  const Launches& launches(std::uint32_t stream) {
    Launches& result = launches_[stream];
    if (!result.correlations.empty()) return result;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted;
    for (const std::uint32_t index : ops_of_[stream]) sorted.emplace_back(op(index).correlation, place_[index]);
    std::sort(sorted.begin(), sorted.end());
    result.first_from.resize(sorted.size());
    for (const auto& [correlation, place] : sorted) {
      result.correlations.push_back(correlation);
      result.last_up_to.push_back(result.last_up_to.empty() ? place : std::max(place, result.last_up_to.back()));
    }
    for (std::size_t i = sorted.size(); i-- > 0;) {
      result.first_from[i] =
          i + 1 == sorted.size() ? sorted[i].second : std::min(sorted[i].second, result.first_from[i + 1]);
    }
    return result;
  }

  void add_stated(const KinetoWait& wait) {
    for (std::uint32_t stream = 0; stream < result_.streams.size(); ++stream) {
      const KinetoStream& waiting = result_.streams[stream];
      if (waiting.stream != wait.stream) continue;
      if (wait.context != KinetoWait::any_context && waiting.context != wait.context) continue;
      const auto other = std::find_if(result_.streams.begin(), result_.streams.end(), [&](const KinetoStream& s) {
        return s.context == waiting.context && s.stream == wait.wait_on_stream;
      });
      if (other == result_.streams.end() || wait.wait_on_stream == wait.stream) continue;
      const Launches& theirs = launches(static_cast<std::uint32_t>(other - result_.streams.begin()));
      const Launches& ours = launches(stream);
      const auto recorded =
          std::lower_bound(theirs.correlations.begin(), theirs.correlations.end(), wait.record_correlation) -
          theirs.correlations.begin();
      const auto after = std::upper_bound(ours.correlations.begin(), ours.correlations.end(), wait.correlation) -
                         ours.correlations.begin();
      if (recorded == 0 || after == static_cast<std::ptrdiff_t>(ours.correlations.size())) continue;
      const std::uint32_t before = order_[theirs.last_up_to[static_cast<std::size_t>(recorded) - 1]];
      const std::uint32_t behind = order_[ours.first_from[static_cast<std::size_t>(after)]];
      if (op(before).end_ns > op(behind).start_ns || place_[before] >= place_[behind]) continue;
      add(behind, before);
      ++result_.stated;
    }
  }

  void infer() {
    std::vector<std::uint32_t> by_end = order_;
    std::stable_sort(by_end.begin(), by_end.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return op(a).end_ns < op(b).end_ns; });
    std::vector<std::uint32_t> ended(result_.streams.size(), none);  // by stream: what ended last so far
    std::vector<std::int64_t> reach(result_.streams.size(), never);  // by stream: the last end of what has begun
    std::vector<bool> begins_launch(trace_.ops.size(), true);
    std::vector<bool> ends_launch(trace_.ops.size(), true);
    for (const std::vector<std::uint32_t>& ops : ops_of_) {
      std::int64_t end = never;
      for (std::size_t i = 0; i < ops.size(); ++i) {
        if (i > 0 && same_launch(ops[i - 1], ops[i], end)) begins_launch[ops[i]] = ends_launch[ops[i - 1]] = false;
        end = std::max(end, op(ops[i]).end_ns);
      }
    }
    std::size_t next = 0;
    for (const std::uint32_t index : order_) {
      const std::uint32_t stream = stream_of_[index];
      const std::int64_t start = op(index).start_ns;
      for (; next < by_end.size() && op(by_end[next]).end_ns <= start; ++next) {
        const bool earlier = place_[by_end[next]] < place_[index];
        if (earlier && ends_launch[by_end[next]]) ended[stream_of_[by_end[next]]] = by_end[next];
      }
      std::uint32_t last = none;
      for (std::uint32_t other = 0; other < ended.size(); ++other) {
        if (other == stream || ended[other] == none) continue;
        if (last == none || op(ended[other]).end_ns > op(last).end_ns) last = ended[other];
      }
      const bool idle = reach[stream] == never || start - reach[stream] > follow_gap_ns;
      if (begins_launch[index] && last != none && idle && op(last).end_ns >= reach[stream] &&
          start - op(last).end_ns <= engine_gap_ns) {
        add(index, last);
        ++result_.inferred;
      }
      reach[stream] = std::max(reach[stream], op(index).end_ns);
    }
  }

  void add(std::uint32_t behind, std::uint32_t before) {
    waits_of_[behind].push_back(before);
    cut_after_[before] = true;
  }

  bool same_list(std::uint32_t before, std::uint32_t index, std::int64_t reach) const {
    return !cut_after_[before] && waits_of_.count(index) == 0 && same_launch(before, index, reach);
  }

  /// Neighbours in a stream that was busy until `reach`. Whatever a profiler says, nothing waits so long inside a
  /// graph.
  bool same_launch(std::uint32_t before, std::uint32_t index, std::int64_t reach) const {
    const KinetoOp& a = op(before);
    const KinetoOp& b = op(index);
    const std::int64_t idle_ns = b.start_ns - reach;
    if (a.correlation != 0 || b.correlation != 0) return a.correlation == b.correlation && idle_ns < host_wait_ns;
    return idle_ns <= list_gap_ns;
  }

  void make_lists() {
    std::vector<std::uint32_t> open(result_.streams.size(), none);   // list being filled
    std::vector<std::int64_t> reach(result_.streams.size(), never);  // last end on the stream
    std::vector<std::uint32_t> list_of(trace_.ops.size(), none);
    for (const std::uint32_t index : order_) {
      const std::uint32_t stream = stream_of_[index];
      const KinetoOp& one = op(index);
      if (open[stream] == none || !same_list(result_.lists[open[stream]].ops.back(), index, reach[stream])) {
        open_list(index, stream, reach[stream], list_of);
        open[stream] = static_cast<std::uint32_t>(result_.lists.size() - 1);
      }
      KinetoList& list = result_.lists[open[stream]];
      list.ops.push_back(index);
      list.end_ns = std::max(list.end_ns, one.end_ns);
      list_of[index] = open[stream];
      reach[stream] = std::max(reach[stream], one.end_ns);
    }
  }

  void open_list(std::uint32_t index, std::uint32_t stream, std::int64_t reach,
                 const std::vector<std::uint32_t>& list_of) {
    KinetoList list;
    list.stream = stream;
    list.start_ns = op(index).start_ns;
    list.end_ns = op(index).end_ns;
    list.first = reach == never;
    list.region = op(index).region;
    std::int64_t ready = list.first ? op(order_.front()).start_ns : reach;
    const auto waits = waits_of_.find(index);
    if (waits != waits_of_.end()) {
      for (const std::uint32_t before : waits->second) {
        list.waits.push_back(list_of[before]);
        ready = std::max(ready, op(before).end_ns);
      }
      std::sort(list.waits.begin(), list.waits.end());
      list.waits.erase(std::unique(list.waits.begin(), list.waits.end()), list.waits.end());
    }
    list.idle_ns = list.start_ns - ready;
    result_.lists.push_back(std::move(list));
  }

  const KinetoTrace& trace_;
  KinetoSchedule result_;
  std::vector<std::uint32_t> order_;      // operations by start
  std::vector<std::uint32_t> place_;      // the inverse
  std::vector<std::uint32_t> stream_of_;  // by operation
  std::vector<std::vector<std::uint32_t>> ops_of_;
  std::vector<Launches> launches_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> waits_of_;
  std::vector<bool> cut_after_;
};

}  // namespace

KinetoSchedule schedule_of(const KinetoTrace& trace) { return Scheduling(trace).make(); }

std::vector<std::int64_t> own_starts(const KinetoTrace& trace, const KinetoSchedule& schedule) {
  std::vector<std::int64_t> starts(trace.ops.size());
  std::vector<std::int64_t> reach(schedule.streams.size(), never);
  for (const KinetoList& list : schedule.lists) {
    for (const std::uint32_t index : list.ops) {
      const KinetoOp& op = trace.ops[index];
      starts[index] = std::min(op.end_ns, std::max(op.start_ns, reach[list.stream]));
      reach[list.stream] = std::max(reach[list.stream], op.end_ns);
    }
  }
  return starts;
}

}  // namespace fenceline
