// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/deadline_time.hpp"

#include "sim/config/config.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace fenceline {

void describe(Fields& f, RanMeanwhile& c) {
  f.required("list", c.list,
             "command list that ran, or whose state was moved; of a switch of processes the process, of a wait the "
             "fence");
  f.required("ps", c.ps, "for how long, ps");
  f.optional("moved", c.moved, "in place of running: save, switch, restore, process_switch, wait or reset");
  f.optional("engine", c.engine, "path of another engine, on which it had the shader array");
}

void describe(Fields& f, CouldNotStop& c) {
  f.required("packet", c.packet, "number of the packet that ran");
  f.required("list", c.list, "its command list; of a wait the fence");
  f.optional("wait", c.wait, "it was a wait, which held the engine");
  f.required("result", c.result, "why it went on");
  f.required("at_ps", c.at_ps, "when the scheduler asked, ps");
}

void describe(Fields& f, DeadlinePacket& c) {
  f.required("id", c.id, "number of the packet");
  f.required("queue", c.queue, "path of its queue");
  f.required("list", c.list, "its command list");
  f.required("engine", c.engine, "path of the node that ran it");
  f.required("submitted_ps", c.submitted_ps, "when it was queued, ps");
  f.required("queued_ps", c.queued_ps, "behind others of its queue, but for waits that waited, ps");
  f.required("fence_ps", c.fence_ps, "waiting for a fence: it, or a wait before it in its queue, ps");
  f.optional("memory_ps", c.memory_ps, "waiting for video memory, ps");
  f.required("engine_wait_ps", c.engine_wait_ps, "waiting for the engine, ps");
  f.required("running_ps", c.running_ps, "running, ps");
  f.optional("no_place_ps", c.no_place_ps, "of those without a place on the shader array, ps");
  f.required("preempted_ps", c.preempted_ps, "preempted, ps");
  f.required("meanwhile", c.meanwhile, "what the engine ran while it waited for it");
  f.optional("could_not_stop", c.could_not_stop, "the packet that could not be stopped for it");
}

void describe(Fields& f, DeadlineTime& c) {
  f.required("deadline", c.deadline, "name of the deadline");
  f.required("value", c.value, "of its fence");
  f.required("due_ps", c.due_ps, "when the fence was to have the value, ps");
  f.optional("reached_ps", c.reached_ps, "when it had it, ps; absent: never");
  f.optional("device_removed", c.device_removed, "it had it by the removal of a device, which raises its fences");
  f.optional("packet", c.packet, "the last one before the signal");
}

nlohmann::ordered_json json_of(const DeadlineTime& time) {
  nlohmann::ordered_json json = dump_config(time);
  if (!time.reached_ps) json["reached_ps"] = nullptr;
  return json;
}

DeadlineTime deadline_time_of(nlohmann::json element, const std::string& file, std::size_t index) {
  if (const auto reached = element.find("reached_ps"); reached != element.end() && reached->is_null()) {
    element.erase(reached);
  }
  return read_config<DeadlineTime>(element, file, fmt::format("/statistics/deadline_times/{}", index));
}

}  // namespace fenceline
