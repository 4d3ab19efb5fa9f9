// SPDX-License-Identifier: Apache-2.0
// PerfettoSink, the family of functions that show what follows from timeouts and page faults.
#include "api/report/perfetto/perfetto.hpp"
#include "api/report/perfetto/perfetto_layout.hpp"
#include "sim/text/json_text.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace fenceline {

using Step = RecoveryRecord::Step;

void PerfettoSink::recovery(const EventLog& log, const RecoveryRecord& record) {
  if (record.step == Step::working) forget_requests(record.node);
  if (!is_row(record.step)) return;
  const bool of_node = record.node != LogName{};
  const std::string_view thread = of_node ? protocol_of(track_of(log, record.node)) : adapter_thread();
  if (record.step == Step::engine_reset || record.step == Step::adapter_reset) {
    resets_[record.node] = record.at_ps;
    for (const auto& [node, hardware_queue] : hardware_depths_.reset(record.node)) {
      append_depth(track_of(log, node), hardware_queue, record.at_ps, 0);
    }
  }
  const bool done = record.step == Step::engine_reset_done || record.step == Step::adapter_reset_done;
  if (const auto since = resets_.find(record.node); done && since != resets_.end()) {
    append_reset(of_node ? "reset of the engine" : "reset of the adapter", thread, since->second, record);
    resets_.erase(since);
  }
  start_instant(record.at_ps, thread, "recovery", name_of(record.step));
  const auto out = std::back_inserter(file_.buffer());
  const auto text = [&](const char* key, LogName name) {
    if (name == LogName{}) return;
    fmt::format_to(out, ",\"{}\":", key);
    append_json_string(file_.buffer(), log.text(name));
  };
  fmt::format_to(out, "\"episode\":{}", record.episode);
  if (record.hardware_queue) fmt::format_to(out, ",\"hardware_queue\":{}", *record.hardware_queue);
  text("process", record.process);
  text("queue", record.queue);
  if (record.packet != 0) fmt::format_to(out, ",\"packet\":{}", record.packet);
  if (record.fence_id != 0) fmt::format_to(out, ",\"submission_fence_id\":{}", record.fence_id);
  if (record.last_submitted) fmt::format_to(out, ",\"last_submitted\":{}", *record.last_submitted);
  if (record.last_completed) fmt::format_to(out, ",\"last_completed\":{}", *record.last_completed);
  if (record.requested_ps) fmt::format_to(out, ",\"requested_ps\":{}", *record.requested_ps);
  text("reason", record.reason);
  text("list", record.list);
  text("command", record.command);
  if (record.command_index) fmt::format_to(out, ",\"command_index\":{}", *record.command_index);
  if (record.step == Step::page_fault) fmt::format_to(out, ",\"address\":{}", record.address);
  text("resource", record.resource);
  end_instant();
}

/// They have no answer: the node has been reset, or was empty.
void PerfettoSink::forget_requests(LogName node) {
  for (auto one = asked_.begin(); one != asked_.end();) {
    one = one->first.first == node ? asked_.erase(one) : std::next(one);
  }
}

void PerfettoSink::append_reset(std::string_view name, std::string_view thread, std::uint64_t since_ps,
                                const RecoveryRecord& record) {
  const std::uint64_t start = on_grid(since_ps);
  start_event("{\"ph\":\"X\",\"cat\":\"recovery\",\"name\":");
  append_json_string(file_.buffer(), name);
  file_.buffer().append(thread);
  fmt::format_to(std::back_inserter(file_.buffer()),
                 ",\"ts\":{},\"dur\":{},\"args\":{{\"episode\":{},\"start_ps\":{},\"end_ps\":{}}}}}",
                 TimeText(start).view(), TimeText(on_grid(record.at_ps) - start).view(), record.episode, since_ps,
                 record.at_ps);
}

/// For what is of no node: below all tracks.
std::string_view PerfettoSink::adapter_thread() {
  if (adapter_thread_.empty()) {
    constexpr std::size_t below_all_tracks = 1'000'000;
    adapter_thread_ = fmt::format(",\"pid\":{},\"tid\":{}", process_of("adapter.recovery"), ++threads_);
    append_metadata("thread", adapter_thread_, "adapter recovery", below_all_tracks * lanes_per_track);
  }
  return adapter_thread_;
}

}  // namespace fenceline
