// SPDX-License-Identifier: Apache-2.0
#include "api/capture/captured_markers.hpp"

#include "api/workload/workload.hpp"

namespace fenceline {

const char* type_of(MarkerKind kind) {
  switch (kind) {
    case MarkerKind::begin: return BeginEventCommand::type_name;
    case MarkerKind::end: return EndEventCommand::type_name;
    case MarkerKind::set: return SetMarkerCommand::type_name;
  }
  return "?";
}

nlohmann::json marker_step(const Marker& marker, const std::string& queue) {
  nlohmann::json step = {{"type", type_of(marker.kind)}};
  if (!queue.empty()) step["queue"] = queue;
  if (marker.kind == MarkerKind::end) return step;
  step["name"] = marker.name;
  if (marker.color != 0) step["color"] = marker.color;
  return step;
}

}  // namespace fenceline
