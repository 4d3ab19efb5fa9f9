// SPDX-License-Identifier: Apache-2.0
// Every parameter of the schemas is a knob that turns something: table.json names a scenario for each, in which another
// result comes out when the parameter is doubled, or, where that cannot be, set to another value.
#include "sim/json_file.hpp"
#include "tests/api/samples.hpp"
#include "tests/knobs/knob_table.hpp"
#include "tests/sim/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("knobs: each parameter of both schemas has a row in the table or a reason to have none", "[knobs]") {
  const Exemptions without = exemptions();
  std::set<std::string> proven;
  for (const Proof& proof : read_table()) {
    INFO(proof.parameter);
    CHECK(proven.insert(proof.parameter).second);
    CHECK(proof.refused == (without.addresses.count(proof.parameter) > 0));
  }
  std::set<std::string> known;
  for (const std::string& parameter : all_parameters()) {
    INFO(parameter << ": nothing moves when it changes. A scenario of tests/knobs has to show what it does: write one, "
                      "then ./dev knobs; or it has to go from the schema");
    known.insert(parameter);
    CHECK(proven.count(parameter) + (exempt(without, parameter) ? 1 : 0) == 1);
  }
  for (const auto& list : {without.programs, without.files, without.ignored, without.addresses}) {
    for (const auto& [parameter, reason] : list) {
      INFO(parameter);
      CHECK(known.count(parameter) == 1);
      CHECK(!reason.empty());
    }
  }
  for (const std::string& parameter : proven) {
    INFO(parameter);
    CHECK(known.count(parameter) == 1);
  }
  CHECK(known.size() > 300);
}

TEST_CASE("knobs: each row of the table moves its scenario's result", "[knobs]") {
  Prover prover(scenarios());
  for (const Proof& proof : read_table()) {
    INFO(proof.parameter << " in " << proof.scenario << ": " << proof.pointer << " " << proof.from << " -> "
                         << proof.to);
    CHECK(prover.holds(proof));
  }
}

TEST_CASE("knobs: a row whose change moves nothing does not hold", "[knobs]") {
  Prover prover(scenarios());
  Proof proof = read_table().front();
  REQUIRE(prover.holds(proof));
  proof.to = proof.from;
  CHECK_FALSE(prover.holds(proof));
  proof = read_table().front();
  proof.from = "\"another\"";
  CHECK_FALSE(prover.holds(proof));
}

// ./dev knobs
TEST_CASE("knobs: write the table", "[.write]") {
  const Exemptions without = exemptions();
  std::map<std::string, Proof> old;
  for (const Proof& proof : read_table()) old[proof.parameter] = proof;
  Prover prover(scenarios());
  std::vector<Proof> proofs;
  std::string missing;
  const auto holds = [&](const Proof& proof) {
    try {
      return prover.holds(proof);
    } catch (const std::exception& error) {  // a model that fails proves nothing
      fmt::print("{}\n", error.what());
      return false;
    }
  };
  for (const std::string& parameter : all_parameters()) {
    if (exempt(without, parameter)) continue;
    const bool refused = without.addresses.count(parameter) > 0;
    const auto known = old.find(parameter);
    if (known != old.end() && known->second.refused == refused && holds(known->second)) {
      proofs.push_back(known->second);  // what holds stays as it is
      continue;
    }
    if (const auto proof = prover.find(parameter, refused, holds)) {
      proofs.push_back(*proof);
    } else {
      missing += parameter + '\n';
    }
  }
  write_file(source_directory / "tests/knobs/table.json", dump_json(dump_table(proofs)));
  fmt::print("{} parameters proven\n{}", proofs.size(), missing.empty() ? "" : "nothing moves with\n" + missing);
  CHECK(missing.empty());
}
