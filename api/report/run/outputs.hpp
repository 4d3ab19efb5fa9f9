// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/deadline_row.hpp"
#include "api/report/html/html.hpp"
#include "api/report/run/output_keys.hpp"
#include "api/report/stats.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// What outputs say of a run that its log does not know.
struct RunFacts {
  const StatsSink& stats;  ///< attached to the log before the outputs; outlives them
  std::string workload;
  std::string machine;
  std::function<std::vector<HtmlTable>()> tables = {};       ///< asked at the end of the run; may be empty
  std::function<std::vector<DeadlineRow>()> deadlines = {};  ///< the same
  std::function<std::vector<Counter>()> initial = {};        ///< the same: where fences stood at the start
};

/// A file of a run directory that a sink fills.
struct OutputRow {
  const char* file;  ///< its name
  /// `--key` of `fenceline run` and FENCELINE_KEY=1 around a D3D12 program ask for it; null: every run has it.
  const char* key;
  const char* what;  ///< it shows, for --help
  std::unique_ptr<LogSink> (*sink)(OutputFile& file, const RunFacts& facts);
};

/// All there are, in the order in which they hear the log. report.json is not among them: it is written when the log
/// is over.
const std::vector<OutputRow>& outputs();
constexpr const char* report_file = "report.json";

/// By what `--outputs` names it: its key, or the name of its file up to the dot.
std::string_view output_name(const OutputRow& output);
/// All that `--outputs` names: report.json, the rows of outputs(), and accesses.csv of runs that have it.
std::vector<std::string_view> output_names();
constexpr std::string_view report_output = "report";      ///< report.json
constexpr std::string_view accesses_output = "accesses";  ///< accesses.csv
/// Of a text as "report,packets". Throws ConfigError at `pointer` of `file`.
OutputKeys output_names_in(const std::string& text, const std::string& file, const std::string& pointer = "");

/// The outputs that a run has which is asked for these keys; with `only`, a list of names, those and no others.
std::vector<OutputRow> outputs_of(const OutputKeys& asked, const std::optional<OutputKeys>& only = std::nullopt);
/// A file that is no row of outputs() is wanted.
bool wants(std::string_view name, const std::optional<OutputKeys>& only);

}  // namespace fenceline
