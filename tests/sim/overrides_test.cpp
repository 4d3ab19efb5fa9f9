// SPDX-License-Identifier: Apache-2.0
#include "sim/config/overrides.hpp"

#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/sample_config.hpp"

#include <catch2/catch.hpp>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::ordered_json;
using sample::Gpu;

namespace {

const char* const small = R"({"name":"a","engines":[{"clock_mhz":1},{"clock_mhz":2},{"clock_mhz":3}],"a/b":{"m~n":1}})";

ordered_json applied(const std::string& assignment) {
  ordered_json document = ordered_json::parse(small);
  apply_override(document, assignment);
  return document;
}

std::string error_of(const std::string& assignment) {
  ordered_json document = ordered_json::parse(small);
  try {
    apply_override(document, assignment);
  } catch (const ConfigError& error) {
    CHECK(document.dump() == small);
    return error.what();
  }
  return "no error";
}

std::string read_error(const std::string& text, const std::vector<std::string>& sets) {
  try {
    read_with_overrides<Gpu>(parse_json(text, "x.json"), "x.json", sets);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

struct Pair {
  double low = 1;
  double high = 2;
};
void describe(Fields& f, Pair& p) {
  f.optional("low", p.low, "");
  f.optional("high", p.high, "");
  f.check(p.low <= p.high, "low up to high", "the reverse", "low");
}

}  // namespace

TEST_CASE("overrides: a pointer sets the value it points at", "[sim]") {
  CHECK(applied("/engines/0/clock_mhz=1800")["engines"][0]["clock_mhz"] == 1800);
  CHECK(applied("/a~1b/m~0n=[1, 2]")["a/b"]["m~n"] == ordered_json({1, 2}));
  CHECK(applied("/engines/2={}")["engines"][2] == ordered_json::object());
}

TEST_CASE("overrides: a value is JSON if it is JSON, else a string", "[sim]") {
  CHECK(applied("/name=true")["name"] == true);
  CHECK(applied("/name=2.50")["name"] == 2.5);
  CHECK(applied("/name=\"7\"")["name"] == "7");
  CHECK(applied("/name=gpu 0")["name"] == "gpu 0");
  CHECK(applied("/name=")["name"] == "");
  CHECK(applied("/name=a=b")["name"] == "a=b");
  CHECK(applied("/name={\"a\": 1")["name"] == "{\"a\": 1");
}

TEST_CASE("overrides: missing objects on the way are created", "[sim]") {
  CHECK(applied("/x/y/0=1")["x"].dump() == R"({"y":{"0":1}})");
  CHECK(applied("/engines/3/clock_mhz=4")["engines"][3].dump() == R"({"clock_mhz":4})");
}

TEST_CASE("overrides: an array grows by one at its end", "[sim]") {
  CHECK(applied("/engines/3=4")["engines"].size() == 4);
  CHECK(applied("/engines/-=4")["engines"][3] == 4);
  ordered_json document = ordered_json::parse(small);
  CHECK(apply_override(document, "/engines/-/clock_mhz=4") == "/engines/3/clock_mhz");
}

TEST_CASE("overrides: an index outside of the array is told with the last that would do", "[sim]") {
  CHECK(error_of("/engines/9=1") == "--set: /engines/9: expected an index up to 3, found 9");
  CHECK(error_of("/engines/9/clock_mhz=1") == "--set: /engines/9: expected an index up to 3, found 9");
  CHECK(error_of("/engines/99999999999999999999=1") ==
        "--set: /engines/99999999999999999999: expected an index up to 3, found 99999999999999999999");
  CHECK(error_of("/engines/01=1") == "--set: /engines/01: expected an index up to 3, found \"01\"");
  CHECK(error_of("/engines/x=1") == "--set: /engines/x: expected an index up to 3, found \"x\"");
  CHECK(error_of("/engines/=1") == "--set: /engines/: expected an index up to 3, found \"\"");
  CHECK(error_of("/engines/-1=1") == "--set: /engines/-1: expected an index up to 3, found \"-1\"");
}

TEST_CASE("overrides: what is neither object nor array has nothing below it", "[sim]") {
  CHECK(error_of("/name/x=1") == "--set: /name: expected an object or an array, found \"a\"");
}

TEST_CASE("overrides: a text of another form is told with the form", "[sim]") {
  CHECK(error_of("abc") == "--set: /: expected /pointer=value, found \"abc\"");
  CHECK(error_of("/abc") == "--set: /: expected /pointer=value, found \"/abc\"");
  CHECK(error_of("abc=1") == "--set: /: expected /pointer=value, found \"abc=1\"");
  CHECK(error_of("=1") == "--set: /: expected /pointer=value, found \"=1\"");
  CHECK(error_of("") == "--set: /: expected /pointer=value, found \"\"");
  CHECK(error_of("/a~2=1") == "--set: /: expected ~0 for ~ and ~1 for / in a pointer, found \"/a~2\"");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "/a";
  CHECK(error_of(deep + "=1") == "--set: /: expected a pointer of at most 64 keys, found 100000");
}

TEST_CASE("overrides: they apply to effective values, in order", "[sim]") {
  const auto document = parse_json(R"({"source": "s", "engines": [{"name": "a"}]})", "x.json");
  const auto gpu = read_with_overrides<Gpu>(
      document, "x.json",
      {"/shader/clock_mhz=900", "/engines/-/name=b", "/engines/1/lanes=8", "/seed=5", "/rates/fma=3", "/source=cli"});
  CHECK(gpu.shader.clock_mhz == 900);
  CHECK(gpu.shader.lanes == Gpu{}.shader.lanes);
  REQUIRE(gpu.engines.size() == 2);
  CHECK(gpu.engines[1].name == "b");
  CHECK(gpu.engines[1].lanes == 8);
  CHECK(gpu.seed == 5u);
  CHECK(gpu.rates.at("fma") == 3);
  CHECK(gpu.source == "cli");
}

TEST_CASE("overrides: an error names the file it comes from", "[sim]") {
  CHECK(read_error(R"({"source": 1})", {"/source=x"}) == "x.json: /source: expected a string, found 1");
  CHECK(read_error(R"({"source": ""})", {"/shader/clock_mhz=fast"}) ==
        "--set: /shader/clock_mhz: expected a number > 0, found \"fast\"");
  CHECK_THAT(read_error(R"({"source": ""})", {"/shader/clok_mhz=1"}),
             Catch::StartsWith("--set: /shader/clok_mhz: ") && Catch::EndsWith("(did you mean \"clock_mhz\"?)"));
  CHECK(read_error(R"({"source": ""})", {"/engines/-/lanes=1"}) ==
        "--set: /engines/0: expected the required key \"name\", found no such key");
  CHECK(read_error(R"({"source": ""})", {"/shader={\"name\": 3}"}) ==
        "--set: /shader/name: expected a string, found 3");
  // The keys of the alternative before are still in the effective values: set the whole object to change a tag.
  CHECK_THAT(read_error(R"({"source": ""})", {"/idle/type=copy"}), Catch::StartsWith("--set: /idle/vertices: "));
  CHECK(read_error(R"({"source": ""})", {R"(/idle={"type": "copy", "bytes": 1})"}) == "no error");
}

TEST_CASE("overrides: a relation that an override breaks is the override's", "[sim]") {
  CHECK_THROWS_WITH(read_with_overrides<Pair>(parse_json("{}", "x.json"), "x.json", {"/high=0"}),
                    "--set: /low: expected low up to high, found the reverse");
}

TEST_CASE("overrides: an element goes by its name, its type and number, or its type where there is one of it",
          "[sim]") {
  const char* const named =
      R"({"engines":[{"type":"3d"},{"type":"copy"},{"type":"copy"},{"type":"3d0x","name":"copy0"}],)"
      R"("queues":[{"name":"game","p":1},{"name":"compositor","p":2},{"name":"7","p":3},{"name":"game","p":4}]})";
  const auto set = [&](const std::string& assignment) {
    ordered_json document = ordered_json::parse(named);
    return apply_override(document, assignment);
  };
  CHECK(set("/queues/compositor/p=9") == "/queues/1/p");
  CHECK(set("/engines/3d/x=9") == "/engines/0/x");
  CHECK(set("/engines/3d0/x=9") == "/engines/0/x");
  CHECK(set("/engines/copy1/x=9") == "/engines/2/x");
  CHECK(set("/engines/copy0/x=9") == "/engines/3/x");  // a name goes before a number
  CHECK(set("/queues/2/p=9") == "/queues/2/p");        // an index before a name
  const auto told = [&](const std::string& assignment) -> std::string {
    try {
      return set(assignment);
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  CHECK(told("/queues/compositr/p=9") ==
        "--set: /queues/compositr: expected \"game\", \"compositor\", \"7\", \"game\" or an index up to 4, found "
        "\"compositr\" (did you mean \"compositor\"?)");
  CHECK(told("/queues/game/p=9") ==
        "--set: /queues/game: expected \"game\", \"compositor\", \"7\", \"game\" or an index up to 4, found \"game\", "
        "which 2 elements are called");
  CHECK(told("/engines/copy/x=9") ==
        "--set: /engines/copy: expected \"3d\", \"copy0\", \"copy1\", \"copy0\" or an index up to 4, found \"copy\", "
        "which "
        "2 elements are called");
}
