// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config.hpp"

#include "sim/assert.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/sample_config.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

using namespace fenceline;
using namespace fenceline::testing;
using sample::Engine;
using sample::Gpu;

namespace {

/// What the reader says about a document of type T.
template <class T>
std::string error_of(const std::string& text, const std::string& base = "") {
  try {
    read_config<T>(parse_json(text, "x.json"), "x.json", base);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

struct Flat {
  bool flag = false;
  std::int32_t small = 1;
  std::uint32_t natural = 2;
  std::int64_t big = 3;
  std::uint64_t huge = 4;
  double real = 5;
  std::string text = "six";
};
void describe(Fields& f, Flat& c) {
  f.optional("flag", c.flag, "");
  f.optional("small", c.small, "");
  f.optional("natural", c.natural, "");
  f.optional("big", c.big, "");
  f.optional("huge", c.huge, "");
  f.optional("real", c.real, "");
  f.optional("text", c.text, "");
}

struct Span {
  double first = 0;
  double last = 1;
  std::vector<std::int32_t> cores;
};
void describe(Fields& f, Span& s) {
  f.required("first", s.first, "");
  f.required("last", s.last, "");
  f.optional("cores", s.cores, "");
  f.check(s.first <= s.last, "first up to last", "the reverse");
  f.check(s.last <= 100, "at most 100", std::to_string(static_cast<int>(s.last)), "last");
  for (std::size_t i = 0; i < s.cores.size(); ++i) {
    f.check(s.cores[i] % 2 == 0, "an even core", std::to_string(s.cores[i]), "/cores/" + std::to_string(i));
  }
}

struct Left {
  static constexpr const char* type_name = "left";
  static constexpr const char* type_key = "side";
  bool far = false;
};
void describe(Fields& f, Left& l) { f.optional("far", l.far, ""); }
struct Right {
  static constexpr const char* type_name = "right";
  static constexpr const char* type_key = "side";
};
void describe(Fields&, Right&) {}
using Side = std::variant<Left, Right>;

}  // namespace

TEST_CASE("config reader: a document sets what it names and leaves the rest at the defaults of the struct", "[sim]") {
  const auto gpu = read_config<Gpu>(parse_json(sample::full_text, "x.json"), "x.json");
  CHECK(gpu.source == "datasheet");
  CHECK(gpu.order == sample::Order::round_robin);
  CHECK(gpu.shader.name == "sm");
  CHECK(gpu.shader.clock_mhz == 1500);
  CHECK(gpu.shader.offset == std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE(gpu.shader.enabled);
  REQUIRE(gpu.engines.size() == 2);
  CHECK(gpu.engines[0].lanes == Engine{}.lanes);
  CHECK(gpu.engines[1].lanes == 1);
  REQUIRE(gpu.commands.size() == 3);
  CHECK(std::get<sample::Copy>(gpu.commands[0]).bytes == 4096);
  CHECK(std::get<sample::Draw>(gpu.commands[1]).depth == 0.25);
  CHECK(std::get<sample::Draw>(gpu.commands[2]).vertices == sample::Draw{}.vertices);
  CHECK(gpu.rates.size() == 2);
  CHECK(gpu.rates.at("a/b") == 0.1 + 0.2);
  CHECK(gpu.seed == 9007199254740993u);
  CHECK(gpu.display->name == "scan");
  CHECK(gpu.groups.children[0].children[0].priority == 2147483647);
  CHECK(gpu.tiles == std::vector<std::vector<std::int32_t>>{{}, {4096, -1}, {3}});
}

TEST_CASE("config reader: a nested object starts from the default that its owner gives it", "[sim]") {
  const auto gpu = read_config<Gpu>(parse_json(R"({"source": "", "shader": {"name": "sm"}})", "x.json"), "x.json");
  CHECK(gpu.shader.clock_mhz == Gpu{}.shader.clock_mhz);
  CHECK(gpu.shader.lanes == Gpu{}.shader.lanes);
}

TEST_CASE("config reader: a wrong type is told with what was expected and found", "[sim]") {
  CHECK(error_of<Gpu>(R"({"source": "", "engines": [{"name": "a"}, {"name": "b", "clock_mhz": "fast"}]})") ==
        "x.json: /engines/1/clock_mhz: expected a number > 0, found \"fast\"");
  CHECK(error_of<Flat>(R"({"flag": 1})") == "x.json: /flag: expected true or false, found 1");
  CHECK(error_of<Flat>(R"({"small": []})") == "x.json: /small: expected an integer, found an empty array");
  CHECK(error_of<Flat>(R"({"real": {"a": 1}})") == "x.json: /real: expected a number, found an object");
  CHECK(error_of<Flat>(R"({"text": false})") == "x.json: /text: expected a string, found false");
  CHECK(error_of<Gpu>(R"({"source": "", "engines": {}})") ==
        "x.json: /engines: expected an array, found an empty object");
  CHECK(error_of<Gpu>(R"({"source": "", "rates": [1, 2]})") ==
        "x.json: /rates: expected an object, found an array of 2 elements");
  CHECK(error_of<Gpu>("[]") == "x.json: /: expected an object, found an empty array");
  CHECK(error_of<Gpu>("3") == "x.json: /: expected an object, found 3");
}

TEST_CASE("config reader: null is never a value", "[sim]") {
  for (const char* key : {"flag", "small", "natural", "big", "huge", "real", "text"}) {
    CHECK_THAT(error_of<Flat>("{\"" + std::string(key) + "\": null}"), Catch::EndsWith("found null"));
  }
  for (const char* key : {"order", "shader", "engines", "commands", "idle", "rates", "seed", "display", "$schema"}) {
    CHECK_THAT(error_of<Gpu>("{\"source\": \"\", \"" + std::string(key) + "\": null}"), Catch::EndsWith("found null"));
  }
  CHECK_THAT(error_of<Gpu>("null"), Catch::EndsWith("expected an object, found null"));
}

TEST_CASE("config reader: an unknown key is told with the known ones and the nearest", "[sim]") {
  CHECK(error_of<Gpu>(R"({"source": "", "engines": [{"name": "a"}, {"name": "b", "clok_mhz": 3}]})") ==
        "x.json: /engines/1/clok_mhz: expected one of name, clock_mhz, lanes, offset, enabled, found unknown key "
        "\"clok_mhz\" (did you mean \"clock_mhz\"?)");
  CHECK(error_of<Engine>(R"({"name": "", "temperature": 3})") ==
        "x.json: /temperature: expected one of name, clock_mhz, lanes, offset, enabled, found unknown key "
        "\"temperature\"");
  CHECK_THAT(error_of<Engine>(R"({"Nmae": ""})"), Catch::Contains("did you mean \"name\"?"));
  CHECK_THAT(error_of<Engine>(R"({"name": "", "clock-MHz": 1})"), Catch::Contains("did you mean \"clock_mhz\"?"));
  CHECK_THAT(error_of<Engine>(R"({"name": "", "a/b~c": 1})"), Catch::StartsWith("x.json: /a~1b~0c: expected one of "));
  CHECK(error_of<Side>(R"({"side": "right", "x": 1})") == "x.json: /x: expected side, found unknown key \"x\"");
}

TEST_CASE("config reader: a missing key is told at its object", "[sim]") {
  CHECK(error_of<Gpu>("{}") == "x.json: /: expected the required key \"source\", found no such key");
  CHECK(error_of<Gpu>(R"({"source": "", "engines": [{}]})") ==
        "x.json: /engines/0: expected the required key \"name\", found no such key");
}

TEST_CASE("config reader: a number out of its range is told with the range", "[sim]") {
  CHECK(error_of<Engine>(R"({"name": "", "clock_mhz": -3})") == "x.json: /clock_mhz: expected a number > 0, found -3");
  CHECK(error_of<Engine>(R"({"name": "", "clock_mhz": 0})") == "x.json: /clock_mhz: expected a number > 0, found 0");
  CHECK(error_of<Engine>(R"({"name": "", "lanes": 65})") ==
        "x.json: /lanes: expected an integer from 1 to 64, found 65");
  CHECK(error_of<Gpu>(R"({"source": "", "rates": {"a/b": -0.5}})") ==
        "x.json: /rates/a~1b: expected a number >= 0, found -0.5");
  CHECK(error_of<Gpu>(R"({"source": "", "tiles": [[], [5, 4097]]})") ==
        "x.json: /tiles/1/1: expected an integer <= 4096, found 4097");
  CHECK(error_of<Gpu>(R"({"source": "", "idle": {"type": "draw", "depth": 2}})") ==
        "x.json: /idle/depth: expected a number from 0 to 1, found 2");
}

TEST_CASE("config reader: an integer has to be whole and fit its type", "[sim]") {
  const auto flat = [](const std::string& text) { return read_config<Flat>(parse_json(text, "x.json"), "x.json"); };
  CHECK(flat(R"({"small": 1.0})").small == 1);
  CHECK(flat(R"({"small": 1e3})").small == 1000);
  CHECK(flat(R"({"small": -2147483648})").small == std::numeric_limits<std::int32_t>::min());
  CHECK(flat(R"({"natural": 4294967295})").natural == std::numeric_limits<std::uint32_t>::max());
  CHECK(flat(R"({"natural": -0.0})").natural == 0);
  CHECK(flat(R"({"big": -9223372036854775808})").big == std::numeric_limits<std::int64_t>::min());
  CHECK(flat(R"({"big": -9.223372036854775808e18})").big == std::numeric_limits<std::int64_t>::min());
  CHECK(flat(R"({"huge": 18446744073709551615})").huge == std::numeric_limits<std::uint64_t>::max());
  CHECK(error_of<Flat>(R"({"small": 1.5})") == "x.json: /small: expected an integer, found 1.5");
  CHECK(error_of<Flat>(R"({"small": 2147483648})") ==
        "x.json: /small: expected an integer from -2147483648 to 2147483647, found 2147483648");
  CHECK(error_of<Flat>(R"({"natural": -1})") == "x.json: /natural: expected an integer from 0 to 4294967295, found -1");
  CHECK_THAT(error_of<Flat>(R"({"big": 9223372036854775808})"), Catch::EndsWith("found 9223372036854775808"));
  CHECK_THAT(error_of<Flat>(R"({"huge": 18446744073709551616})"), Catch::Contains("to 18446744073709551615, found"));
  CHECK_THAT(error_of<Flat>(R"({"huge": -1})"), Catch::Contains("expected an integer from 0"));
  CHECK_THAT(error_of<Flat>(R"({"small": 1e300})"), Catch::Contains("expected an integer from"));
  CHECK_THAT(error_of<Flat>(R"({"small": -1e300})"), Catch::Contains("expected an integer from"));
}

TEST_CASE("config reader: an enumerator is one of the names", "[sim]") {
  CHECK(error_of<Gpu>(R"({"source": "", "order": "fair"})") ==
        "x.json: /order: expected one of \"first_come\", \"round_robin\", found \"fair\"");
  CHECK_THAT(error_of<Gpu>(R"({"source": "", "order": 1})"), Catch::EndsWith("found 1"));
}

TEST_CASE("config reader: the tag of a variant selects the alternative", "[sim]") {
  CHECK(error_of<Gpu>(R"({"source": "", "commands": [{"type": "blit"}]})") ==
        "x.json: /commands/0/type: expected one of \"copy\", \"draw\", found \"blit\"");
  CHECK(error_of<Gpu>(R"({"source": "", "commands": [{"bytes": 1}]})") ==
        "x.json: /commands/0: expected the required key \"type\" with one of \"copy\", \"draw\", found no such key");
  CHECK(error_of<Gpu>(R"({"source": "", "commands": [{"type": "copy", "vertices": 1}]})") ==
        "x.json: /commands/0/vertices: expected one of type, bytes, found unknown key \"vertices\"");
  CHECK(error_of<Gpu>(R"({"source": "", "commands": [{"type": "copy"}]})") ==
        "x.json: /commands/0: expected the required key \"bytes\", found no such key");
  const auto side = read_config<Side>(parse_json(R"({"side": "left", "far": true})", "x.json"), "x.json");
  CHECK(std::get<Left>(side).far);
  CHECK(dump_config(side).dump() == R"({"side":"left","far":true})");
}

TEST_CASE("config reader: relations between fields are told at the object, its member or a place below", "[sim]") {
  CHECK(error_of<Span>(R"({"first": 1, "last": 2, "cores": [2, 4]})") == "no error");
  CHECK(error_of<Span>(R"({"first": 3, "last": 2})") == "x.json: /: expected first up to last, found the reverse");
  CHECK(error_of<Span>(R"({"first": 3, "last": 200})") == "x.json: /last: expected at most 100, found 200");
  CHECK(error_of<Span>(R"({"first": 0, "last": 1, "cores": [2, 3]})") ==
        "x.json: /cores/1: expected an even core, found 3");
  CHECK_THAT(error_of<Span>(R"({"first": 3})"), Catch::Contains("\"last\", found no such key"));
  CHECK_THAT(error_of<Span>(R"({"first": 3, "lst": 2})"), Catch::Contains("did you mean \"last\"?"));
}

TEST_CASE("config reader: \"$schema\" is a string at the root of the file and unknown elsewhere", "[sim]") {
  CHECK(error_of<Engine>(R"({"$schema": "s", "name": ""})") == "no error");
  CHECK(error_of<Side>(R"({"$schema": "s", "side": "right"})") == "no error");
  CHECK(error_of<std::map<std::string, double>>(R"({"$schema": "s", "a": 1})") == "no error");
  CHECK(error_of<Engine>(R"({"$schema": 1, "name": ""})") == "x.json: /$schema: expected a string, found 1");
  CHECK_THAT(error_of<Gpu>(R"({"source": "", "shader": {"$schema": "s", "name": ""}})"),
             Catch::Contains("unknown key"));
}

TEST_CASE("config reader: a base pointer stands before every pointer", "[sim]") {
  CHECK(error_of<Engine>("{}", "/gpus/0") == "x.json: /gpus/0: expected the required key \"name\", found no such key");
  CHECK_THAT(error_of<Engine>(R"({"name": 1})", "/gpus/0"), Catch::StartsWith("x.json: /gpus/0/name: "));
  CHECK_THAT(error_of<Engine>(R"({"$schema": "", "name": ""})", "/gpus/0"), Catch::Contains("unknown key"));
}

TEST_CASE("config reader: keys of a map are not empty", "[sim]") {
  CHECK(error_of<Gpu>(R"({"source": "", "rates": {"": 1}})") ==
        "x.json: /rates: expected keys that are not empty, found \"\"");
}

TEST_CASE("config error: the message is one line whatever was found", "[sim]") {
  const ConfigError error("a\nb.json", "/k\r~1", "x", "\x01\x7f\xC2\x85\xE2\x80\xA8\xFF caf\xC3\xA9");
  CHECK(std::string(error.what()) ==
        "a\\nb.json: /k\\r~1: expected x, found \\u0001\\u007f\\u0085\\u2028\\xff caf\xC3\xA9");
  CHECK(error.pointer() == "/k\r~1");
  CHECK(std::string(ConfigError("f", "", "x", "y").what()) == "f: /: expected x, found y");
}

TEST_CASE("config error: a long value is shortened", "[sim]") {
  const std::string message = error_of<Flat>("{\"real\": \"" + std::string(5000, 'x') + "\"}");
  CHECK(message == "x.json: /real: expected a number, found \"" + std::string(60, 'x') + "...\"");
}

TEST_CASE("config dumper: reading a dump gives the same value", "[sim]") {
  const auto gpu = read_config<Gpu>(parse_json(sample::full_text, "x.json"), "x.json");
  const nlohmann::ordered_json dump = dump_config(gpu);
  const std::string text = dump_json(dump);
  CHECK(dump_json(dump_config(read_config<Gpu>(parse_json(text, "x.json"), "x.json"))) == text);
  CHECK(dump_json(dump_config(read_config<Gpu>(dump, "x.json"))) == text);
  const std::string defaults = dump_json(dump_config(Gpu{}));
  CHECK(dump_json(dump_config(read_config<Gpu>(parse_json(defaults, "x.json"), "x.json"))) == defaults);
}

TEST_CASE("config dumper: every field stands in the order of describe, an unset optional is left out", "[sim]") {
  CHECK(dump_config(Engine{"a", 1500, 4, -1, true}).dump() ==
        R"({"name":"a","clock_mhz":1500,"lanes":4,"offset":-1,"enabled":true})");
  CHECK(dump_config(sample::Command(sample::Draw{})).dump() == R"({"type":"draw","vertices":3})");
  CHECK(dump_config(sample::Draw{3, 0.5}).dump() == R"({"vertices":3,"depth":0.5})");
}

TEST_CASE("config dumper: doubles come back with the same bits", "[sim]") {
  std::mt19937_64 random(7);
  std::vector<double> values = {0.0, -0.0, 0.1, 1e22, 9007199254740993.0, -1e15, 5e-324, 1.7976931348623157e308};
  while (values.size() < 2000) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) values.push_back(value);
  }
  const auto back = read_config<std::vector<double>>(parse_json(dump_json(dump_config(values)), "x"), "x");
  REQUIRE(back.size() == values.size());
  CHECK(std::memcmp(back.data(), values.data(), values.size() * sizeof(double)) == 0);
}

TEST_CASE("config dumper: a value that JSON cannot say is a mistake of the program", "[sim]") {
  CHECK_THROWS_AS(dump_config(std::numeric_limits<double>::infinity()), InternalError);
  CHECK_THROWS_AS(dump_config(static_cast<sample::Order>(9)), InternalError);
}
