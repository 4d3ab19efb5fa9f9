// SPDX-License-Identifier: Apache-2.0
#include "shadercache/implicit/creation_cost.hpp"

#include "tests/support/places.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <vector>

namespace fenceline::testing {

TEST_CASE("creation cost: compiling and looking up take what they took between two measured hosts", "[shadercache]") {
  std::ifstream file(source_directory() / "bench/pipeline_creation/h100.json");
  const auto measured = nlohmann::json::parse(file);
  const ImplicitCacheConfig config;
  REQUIRE(measured["rows"].size() >= 6);
  for (const auto& row : measured["rows"]) {
    const double statements = row["statements"];
    INFO(statements << " statements");
    const auto between = [&](const char* key, double us) {
      const auto hosts = row[key].get<std::vector<double>>();
      const auto [least, most] = std::minmax_element(hosts.begin(), hosts.end());
      CHECK(us >= *least);
      CHECK(us <= *most);
    };
    between("compile_us", compile_us(config, statements));
    between("look_up_us", look_up_us(config, statements));
  }
}

}  // namespace fenceline::testing
