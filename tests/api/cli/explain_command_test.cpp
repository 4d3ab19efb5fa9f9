// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;
using nlohmann::json;

TEST_CASE("fenceline explain --frame: the critical path of a frame as text and as JSON", "[cli][explain]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("flip_storm").string(), "--out", "storm"}).code == 0);
  const auto explained = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"explain", "storm"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return shell.fenceline(arguments);
  };

  const Output text = explained({"--frame", "12", "--swap-chain", "game"});
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK_THAT(text.out, StartsWith("frame 12 of \"game\": ") && Contains("list \"game frame\": ran on 3d0") &&
                           Contains("\nin all\n"));

  // The file of frames says the same of the screen.
  const Output output = explained({"--frame", "12", "--swap-chain", "game", "--json"});
  REQUIRE(output.code == 0);
  const json path = parse_json(output.out, "explain");
  CHECK(path.at("frame") == 12);
  CHECK(path.at("swap_chain") == "game");
  CHECK(path.at("presented") == true);
  CHECK(path.at("path").front().at("from_ps") == path.at("from_ps"));
  CHECK(path.at("path").back().at("to_ps") == path.at("to_ps"));
  CHECK_THAT(contents_of(shell.work() / "storm/frames.csv"),
             Contains("adapter.display.game,adapter.display,12,0,tore,"));
  CHECK(path.at("on_screen_ps") == path.at("to_ps"));  // tears: it is there when it is ready

  const Output which = explained({"--frame", "12"});
  CHECK(which.code == 2);
  CHECK(which.err == "--swap-chain: /: expected one of chat, compositor, film, game, overlay, found none\n");
  const Output near = explained({"--frame", "12", "--swap-chain", "gane"});
  CHECK(near.code == 2);
  CHECK_THAT(near.err, Contains("found \"gane\" (did you mean \"game\"?)\n"));
  const Output late = explained({"--frame", "251", "--swap-chain", "game"});
  CHECK(late.code == 2);
  CHECK(late.err == "--frame: /: expected a frame that was presented to \"game\", found 251\n");
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--frame", "0"},
                                                {"--frame", "x"},
                                                {"--swap-chain", "game"},
                                                {"--frame", "1", "--packet", "2"},
                                                {"--frame", "1", "--at", "5"},
                                                {"--frame", "1", "--deadline", "d"}}) {
    const Output refused = explained(wrong);
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK_FALSE(refused.err.empty());
  }
}

TEST_CASE("fenceline explain --frame: a run that presents nothing says so", "[cli][explain]") {
  const Shell shell;
  shell.write("w.json", small_workload_text);
  REQUIRE(shell.fenceline({"run", "w.json", "--out", "run"}).code == 0);
  const Output none = shell.fenceline({"explain", "run", "--frame", "1"});
  CHECK(none.code == 2);
  CHECK(none.err == "--frame: /: expected a run in which something is presented, found no present\n");
}

TEST_CASE("fenceline explain --queue: a queue goes by its name or by the path that reports and packets.csv print",
          "[cli][explain]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("multi_engine").string(), "--out", "run"}).code == 0);
  CHECK_THAT(contents_of(shell.work() / "run/packets.csv"), Contains(",adapter.scheduler.render,"));
  const Output by_name = shell.fenceline({"explain", "run", "--queue", "render", "--at", "100"});
  const Output by_path = shell.fenceline({"explain", "run", "--queue", "adapter.scheduler.render", "--at", "100"});
  CHECK(by_name.code == 0);
  CHECK_THAT(by_name.out, StartsWith("at 100.000 us\nrender "));
  CHECK(by_path.code == 0);
  CHECK(by_path.out == by_name.out);
  CHECK(shell.fenceline({"explain", "run", "--queue", "scheduler.render", "--at", "100"}).code == 2);
}
