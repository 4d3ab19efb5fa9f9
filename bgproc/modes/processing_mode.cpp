// SPDX-License-Identifier: Apache-2.0
#include "bgproc/modes/processing_mode.hpp"

namespace fenceline {
namespace {

template <class E>
std::string text_of(E value) {
  for (const auto& [one, text] : enum_names(E{})) {
    if (one == value) return text;
  }
  return std::to_string(static_cast<int>(value));
}

}  // namespace

std::string refusal_of(const ModeRequest& request, bool developer_mode) {
  if (request.has_event && !commits(request.action)) {
    return "an event needs the action commit_results or commit_results_high_priority, found " + text_of(request.action);
  }
  if (developer_mode) return {};
  if (disables_tasks(request.mode)) return text_of(request.mode) + " needs developer mode";
  if (request.action == MeasurementsAction::commit_results_high_priority) {
    return text_of(request.action) + " needs developer mode";
  }
  return {};
}

}  // namespace fenceline
