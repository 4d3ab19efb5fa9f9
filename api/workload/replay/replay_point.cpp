// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/replay_point.hpp"

#include "api/workload/replay/work_order.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <charconv>

namespace fenceline {

ReplayPoint point_of(const std::string& text, const std::string& option) {
  const std::size_t colon = text.find(':');
  for (const auto& [unit, name] : enum_names(PointUnit())) {
    if (colon == std::string::npos || text.compare(0, colon, name) != 0) continue;
    ReplayPoint point{unit, 0};
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data() + colon + 1, end, point.count);
    if (error == std::errc() && read == end) return point;
  }
  throw ConfigError(option, "", "frame:N or submit:N, such as frame:3", in_quotes(text));
}

std::string text_of(const ReplayPoint& point) {
  const char* const unit = point.unit == PointUnit::frame ? "frame" : "submit";
  return fmt::format("{}:{}", unit, point.count);
}

std::size_t events_before(const ReplayPoint& point, const WorkOrder& order, const std::string& option) {
  if (point.count == 0) return 0;
  const Step::Kind counted = point.unit == PointUnit::frame ? Step::Kind::present : Step::Kind::execute;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < order.events.size(); ++i) {
    const WorkEvent& event = order.events[i];
    if (event.kind != counted || ++count < point.count) continue;
    // What is over by then is left out of a range from here on, so that it does not stand between.
    const auto may_stand_between = [&](const WorkEvent& next) {
      const bool lasts = next.kind == Step::Kind::sleep_until || (next.kind == Step::Kind::work && next.took_ps > 0);
      return waits(next) || is_marker(next.kind) || (lasts && next.at_ps == event.at_ps);
    };
    std::size_t before = i + 1;
    for (std::size_t next = before; next < order.events.size(); ++next) {
      const WorkEvent& one = order.events[next];
      const bool ends = one.kind == Step::Kind::queue_signal || one.kind == Step::Kind::end_event;
      const bool is_its_end = ends && one.queue == event.queue;
      if (is_its_end) before = next + 1;
      if (!is_its_end && !may_stand_between(one)) break;
    }
    return before;
  }
  throw ConfigError(option, "",
                    fmt::format("a point from {} to {}", text_of({point.unit, 0}), text_of({point.unit, count})),
                    text_of(point));
}

std::vector<std::uint64_t> packets_before(const ReplayPoint& point, const Workload& workload) {
  const WorkOrder order = order_of(workload, "workload");
  const std::size_t events = events_before(point, order, "--fast-forward");
  std::vector<std::uint64_t> packets(order.queues);
  for (std::size_t i = 0; i < events; ++i) {
    const WorkEvent& event = order.events[i];
    if (event.queue == WorkEvent::no_queue) continue;
    if (is_marker(event.kind)) continue;
    packets[event.queue] += event.kind == Step::Kind::execute ? order.step_of(event).lists.size() : 1;
  }
  return packets;
}

}  // namespace fenceline
