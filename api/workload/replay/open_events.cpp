// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/open_events.hpp"

namespace fenceline {

void OpenEvents::add(const WorkOrder& order, const WorkEvent& event) {
  if (event.kind == Step::Kind::begin_event) {
    const Step& step = order.step_of(event);
    BeginEventStep begin;
    begin.name = step.name;
    begin.color = step.color;
    open_[event.queue].push_back({begun_++, begin});
  }
  if (event.kind == Step::Kind::end_event && !open_[event.queue].empty()) open_[event.queue].pop_back();
}

}  // namespace fenceline
