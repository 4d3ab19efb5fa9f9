// SPDX-License-Identifier: Apache-2.0
// What a run tells of the frames of its swap chains: the same in all its files.
#include "sim/config/json_file.hpp"
#include "tests/support/csv_reader.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Matchers::Contains;

TEST_CASE("frames: frames.csv, report.json, timeline.html and the summary tell the same of flip_storm", "[cli]") {
  const Shell shell;
  const Output run =
      shell.fenceline({"run", shipped_workload("flip_storm").string(), "--out", "out", "--html", "--check-invariants"});
  REQUIRE(run.code == 0);
  const auto report = load_json(shell.work() / "out/report.json");
  const auto& chains = report.at("statistics").at("swap_chains");
  REQUIRE(chains.size() == 5);

  struct Counts {
    std::uint64_t presented = 0;
    std::uint64_t shown = 0;
    std::uint64_t tore = 0;
    std::uint64_t with_input = 0;
  };
  std::vector<std::uint64_t> tear_lines;
  std::map<std::string, Counts> counts;
  const auto rows = rows_of(contents_of(shell.work() / "out/frames.csv"));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    std::map<std::string, std::string> row;
    for (std::size_t column = 0; column < rows[0].size(); ++column) row[rows[0][column]] = rows[i].at(column);
    Counts& of = counts[row.at("swap_chain").substr(std::string("adapter.display.").size())];
    ++of.presented;
    of.shown += row.at("fate") != "discarded";
    of.tore += row.at("fate") == "tore";
    of.with_input += !row.at("input_us").empty();
    CHECK(row.at("on_screen_us").empty() == (row.at("fate") == "discarded"));
    CHECK(row.at("lines").empty() == (row.at("fate") == "discarded"));
    if (!row.at("tear_line").empty()) tear_lines.push_back(std::stoull(row.at("tear_line")));
  }
  for (const auto& chain : chains) {
    const Counts& of = counts.at(chain.at("swap_chain"));
    INFO(chain.at("swap_chain"));
    CHECK(of.presented == chain.at("presented"));
    CHECK(of.shown == chain.at("shown"));
    CHECK(of.presented - of.shown == chain.at("discarded"));
    CHECK(chain.contains("input_to_screen_ps") == (of.with_input > 0));
    CHECK(chain.at("output") == "primary");
  }
  CHECK(counts.at("game").tore == 250);  // nothing waits before a frame that tears
  CHECK(counts.at("overlay").tore == 0);
  const auto& output = report.at("statistics").at("outputs").at(0);
  REQUIRE(!tear_lines.empty());
  CHECK(output.at("output") == "primary");
  CHECK(output.at("tears") == tear_lines.size());
  CHECK(output.at("first_line") == *std::min_element(tear_lines.begin(), tear_lines.end()));
  CHECK(output.at("last_line") == *std::max_element(tear_lines.begin(), tear_lines.end()));
  CHECK(tear_lines.size() <= 250);  // some come while the screen is blank
  CHECK(tear_lines.size() > 220);
  CHECK(counts.at("overlay").shown < counts.at("overlay").presented);

  CHECK_THAT(run.out, Contains("frames of "));
  CHECK_THAT(run.out, Contains("\ngame "));
  CHECK_THAT(run.out, Contains(fmt::format("\ntears        {} frames on primary, at lines ", tear_lines.size())));
  const std::string page = contents_of(shell.work() / "out/timeline.html");
  CHECK_THAT(page, Contains("Swap chains"));
  CHECK_THAT(page, Contains("frames.csv has a row for each frame.</p>"));  // a note is there to its end
  CHECK_THAT(page, Contains("<h2>Tears</h2>") && Contains(fmt::format(">{}</td>", tear_lines.size())));
}
