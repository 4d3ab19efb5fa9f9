// SPDX-License-Identifier: Apache-2.0
// Every parameter of the schemas is a knob that turns something: table.json names a scenario for each, in which another
// result comes out when the parameter is doubled, or, where that cannot be, set to another value.
#include "sim/config/json_file.hpp"
#include "tests/knobs/knob_table.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <regex>
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

TEST_CASE("knobs: every test that a reason to have no row names is there", "[knobs]") {
  const std::string text = contents_of(source_directory() / "tests/knobs/exempt.json");
  const std::regex file_name(R"([\w/]+\.(cpp|hpp|json|cmake)\b)");
  std::filesystem::path directory;
  std::size_t named = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), file_name), end; at != end; ++at, ++named) {
    std::filesystem::path file = at->str();
    // A second one is beside the first.
    if (file.has_parent_path()) directory = file.parent_path();
    if (!file.has_parent_path()) file = directory / file;
    INFO(file.string());
    CHECK(std::filesystem::is_regular_file(source_directory() / file));
  }
  CHECK(named > 3);
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

TEST_CASE("knobs: the shipped workloads reach turns, the floor, and each unit of a GPU", "[knobs]") {
  const std::map<std::string, std::vector<std::string>> changes = {
      {"four_bands",
       {"/scheduler/bands/idle/quantum_us=5000", "/scheduler/bands/idle/process_quantum_us=5000",
        "/scheduler/bands/idle/process_grace_us=3000", "/scheduler/bands/normal/quantum_us=5000",
        "/scheduler/bands/normal/process_quantum_us=5000", "/scheduler/bands/normal/process_grace_us=3000",
        "/scheduler/bands/focus/quantum_us=5000", "/scheduler/bands/realtime/quantum_us=5000",
        "/scheduler/bands/realtime/process_quantum_us=5000", "/scheduler/bands/realtime/process_grace_us=3000",
        "/scheduler/target_normal_band_percentage=20"}},
      {"every_unit",
       {"/shader_array/sfu_lanes=32", "/shader_array/shared_lanes=64", "/engines/0/rop_pixels_per_clock=44",
        "/shader_array/texture_samples_per_clock=2", "/memory/l2_hit_bytes=30000000", "/memory/l2/gb_per_s=8000",
        "/memory/l2_latency_ns=400", "/memory/device_copy_gb_per_s=1600", "/memory/device_copy_setup_ns=5000"}}};
  for (const auto& [workload, sets] : changes) {
    const Scenario shipped{workload, "configs/workloads/" + workload + ".json", {}};
    const std::string result = result_of(load(shipped));
    for (const std::string& set : sets) {
      INFO(workload << " " << set);
      CHECK(result_of(load(shipped, {set})) != result);
    }
  }
  // Hardware scheduling saves what interrupts take.
  const Scenario interrupts{"", "configs/workloads/four_bands.json", {"/scheduler/isr_us=2", "/scheduler/dpc_us=3"}};
  CHECK(result_of(load(interrupts, {"/scheduler/hardware_scheduling=true"})) != result_of(load(interrupts)));
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
  write_file(source_directory() / "tests/knobs/table.json", dump_json(dump_table(proofs)));
  fmt::print("{} parameters proven\n{}", proofs.size(), missing.empty() ? "" : "nothing moves with\n" + missing);
  CHECK(missing.empty());
}
