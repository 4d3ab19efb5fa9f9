// SPDX-License-Identifier: Apache-2.0
#include "sim/config.hpp"
#include "sim/json_file.hpp"
#include "tests/sim/sample_config.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace fenceline;

namespace {

/// Makes texts that are nearly documents. The same seed makes the same texts.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (std::size_t times = 1 + pick(4); times > 0; --times) mutate(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_() % size); }

  void mutate(std::string& text) {
    static const std::vector<std::string> tokens = {"{",
                                                    "}",
                                                    "[",
                                                    "]",
                                                    ",",
                                                    ":",
                                                    "\"",
                                                    "\\",
                                                    "null",
                                                    "true",
                                                    "-",
                                                    "0",
                                                    "1e999",
                                                    "-1",
                                                    "1.5",
                                                    "\"\"",
                                                    "{}",
                                                    "[]",
                                                    "\\u0000",
                                                    "\\ud800",
                                                    "//",
                                                    "/*",
                                                    "\n",
                                                    "\t",
                                                    "\xEF\xBB\xBF",
                                                    "\xFF",
                                                    "\xC3",
                                                    "18446744073709551616",
                                                    "1e300",
                                                    "\"type\":\"draw\",",
                                                    "\"name\":\"x\",",
                                                    "\"\":0,",
                                                    std::string(1, '\0'),
                                                    std::string(70, '[')};
    const std::size_t at = pick(text.size() + 1);
    const std::size_t length = pick(12);
    switch (pick(6)) {
      case 0: text.insert(at, tokens[pick(tokens.size())]); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(pick(text.size() + 1), 4 * length)); break;
      case 3: text.replace(at, length, tokens[pick(tokens.size())]); break;
      case 4: text.resize(at); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(pick(256));
    }
  }

  std::mt19937_64 random_;
};

/// `file: /pointer: expected ..., found ...` on one line of printable text.
bool has_the_form(const std::string& message) {
  const std::size_t expected = message.find(": expected ");
  if (message.rfind("x.json: /", 0) != 0 || expected == std::string::npos) return false;
  if (message.find(", found ", expected) == std::string::npos) return false;
  for (const char c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  }
  return true;
}

}  // namespace

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
      if (!has_the_form(error.what())) FAIL("not one line of the form: " << error.what());
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
