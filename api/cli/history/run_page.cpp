// SPDX-License-Identifier: Apache-2.0
#include "api/cli/history/run_page.hpp"

#include "api/capture/file/recorded_run.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/input_file.hpp"
#include "sim/files/output_file.hpp"
#include "sim/files/run_marker.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <system_error>

namespace fenceline::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* page_file = "timeline.html";
constexpr std::uint64_t most_page_bytes = std::uint64_t{1} << 30;  // what a run writes at most

/// A run beside another one, which is gone in the end.
class RunBeside {
 public:
  explicit RunBeside(const fs::path& run) : directory_(run.string() + ".page") {}
  ~RunBeside() {
    try {
      const RunMarker marker(directory_);
      if (marker.exists()) marker.remove_run();
    } catch (const std::exception&) {
      return;  // it says of itself that it is a run, which the next one replaces
    }
  }
  RunBeside(const RunBeside&) = delete;
  RunBeside& operator=(const RunBeside&) = delete;
  const fs::path& directory() const { return directory_; }

 private:
  fs::path directory_;
};

fs::path normal(const fs::path& directory) { return fs::absolute(directory / ".").lexically_normal().parent_path(); }

/// Plays it again; `use` gets its page, and has it until it returns.
template <class Use>
void with_page(const fs::path& run, Use&& use) {
  const LoadedWorkload loaded = load_workload(run, "", {});
  RunOptions options;
  if (loaded.recorded) play_as(loaded.recorded->how, options);
  const RunBeside beside(normal(report_of(run).parent_path()));
  options.directory = beside.directory();
  options.outputs = {"html"};
  options.only = {"html", "report"};
  RunResult result;
  nlohmann::ordered_json report;
  run_workload(loaded, options, result, &report);
  if (load_json(report_of(run)) != load_json(report_of(options.directory))) {
    throw ConfigError(report_of(run).string(), "", "what playing the run again comes to",
                      "another result: of another version, or another state of caches");
  }
  use(options.directory / page_file);
}

}  // namespace

fs::path add_page(const fs::path& run) {
  const fs::path directory = normal(run);
  RunMarker marker(directory);
  if (!marker.exists()) {
    throw ConfigError(run.string(), "", "the directory of a run", fs::exists(run) ? "another one" : "nothing there");
  }
  with_page(run, [&](const fs::path& page) {
    marker.add(page_file);
    std::error_code error;
    fs::rename(page, directory / page_file, error);
    if (error) throw OutputError(directory / page_file, "cannot write", error);
  });
  return run / page_file;
}

std::string page_text(const fs::path& run) {
  const fs::path there = report_of(run).parent_path() / page_file;
  if (fs::is_regular_file(there)) return read_input(there, most_page_bytes);
  std::string text;
  with_page(run, [&](const fs::path& page) { text = read_input(page, most_page_bytes); });
  return text;
}

}  // namespace fenceline::cli
