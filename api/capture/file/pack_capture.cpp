// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/pack_capture.hpp"

#include "api/capture/file/capture_writer.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace fenceline {
namespace {

using nlohmann::json;

struct Timelines {
  const char* key;  ///< in the workload
  CaptureWriter::Timeline timeline;
};
constexpr Timelines timelines[] = {{"queues", CaptureWriter::Timeline::queue}, {"cpus", CaptureWriter::Timeline::cpu}};

bool holds_objects(const json& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const json& one) { return one.is_object(); });
}

bool holds_timeline(const json& value) {
  const auto timeline = value.is_object() ? value.find("timeline") : value.end();
  return value.is_object() && timeline != value.end() && timeline->is_array();
}

/// Those of a key's elements, each without its steps.
json without_steps(const json& all) {
  if (!all.is_array()) return all;
  json rest = json::array();
  for (const json& one : all) {
    if (!holds_timeline(one)) {
      rest.push_back(one);
      continue;
    }
    json other = json::object();
    for (const auto& [key, value] : one.items()) other[key] = key == "timeline" ? json::array() : value;
    rest.push_back(std::move(other));
  }
  return rest;
}

}  // namespace

json without_lists_and_steps(const json& workload) {
  if (!workload.is_object()) return workload;
  json rest = json::object();
  for (const auto& [key, value] : workload.items()) {
    if (key == "command_lists" && holds_objects(value)) {
      rest[key] = json::array();
    } else {
      rest[key] = key == timelines[0].key || key == timelines[1].key ? without_steps(value) : value;
    }
  }
  return rest;
}

void pack_capture(const json& workload, const json& machine, OutputFile& file, const std::vector<PackedBlob>& blobs) {
  CaptureWriter writer(file, without_lists_and_steps(workload), machine);
  for (const PackedBlob& blob : blobs) writer.add_blob(blob.name, blob.bytes);
  if (workload.is_object()) {
    const auto lists = workload.find("command_lists");
    if (lists != workload.end() && holds_objects(*lists)) {
      for (const json& list : *lists) writer.add_list(list);
    }
    for (const Timelines& some : timelines) {
      const auto all = workload.find(some.key);
      if (all == workload.end() || !all->is_array()) continue;
      for (std::size_t i = 0; i < all->size(); ++i) {
        if (holds_timeline((*all)[i])) writer.add_steps(some.timeline, i, (*all)[i]["timeline"]);
      }
    }
  }
  writer.finish();
}

}  // namespace fenceline
