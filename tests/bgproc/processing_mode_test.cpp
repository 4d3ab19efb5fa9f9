// SPDX-License-Identifier: Apache-2.0
#include "bgproc/modes/processing_mode.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace fenceline;

namespace {

/// Who may ask for a mode with an action.
struct PermissionRow {
  ProcessingMode mode;
  MeasurementsAction action;
  bool retail;                ///< without an event, without developer mode
  bool retail_with_event;     ///< with an event, without developer mode
  bool developer;             ///< without an event, in developer mode
  bool developer_with_event;  ///< with both
};

/// The specification's "Developer Mode" restricts two modes and one action; of what remains, an event goes with the two
/// commits only.
std::vector<PermissionRow> permission_rows() {
  using Mode = ProcessingMode;
  using Action = MeasurementsAction;
  return {
      {Mode::allowed, Action::keep_all, true, false, true, false},
      {Mode::allowed, Action::commit_results, true, true, true, true},
      {Mode::allowed, Action::commit_results_high_priority, false, false, true, true},
      {Mode::allowed, Action::discard_previous, true, false, true, false},
      {Mode::allow_intrusive_measurements, Action::keep_all, true, false, true, false},
      {Mode::allow_intrusive_measurements, Action::commit_results, true, true, true, true},
      {Mode::allow_intrusive_measurements, Action::commit_results_high_priority, false, false, true, true},
      {Mode::allow_intrusive_measurements, Action::discard_previous, true, false, true, false},
      {Mode::disable_background_work, Action::keep_all, false, false, true, false},
      {Mode::disable_background_work, Action::commit_results, false, false, true, true},
      {Mode::disable_background_work, Action::commit_results_high_priority, false, false, true, true},
      {Mode::disable_background_work, Action::discard_previous, false, false, true, false},
      {Mode::disable_profiling_by_system, Action::keep_all, false, false, true, false},
      {Mode::disable_profiling_by_system, Action::commit_results, false, false, true, true},
      {Mode::disable_profiling_by_system, Action::commit_results_high_priority, false, false, true, true},
      {Mode::disable_profiling_by_system, Action::discard_previous, false, false, true, false},
  };
}

/// Whether it is granted as the row says.
void check_permission(const PermissionRow& row, bool has_event, bool developer_mode, bool granted) {
  const ModeRequest request{row.mode, row.action, has_event};
  const std::string refusal = refusal_of(request, developer_mode);
  INFO("mode " << static_cast<int>(row.mode) << ", action " << static_cast<int>(row.action) << ", event " << has_event
               << ", developer mode " << developer_mode << ": \"" << refusal << '"');
  CHECK(refusal.empty() == granted);
}

}  // namespace

TEST_CASE("processing mode: the modes are D3D12's, in their order", "[bgproc]") {
  CHECK(static_cast<int>(ProcessingMode::allowed) == 0);
  CHECK(static_cast<int>(ProcessingMode::allow_intrusive_measurements) == 1);
  CHECK(static_cast<int>(ProcessingMode::disable_background_work) == 2);
  CHECK(static_cast<int>(ProcessingMode::disable_profiling_by_system) == 3);
  const std::vector<std::string> wanted = {"allowed", "allow_intrusive_measurements", "disable_background_work",
                                           "disable_profiling_by_system"};
  std::vector<std::string> found(wanted.size());
  for (const auto& [value, name] : enum_names(ProcessingMode{})) found.at(static_cast<std::size_t>(value)) = name;
  CHECK(found == wanted);
}

TEST_CASE("processing mode: the actions are D3D12's, in their order", "[bgproc]") {
  CHECK(static_cast<int>(MeasurementsAction::keep_all) == 0);
  CHECK(static_cast<int>(MeasurementsAction::commit_results) == 1);
  CHECK(static_cast<int>(MeasurementsAction::commit_results_high_priority) == 2);
  CHECK(static_cast<int>(MeasurementsAction::discard_previous) == 3);
  const std::vector<std::string> wanted = {"keep_all", "commit_results", "commit_results_high_priority",
                                           "discard_previous"};
  std::vector<std::string> found(wanted.size());
  for (const auto& [value, name] : enum_names(MeasurementsAction{})) found.at(static_cast<std::size_t>(value)) = name;
  CHECK(found == wanted);
}

TEST_CASE("processing mode: a request that says nothing keeps everything as it is by default", "[bgproc]") {
  const ModeRequest request;
  CHECK(request.mode == ProcessingMode::allowed);
  CHECK(request.action == MeasurementsAction::keep_all);
  CHECK_FALSE(request.has_event);
  CHECK(refusal_of(request, false).empty());
  CHECK(refusal_of(request, true).empty());
}

TEST_CASE("processing mode: the two disabling modes disable tasks and the two commits commit", "[bgproc]") {
  CHECK_FALSE(disables_tasks(ProcessingMode::allowed));
  CHECK_FALSE(disables_tasks(ProcessingMode::allow_intrusive_measurements));
  CHECK(disables_tasks(ProcessingMode::disable_background_work));
  CHECK(disables_tasks(ProcessingMode::disable_profiling_by_system));
  CHECK_FALSE(commits(MeasurementsAction::keep_all));
  CHECK(commits(MeasurementsAction::commit_results));
  CHECK(commits(MeasurementsAction::commit_results_high_priority));
  CHECK_FALSE(commits(MeasurementsAction::discard_previous));
}

TEST_CASE("processing mode: each combination is granted or refused as the specification has it", "[bgproc]") {
  REQUIRE(permission_rows().size() == 16);
  for (const PermissionRow& row : permission_rows()) {
    check_permission(row, false, false, row.retail);
    check_permission(row, true, false, row.retail_with_event);
    check_permission(row, false, true, row.developer);
    check_permission(row, true, true, row.developer_with_event);
  }
}

TEST_CASE("processing mode: developer mode and the lack of an event never turn a grant into a refusal", "[bgproc]") {
  for (int mode = 0; mode < 4; ++mode) {
    for (int action = 0; action < 4; ++action) {
      for (const bool has_event : {false, true}) {
        ModeRequest request{static_cast<ProcessingMode>(mode), static_cast<MeasurementsAction>(action), has_event};
        if (!refusal_of(request, false).empty()) continue;
        CHECK(refusal_of(request, true).empty());
        request.has_event = false;
        CHECK(refusal_of(request, false).empty());
      }
    }
  }
}
