// SPDX-License-Identifier: Apache-2.0
#include "sim/assert.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/sample_config.hpp"

#include <catch2/catch.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <cmath>
#include <random>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;
using nlohmann::ordered_json;
using sample::Gpu;

namespace {

/// valijson takes 1.0 for no integer, though draft 7 says it is one.
json with_plain_integers(json document) {
  if (document.is_structured()) {
    for (json& inner : document) inner = with_plain_integers(inner);
  } else if (document.is_number_float()) {
    const double value = document.get<double>();
    if (value == std::trunc(value) && std::abs(value) < 9e18) return static_cast<std::int64_t>(value);
  }
  return document;
}

/// A validator for the schema of T.
template <class T>
class Checker {
 public:
  Checker() {
    const json text = schema_of<T>("test");
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema_);
  }
  bool accepts(const json& document) const {
    const json plain = with_plain_integers(document);
    valijson::Validator validator;
    return validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(plain), nullptr);
  }

 private:
  valijson::Schema schema_;
};

template <class T>
bool reader_accepts(const json& document) {
  try {
    read_config<T>(document, "x.json");
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

/// Every place of a document, as pointers.
void places(const json& document, const json::json_pointer& at, std::vector<json::json_pointer>& out) {
  out.push_back(at);
  if (document.is_object()) {
    for (const auto& [key, inner] : document.items()) places(inner, at / key, out);
  } else if (document.is_array()) {
    for (std::size_t i = 0; i < document.size(); ++i) places(document[i], at / i, out);
  }
}

struct Edges {
  std::uint32_t natural = 1;
  std::int32_t small = 0;
  std::uint64_t huge = 0;
  std::int64_t big = 0;
  double above = 1;
  double inside = 1;
};
void describe(Fields& f, Edges& e) {
  f.optional("natural", e.natural, "", positive);
  f.optional("small", e.small, "");
  f.optional("huge", e.huge, "");
  f.optional("big", e.big, "", at_least(-5));
  f.optional("above", e.above, "", greater_than(0.5));
  f.optional("inside", e.inside, "", between(-1.5, 1.5));
}

struct Twice {
  double a = 0;
};
void describe(Fields& f, Twice& t) {
  f.optional("a", t.a, "");
  f.optional("a", t.a, "");
}
struct BadDefault {
  double a = 0;
};
void describe(Fields& f, BadDefault& b) { f.optional("a", b.a, "", positive); }
struct SetOptional {
  std::optional<double> a = 1;
};
void describe(Fields& f, SetOptional& s) { f.optional("a", s.a, ""); }

}  // namespace

TEST_CASE("schema: it says what the fields say", "[sim]") {
  CHECK(schema_of<sample::Engine>("An engine").dump() ==
        R"({"$schema":"http://json-schema.org/draft-07/schema#",)"
        R"("title":"An engine","description":"A hardware node.","type":"object","properties":{)"
        R"("$schema":{"description":"where the JSON Schema of this file is, for editors","type":"string"},)"
        R"("name":{"description":"name in traces","type":"string"},)"
        R"("clock_mhz":{"description":"core clock of the node","type":"number","exclusiveMinimum":0,"default":1500},)"
        R"("lanes":{"description":"bytes a cycle","type":"integer","minimum":1,"maximum":64,"default":4},)"
        R"("offset":{"description":"any whole number","type":"integer","minimum":-9.223372036854776e+18,)"
        R"("maximum":9.223372036854776e+18,"default":-1},)"
        R"("enabled":{"description":"takes packets","type":"boolean","default":true}},)"
        R"("required":["name"],"additionalProperties":false})");
}

TEST_CASE("schema: nested structs are definitions, alternatives have a constant tag", "[sim]") {
  const ordered_json schema = schema_of<Gpu>("A GPU");
  CHECK(schema["properties"]["order"]["enum"] == ordered_json({"first_come", "round_robin"}));
  CHECK(schema["properties"]["shader"]["allOf"][0]["$ref"] == "#/definitions/Engine");
  CHECK(schema["properties"]["shader"]["default"]["clock_mhz"] == 1800);
  CHECK(schema["properties"]["engines"]["items"]["$ref"] == "#/definitions/Engine");
  CHECK(schema["properties"]["idle"]["oneOf"][0]["$ref"] == "#/definitions/Copy");
  CHECK(schema["definitions"]["Copy"]["properties"]["type"]["const"] == "copy");
  CHECK(schema["definitions"]["Group"]["properties"]["children"]["items"]["$ref"] == "#/definitions/Group");
  CHECK_FALSE(schema["properties"]["seed"].contains("default"));
  CHECK(dump_json(schema_of<Gpu>("A GPU")) == dump_json(schema));
}

TEST_CASE("schema: a description that contradicts itself is a mistake of the program", "[sim]") {
  CHECK_THROWS_WITH(schema_of<Twice>(""), "the config key \"a\" is described twice");
  CHECK_THROWS_WITH(schema_of<BadDefault>(""), "the config key \"a\" has a default that is not a number > 0");
  CHECK_THROWS_AS(schema_of<SetOptional>(""), InternalError);
}

TEST_CASE("schema: it accepts every dump", "[sim]") {
  const Checker<Gpu> gpu;
  CHECK(gpu.accepts(dump_config(Gpu{})));
  const json full = parse_json(sample::full_text, "x.json");
  CHECK(gpu.accepts(full));
  CHECK(gpu.accepts(dump_config(read_config<Gpu>(full, "x.json"))));
  CHECK(Checker<sample::Command>().accepts(dump_config(sample::Command(sample::Draw{3, 0.5}))));
  CHECK(Checker<std::map<std::string, double>>().accepts(json{{"a", 1}, {"$schema", "s"}}));
}

TEST_CASE("schema: schema and reader agree at the edges of numbers", "[sim]") {
  const Checker<Edges> checker;
  // No integers above 2^63: valijson reads them as negative.
  const json numbers = {0,
                        1,
                        -1,
                        -5,
                        -6,
                        0.5,
                        0.50001,
                        1.5,
                        1.51,
                        -1.5,
                        -1.6,
                        1e3,
                        1e300,
                        -1e300,
                        4294967295,
                        4294967296,
                        1.0,
                        -0.0,
                        2147483647,
                        2147483648,
                        -2147483648,
                        -2147483649,
                        9223372036854775807,

                        1.9e19};
  const ordered_json defaults = dump_config(Edges{});
  for (const auto& [key, value] : defaults.items()) {
    for (const json& number : numbers) {
      const json document = {{key, number}};
      INFO(document.dump());
      CHECK(checker.accepts(document) == reader_accepts<Edges>(document));
    }
  }
}

TEST_CASE("schema: schema and reader agree on mutated documents", "[sim]") {
  const Checker<Gpu> checker;
  const json full = parse_json(sample::full_text, "x.json");
  const json values = {nullptr,
                       true,
                       0,
                       1,
                       -1,
                       2.5,
                       65,
                       5000,
                       "",
                       "draw",
                       "copy",
                       "name",
                       json::array(),
                       json::object(),
                       {1, 2},
                       {{"type", "draw"}},
                       {{"name", "x"}},
                       {{"type", "copy"}, {"bytes", 2}},
                       {{"priority", 1}}};
  const std::vector<std::string> keys = {"name", "type", "bytes", "vertices", "$schema", "clok_mhz", "priority", ""};
  std::mt19937_64 random(2024);
  const auto pick = [&](std::size_t size) { return static_cast<std::size_t>(random() % size); };
  std::size_t accepted = 0;
  constexpr std::size_t rounds = 800;
  for (std::size_t round = 0; round < rounds; ++round) {
    json document = full;
    for (std::size_t times = 1 + pick(2); times > 0; --times) {
      std::vector<json::json_pointer> all;
      places(document, json::json_pointer(), all);
      const json::json_pointer at = all[pick(all.size())];
      json& place = document[at];
      switch (pick(4)) {
        case 0: place = values[pick(values.size())]; break;
        case 1: place = json(document[all[pick(all.size())]]); break;
        case 2:
          if (place.is_object()) place[keys[pick(keys.size())]] = values[pick(values.size())];
          if (place.is_array()) place.push_back(values[pick(values.size())]);
          break;
        default:
          if (place.is_structured() && !place.empty()) {
            place.erase(std::next(place.begin(), static_cast<std::ptrdiff_t>(pick(place.size()))));
          }
      }
    }
    INFO(document.dump());
    const bool by_reader = reader_accepts<Gpu>(document);
    accepted += by_reader;
    CHECK(checker.accepts(document) == by_reader);
  }
  // Neither side is trivial.
  CHECK(accepted > rounds / 10);
  CHECK(accepted < rounds * 9 / 10);
}
