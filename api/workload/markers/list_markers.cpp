// SPDX-License-Identifier: Apache-2.0
#include "api/workload/markers/list_markers.hpp"

#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline {

void ListMarkers::restart(bool bundle) {
  bundle_ = bundle;
  open_.clear();
}

void ListMarkers::record(Marker marker, const std::string& pointer, CommandStream& stream) {
  if (marker.kind == MarkerKind::begin) open_.push_back({marker.name, pointer});
  if (marker.kind == MarkerKind::end) {
    if (!open_.empty()) {
      open_.pop_back();
    } else if (!bundle_) {
      throw ConfigError(*file_, pointer, "a begin_event before it in the list that has not ended", "none");
    }
  }
  marker.command = stream.commands.size();
  stream.markers.push_back(std::move(marker));
}

void ListMarkers::check_ended() const {
  if (bundle_ || open_.empty()) return;
  throw ConfigError(*file_, open_.back().pointer, "an event that the list ends",
                    fmt::format("{}, which it does not", in_quotes(open_.back().name)));
}

}  // namespace fenceline
