// SPDX-License-Identifier: Apache-2.0
#include "api/capture/captured_queue.hpp"

#include "api/capture/captured_markers.hpp"
#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"

namespace fenceline {

nlohmann::json captured_queue(const QueueConfig& config, const std::string& name, const std::vector<Marker>& open) {
  using nlohmann::json;
  static const json& usual = *new json(dump_config(QueueInfo()));  // a capture may end with the process
  QueueInfo info;
  static_cast<QueueConfig&>(info) = config;
  info.name = name;
  json object = dump_config(info);
  for (const auto& [key, value] : usual.items()) {
    if (key != "type" && object.contains(key) && object[key] == value) object.erase(key);
  }
  object["timeline"] = json::array();
  for (const Marker& marker : open) object["timeline"].push_back(marker_step(marker));
  return object;
}

}  // namespace fenceline
