// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

class Fields;

/// Values that could not matter for a run, as its report.json says it.
struct RecordedNoEffect {
  std::string file;             ///< that named them
  std::vector<std::string> at;  ///< JSON Pointers
  std::string reason;
};

/// Parameters of its machine that changed while it ran.
struct PlayedChange {
  std::uint64_t at_ps = 0;       ///< simulated time
  std::vector<std::string> set;  ///< as live_change takes them
};
void describe(Fields& f, PlayedChange& change);

/// How a run was played, as far as that is not in its workload and machine: what report.json has as `run`.
struct PlayedHow {
  std::uint64_t passes = 1;
  std::string fast_forward = {};  ///< a point; empty: none
  std::uint64_t limit_ps = 0;     ///< simulated time after which it was a failure; 0: none
  std::uint64_t until_ps = 0;     ///< simulated time at which it was to end; 0: none
  std::optional<PlayedChange> change = {};
};
void describe(Fields& f, PlayedHow& how);

/// What report.json of a run says besides its workload.
struct RecordedRun {
  std::string file;        ///< the report's
  nlohmann::json machine;  ///< all its values
  PlayedHow how;
  std::vector<RecordedNoEffect> no_effect;
};

/// The report in the directory of a run; what has none stays as it is.
std::filesystem::path report_of(const std::filesystem::path& run);

/// A document is report.json of a run, or of something that was not played from a workload.
bool is_report(const nlohmann::json& document);

/// Takes a report apart: what is left is its workload. Throws ConfigError where it has none, or does not say how it was
/// played as runs do.
RecordedRun take_recorded_run(nlohmann::json& report, const std::string& file);

/// Throws ConfigError where the report is of several runs: what --repeat leaves.
void refuse_several(const nlohmann::json& report, const std::string& file);

/// Throws ConfigError where the machine changed while it ran: what is made of such a run cannot say that.
void refuse_changed(const RecordedRun& recorded);

/// What report.json has of it as `run`: what is not as in most runs. Null: all is.
nlohmann::ordered_json json_of(const PlayedHow& how);
/// What it has as `no_effect`.
nlohmann::ordered_json json_of(const std::vector<RecordedNoEffect>& no_effect);

}  // namespace fenceline
