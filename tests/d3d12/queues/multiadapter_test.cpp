// SPDX-License-Identifier: Apache-2.0
// A program that shares the work on its frames between two adapters (programs/multiadapter_program.cpp): what its run
// directories say of the order of things.
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace fenceline::testing;

namespace {

/// Rows of packets.csv by column.
std::vector<std::map<std::string, std::string>> rows_of(const std::filesystem::path& file) {
  const auto fields = [](const std::string& line) {
    std::vector<std::string> all;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) all.push_back(field);
    return all;
  };
  std::istringstream text(contents_of(file));
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> names = fields(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(text, line)) {
    const std::vector<std::string> values = fields(line);
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) row[names[i]] = values[i];
    rows.push_back(row);
  }
  return rows;
}

struct Span {
  double from_us;
  double to_us;
};

/// Packets of a queue, in order; of a type.
std::vector<Span> packets(const std::filesystem::path& run, const std::string& queue, const std::string& type) {
  std::vector<Span> spans;
  for (const auto& row : rows_of(run / "packets.csv")) {
    if (row.at("context").find(queue) == std::string::npos || row.at("type") != type) continue;
    if (type == "wait" && row.at("label").find("swapchain") != std::string::npos) continue;  // for a back buffer
    spans.push_back({std::stod(row.at("started_us")), std::stod(row.at("completed_us"))});
  }
  return spans;
}

}  // namespace

TEST_CASE("two adapters: one renders and copies, the other waits, blurs and presents, in a ring of three frames",
          "[d3d12]") {
  const std::string machines = GENERATE("h200:rtx_4090", "h200:h200", "rtx_4090:tiny");
  const std::size_t frames = 12;
  CAPTURE(machines);
  const Shell shell;
  const std::string command = "FENCELINE_MACHINE=" + machines + " FENCELINE_DEBUG_LAYER=1 FENCELINE_OUT=run " +
                              Shell::quoted(FENCELINE_MULTIADAPTER_PROGRAM);
  const Output output = shell.run(command);
  CHECK(output.out == "12 frames, 0 of them wrong\n");
  CHECK((output.err == "fenceline: FENCELINE_OUT: the run is in run\nfenceline: FENCELINE_OUT: the run is in run-2\n" ||
         output.err == "fenceline: FENCELINE_OUT: the run is in run-2\nfenceline: FENCELINE_OUT: the run is in run\n"));
  REQUIRE(output.code == 0);
  // The adapter with the display is the first device with a queue.
  const auto blurs = packets(shell.work() / "run", "blur", "render");
  const auto waits = packets(shell.work() / "run", "blur", "wait");
  const auto renders = packets(shell.work() / "run-2", "render", "render");
  const auto copies = packets(shell.work() / "run-2", "copy", "render");
  const auto signals = packets(shell.work() / "run-2", "copy", "signal");
  REQUIRE(blurs.size() == frames);
  REQUIRE(waits.size() == frames);
  REQUIRE(renders.size() == frames);
  REQUIRE(copies.size() == frames);
  REQUIRE(signals.size() == frames);
  std::size_t overlaps = 0;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    CAPTURE(frame);
    CHECK(copies[frame].from_us >= renders[frame].to_us);
    CHECK(signals[frame].to_us >= copies[frame].to_us);
    CHECK(waits[frame].to_us >= signals[frame].to_us);
    CHECK(blurs[frame].from_us >= signals[frame].to_us);
    // A place of the ring is written again when the presenter is done with it.
    if (frame >= 3) CHECK(copies[frame].from_us >= blurs[frame - 3].to_us);
    overlaps += frame > 0 && renders[frame].from_us < blurs[frame - 1].to_us ? 1 : 0;
  }
  CHECK(overlaps >= 2);  // the ring is there to let the two work at a time; at its beginning at least they do
  SECTION("and the same bytes again") {
    const auto before = files_in(shell.work());
    REQUIRE(shell.run(command).code == 0);
    CHECK(files_in(shell.work()) == before);
  }
}
