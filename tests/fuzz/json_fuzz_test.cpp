// SPDX-License-Identifier: Apache-2.0
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/mutator.hpp"
#include "tests/support/sample_config.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("json fuzz: any bytes are a config or a config error", "[sim][fuzz]") {
  Mutator mutator(20240229);
  const std::string defaults = dump_json(dump_config(sample::Gpu{}));
  std::size_t parsed = 0;
  std::size_t read = 0;
  constexpr std::size_t rounds = 20000;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::string text = mutator.mutated(round % 2 == 0 ? sample::full_text : defaults);
    try {
      const nlohmann::json document = parse_json(text, "x.json");
      ++parsed;
      const auto gpu = read_config<sample::Gpu>(document, "x.json");
      ++read;
      const nlohmann::ordered_json dump = dump_config(gpu);
      if (dump_config(read_config<sample::Gpu>(dump, "x.json")) != dump) FAIL("a dump reads back as something else");
    } catch (const ConfigError& error) {
      for (const ConfigError& one : error.each()) {
        if (!has_the_form(one.what())) FAIL("not one line of the form: " << one.what());
      }
    }
  }
  // The mutations reach past the parser and past the reader.
  CHECK(parsed > rounds / 50);
  CHECK(read > rounds / 100);
  CHECK(read < parsed);
}

TEST_CASE("json fuzz: any text is an override or a config error", "[sim][fuzz]") {
  Mutator mutator(7);
  const nlohmann::json document = parse_json(sample::full_text, "x.json");
  for (std::size_t round = 0; round < 1500; ++round) {
    const std::string set = mutator.mutated("/engines/1/clock_mhz=1800");
    try {
      read_with_overrides<sample::Gpu>(document, "x.json", {set});
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      if (message.rfind("--set: /", 0) != 0) FAIL("an error of an override names another file: " << message);
    }
  }
}
