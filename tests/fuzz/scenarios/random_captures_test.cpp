// SPDX-License-Identifier: Apache-2.0
// Random documents as captures, whole, cut and damaged.
#include "api/capture/file/read_capture.hpp"
#include "sim/config_error.hpp"
#include "tests/fuzz/random_scenario.hpp"
#include "tests/support/byte_mutator.hpp"
#include "tests/support/capture_bytes.hpp"
#include "tests/support/mutator.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

TEST_CASE("captures: random scenarios come back as they were, are cut with a word, and damage is told", "[fuzz]") {
  std::mt19937_64 random(20);
  for (std::uint64_t n = 0; n < 200; ++n) {
    INFO("scenario " << n);
    const json document = json_of(random_scenario(n));
    const std::string whole = packed_capture(document);
    const Capture capture = read_capture(whole, "x.json");
    REQUIRE(capture.workload == document);
    REQUIRE(capture.facts.cut_off.empty());
    const auto first = boundaries_of(whole)[1];
    for (int i = 0; i < 20; ++i) {
      const std::size_t length = first + random() % (whole.size() - first);
      REQUIRE(!read_capture(whole.substr(0, length), "x.json").facts.cut_off.empty());
      const std::string damaged = mutated_bytes(whole, random);
      try {
        const Capture other = read_capture(damaged, "x.json");
        REQUIRE((damaged == whole || !other.facts.cut_off.empty()));
      } catch (const ConfigError& error) {
        REQUIRE(has_the_form(error.what()));
      }
    }
  }
}
