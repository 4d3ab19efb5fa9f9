// SPDX-License-Identifier: Apache-2.0
#include "api/capture/workload_capture.hpp"

#include "api/timeline/timeline.hpp"

#include <utility>

namespace fenceline {
namespace {

using nlohmann::json;

/// The step at the cursor as it is in this iteration.
json step_of(const json& workload, const TimelineCursor& at) {
  json step = workload.at(json::json_pointer(at.pointer()));
  for (const char* const key : {"from_iteration", "value_step", "us_step", "first_step"}) step.erase(key);
  if (step.contains("value")) step["value"] = at.value();
  if (step.contains("first")) step["first"] = at.value();
  if (at.step().kind == Step::Kind::sleep_until) {
    for (const char* const key : {"beat", "offset_us"}) step.erase(key);
    step["us"] = static_cast<double>(at.until_ps()) / 1e6;
  }
  return step;
}

}  // namespace

WorkloadCapture::WorkloadCapture(OutputFile& file, json workload, const json& machine,
                                 const std::vector<PackedBlob>& blobs)
    : workload_(std::move(workload)), writer_(file, without_lists_and_steps(workload_), machine) {
  for (const PackedBlob& blob : blobs) writer_.add_blob(blob.name, blob.bytes);
  const auto lists = workload_.find("command_lists");
  if (lists == workload_.end()) return;
  for (const json& list : *lists) lists_[list.at("name")] = &list;
}

void WorkloadCapture::finish() { writer_.finish(); }

void WorkloadCapture::queue_begins(std::size_t queue, const TimelineCursor& at) {
  add(CaptureWriter::Timeline::queue, queue, at);
}

void WorkloadCapture::thread_begins(std::size_t thread, const TimelineCursor& at, std::uint64_t) {
  add(CaptureWriter::Timeline::cpu, thread, at);
}

void WorkloadCapture::add(CaptureWriter::Timeline timeline, std::size_t index, const TimelineCursor& at) {
  const json step = step_of(workload_, at);
  if (const auto executed = step.find("lists"); executed != step.end()) {
    for (const json& name : *executed) add_list(name);
  }
  writer_.add_steps(timeline, index, json::array({step}));
  const bool submits = at.step().kind == Step::Kind::execute || at.step().kind == Step::Kind::present;
  if (submits && ++flushes_ <= CaptureWriter::most_flushes) writer_.flush();
}

/// The list, and bundles that it executes, if they are not there yet.
void WorkloadCapture::add_list(const std::string& name) {
  const auto found = lists_.find(name);
  if (found == lists_.end()) return;
  const json& list = *found->second;
  lists_.erase(found);
  add_bundles(list.at("commands"));
  writer_.add_list(list);
}

void WorkloadCapture::add_bundles(const json& commands) {
  for (const json& command : commands) {
    if (command.at("type") == "execute_bundle") add_list(command.at("bundle"));
    if (command.at("type") == "repeat") add_bundles(command.at("commands"));
  }
}

}  // namespace fenceline
