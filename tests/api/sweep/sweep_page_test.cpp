// SPDX-License-Identifier: Apache-2.0
// sweep.html, as text and in a browser. Without Chromium (Debian: chromium) the second is skipped.
#include "tests/support/csv_reader.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const char* const sweep = R"({"name": "</script><b>bold", "source": "a < b & \"c\"", "workloads": ["frame.json"],
  "axes": [{"pointer": "/engines/3d/clock_mhz", "numbers": [500, 1000, 1500]},
           {"pointer": "/shader_array/graphics_sms", "name": "<i>SMs", "numbers": [4, 8, 16]}],
  "metrics": ["makespan_us", "cost=/machine/engines/3d/clock_mhz", "queue_p50_us", "queue_max_us", "deadlines_missed"],
  "outputs": ["report"]})";

/// A directory with the results of that sweep.
class Swept {
 public:
  Swept() {
    shell.write("frame.json", contents_of(shipped_workload("multi_engine")));
    shell.write("s.json", sweep);
    const Output output = shell.fenceline({"sweep", "s.json", "--out", "s", "--quiet"});
    CHECK(output.code == 0);
    CHECK(output.err.empty());
    page = shell.work() / "s/sweep.html";
  }
  /// The page's elements once its scripts have run.
  std::string in_browser(const std::string& fragment) const {
    const std::string command = fmt::format(
        "chromium --headless --no-sandbox --disable-gpu --user-data-dir={} --enable-logging=stderr --dump-dom {}",
        Shell::quoted((shell.work() / "profile").string()), Shell::quoted("file://" + page.string() + fragment));
    const Output output = shell.run(command);
    CHECK(output.code == 0);
    CHECK_THAT(output.err, !Contains("CONSOLE"));
    return output.out;
  }
  Shell shell;
  fs::path page;
};

/// Runs, by makespan and by clock, of which no other is better in both.
std::vector<std::string> frontier_of(const std::string& csv) {
  const auto rows = rows_of(csv);
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
  };
  const std::size_t x = column("makespan_us");
  const std::size_t y = column("cost");
  std::vector<std::pair<double, std::string>> frontier;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto better = [&](const std::vector<std::string>& other) {
      const double dx = std::stod(other[x]) - std::stod(rows[i][x]);
      const double dy = std::stod(other[y]) - std::stod(rows[i][y]);
      return dx <= 0 && dy <= 0 && (dx < 0 || dy < 0);
    };
    if (std::none_of(rows.begin() + 1, rows.end(), better)) frontier.emplace_back(std::stod(rows[i][x]), rows[i][0]);
  }
  std::sort(frontier.begin(), frontier.end());
  std::vector<std::string> runs;
  for (const auto& [makespan, run] : frontier) runs.push_back(run);
  return runs;
}

}  // namespace

TEST_CASE("sweep.html: one file that names no other place, with names that cannot leave their place", "[sweep]") {
  const Swept swept;
  const std::string text = contents_of(swept.page);
  CHECK_THAT(text, !Contains("src="));
  CHECK_THAT(text, !Contains("@import"));
  CHECK_THAT(text, !Contains("fetch("));
  CHECK_THAT(text, !Contains("XMLHttpRequest"));
  CHECK_THAT(text, !Contains("<b>bold"));
  CHECK_THAT(text, !Contains("<i>SMs"));
  CHECK_THAT(text, Contains("&lt;/script&gt;&lt;b&gt;bold"));
  CHECK_THAT(text, Contains("a &lt; b &amp; "));
  CHECK_THAT(text, Contains("\\u003ci>SMs"));
}

TEST_CASE("sweep.html: in Chromium the frontier is the rows', the table sorts, and points lead to runs", "[sweep]") {
  const Swept swept;
  if (swept.shell.run("command -v chromium").code != 0) {
    WARN("skipped: there is no chromium");
    return;
  }
  const std::string csv = contents_of(swept.shell.work() / "s/results.csv");
  const std::string page = swept.in_browser("#x=makespan_us&y=cost&sort=makespan_us&order=down");
  const std::vector<std::string> frontier = frontier_of(csv);
  CHECK(frontier.size() > 1);
  CHECK_THAT(page, Contains(fmt::format("data-frontier=\"{}\"", fmt::join(frontier, ","))));
  CHECK_THAT(page, Contains(fmt::format("Frontier, {} of 9 runs:", frontier.size())));
  // The longest stands first.
  const auto rows = rows_of(csv);
  std::string slowest;
  double longest = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double makespan = std::stod(rows[i][7]);
    if (makespan > longest) slowest = rows[i][0];
    longest = std::max(longest, makespan);
  }
  const std::size_t body = page.find("<tbody>");
  CHECK(page.compare(page.find("id=\"run-", body) + 8, slowest.size(), slowest) == 0);
  CHECK_THAT(page, Contains("aria-sort=\"descending\""));
  CHECK_THAT(page, Contains("href=\"runs/000008/report.json\""));
  CHECK(fs::exists(swept.page.parent_path() / "runs/000008/report.json"));
  for (const char* card : {"latency", "pareto", "heat", "bars"}) {
    const std::size_t at = page.find(fmt::format("id=\"{}-card\"", card));
    REQUIRE(at != std::string::npos);
    CHECK(page.substr(at, 40).find("hidden") == std::string::npos);
  }
  CHECK_THAT(page, Contains("data-run=\"4\""));
}
