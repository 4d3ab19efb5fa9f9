// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/recorded_run.hpp"

#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/without_defaults.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace fenceline {

void describe(Fields& f, RecordedNoEffect& one) {
  f.about("values that could not matter for a run");
  f.required("file", one.file, "that named them");
  f.required("at", one.at, "JSON Pointers");
  f.required("reason", one.reason, "why they could not");
}

void describe(Fields& f, PlayedChange& change) {
  f.about("parameters of the machine that changed while it ran");
  f.required("at_ps", change.at_ps, "simulated time", between(0, 9e18));
  f.required("set", change.set, "/pointer=value texts");
}

void describe(Fields& f, PlayedHow& how) {
  f.about("how a run was played");
  f.optional("passes", how.passes, "how often", between(1, 1'000'000));
  f.optional("fast_forward", how.fast_forward, "point before which nothing was told");
  f.optional("limit_ps", how.limit_ps, "simulated time after which it was a failure; 0: none");
  f.optional("until_ps", how.until_ps, "simulated time at which it was to end; 0: none");
  f.optional("change", how.change, "of parameters of its machine");
  f.check(how.limit_ps == 0 || how.until_ps == 0, "a limit or an end", "both");
}

std::filesystem::path report_of(const std::filesystem::path& run) {
  std::error_code none;
  std::filesystem::path report = run / "report.json";
  return std::filesystem::is_directory(run, none) && std::filesystem::exists(report, none) ? report : run;
}

bool is_report(const nlohmann::json& document) {
  return document.is_object() && document.contains("fenceline") && document.contains("workload_name") &&
         document.contains("machine_name");
}

RecordedRun take_recorded_run(nlohmann::json& report, const std::string& file) {
  RecordedRun recorded;
  recorded.file = file;
  refuse_several(report, file);
  for (const char* key : {"workload", "machine"}) {
    if (report.contains(key)) continue;
    throw ConfigError(file, "", fmt::format("report.json of a run of a workload, with the key \"{}\"", key),
                      "that of a D3D12 program, or a part of one");
  }
  recorded.machine = std::move(report["machine"]);
  if (report.contains("run")) recorded.how = read_config<PlayedHow>(report["run"], file, "/run");
  if (report.contains("no_effect")) {
    recorded.no_effect = read_config<std::vector<RecordedNoEffect>>(report["no_effect"], file, "/no_effect");
  }
  nlohmann::json workload = std::move(report["workload"]);
  report = std::move(workload);
  return recorded;
}

void refuse_several(const nlohmann::json& report, const std::string& file) {
  if (!report.is_object() || !report.contains("repeat")) return;
  throw ConfigError(file, "/repeat", "report.json of one run",
                    "that of several (--repeat): fenceline run with --seed plays one of them");
}

void refuse_changed(const RecordedRun& recorded) {
  if (!recorded.how.change) return;
  throw ConfigError(recorded.file, "/run/change", "a run whose machine did not change", "one that did");
}

nlohmann::ordered_json json_of(const PlayedHow& how) {
  nlohmann::ordered_json json = dump_config(how);
  remove_defaults(json, type_of<PlayedHow>());
  return json.empty() ? nlohmann::ordered_json() : json;
}

nlohmann::ordered_json json_of(const std::vector<RecordedNoEffect>& no_effect) { return dump_config(no_effect); }

}  // namespace fenceline
