// SPDX-License-Identifier: Apache-2.0
#include "sim/config_errors.hpp"

#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/sample_config.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using sample::Gpu;

namespace {

/// What is wrong with a document, a line each.
std::vector<std::string> errors_of(const std::string& text) {
  std::vector<std::string> lines;
  try {
    read_config<Gpu>(parse_json(text, "x.json"), "x.json");
  } catch (const ConfigError& error) {
    for (const ConfigError& one : error.each()) lines.emplace_back(one.what());
  }
  return lines;
}

std::string overridden(const std::vector<std::string>& sets) {
  try {
    read_with_overrides<Gpu>(parse_json(sample::full_text, "x.json"), "x.json", sets);
  } catch (const ConfigError& error) {
    return error.lines();
  }
  return "";
}

}  // namespace

TEST_CASE("config reader: all that is wrong is told, in the order of the description", "[sim]") {
  const std::vector<std::string> errors = errors_of(
      R"({"source": 1, "order": "round_robbin", "engines": [{"name": "a", "lanes": 65}, {"clock_mhz": 1}],
          "commands": [{"type": "drow"}, {"type": "copy"}], "colour": 1})");
  REQUIRE(errors.size() == 7);
  CHECK(errors[0] == "x.json: /source: expected a string, found 1");
  CHECK(
      std::find(errors.begin(), errors.end(),
                "x.json: /order: expected one of \"first_come\", \"round_robin\", found \"round_robbin\" (did you mean "
                "\"round_robin\"?)") != errors.end());
  CHECK(std::find(errors.begin(), errors.end(),
                  "x.json: /engines/0/lanes: expected an integer from 1 to 64, found 65") != errors.end());
  CHECK(std::find(errors.begin(), errors.end(),
                  "x.json: /engines/1: expected the required key \"name\", found no such key") != errors.end());
  CHECK(std::find(
            errors.begin(), errors.end(),
            "x.json: /commands/0/type: expected one of \"copy\", \"draw\", found \"drow\" (did you mean \"draw\"?)") !=
        errors.end());
  CHECK(std::find(errors.begin(), errors.end(),
                  "x.json: /commands/1: expected the required key \"bytes\", found no such key") != errors.end());
  CHECK_THAT(errors.back(), Catch::StartsWith("x.json: /colour: expected one of ") && Catch::EndsWith("\"colour\""));
}

TEST_CASE("config reader: a misspelt key and the one it means are one error, another that is missing a second",
          "[sim]") {
  const std::vector<std::string> one = errors_of(R"({"source": "", "engines": [{"nmae": "a"}]})");
  REQUIRE(one.size() == 1);
  CHECK_THAT(one[0], Catch::Contains("did you mean \"name\"?"));
  const std::vector<std::string> two = errors_of(R"({"source": "", "engines": [{"lames": 3}]})");
  REQUIRE(two.size() == 2);
  CHECK_THAT(two[0], Catch::Contains("did you mean \"lanes\"?"));
  CHECK_THAT(two[1], Catch::Contains("the required key \"name\""));
}

TEST_CASE("config reader: overrides are told of like files, all of them", "[sim]") {
  CHECK(overridden({"/shader/clock_mhz=fast", "/engines/0/lanes=65"}) ==
        "--set: /shader/clock_mhz: expected a number > 0, found \"fast\"\n"
        "--set: /engines/0/lanes: expected an integer from 1 to 64, found 65\n");
}

TEST_CASE("config error: twenty are shown, and that there are more", "[sim]") {
  std::string tiles;
  for (int i = 0; i < 50; ++i) tiles += std::string(i == 0 ? "" : ",") + "5000";
  try {
    read_config<Gpu>(parse_json("{\"source\": \"\", \"tiles\": [[" + tiles + "]]}", "x.json"), "x.json");
    FAIL("no error");
  } catch (const ConfigError& error) {
    const std::string lines = error.lines();
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 21);
    CHECK_THAT(lines, Catch::StartsWith(std::string(error.what()) + "\nx.json: /tiles/0/1: expected an integer") &&
                          Catch::EndsWith("\nx.json: more is wrong than these 20 places\n"));
  }
}

TEST_CASE("config errors: each is kept once, and the first is the one that is thrown", "[sim]") {
  ConfigErrors errors;
  CHECK(errors.keep([] {}));
  CHECK_NOTHROW(errors.throw_any());
  for (const char* pointer : {"/a", "/b", "/a"}) {
    CHECK_FALSE(errors.keep([&] { throw ConfigError("f", pointer, "x", "y"); }));
  }
  CHECK(errors.size() == 2);
  CHECK_THROWS_AS(errors.keep([] { throw std::string("another"); }), std::string);
  try {
    errors.throw_any();
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK(error.pointer() == "/a");
    REQUIRE(error.each().size() == 2);
    CHECK(error.each()[0].each().size() == 1);
    CHECK(error.each()[1].pointer() == "/b");
    CHECK(ConfigError(error.each()).lines() == "f: /a: expected x, found y\nf: /b: expected x, found y\n");
  }
}
