// SPDX-License-Identifier: Apache-2.0
// Rows with several outcomes: what modes are, and how they are played and held.
#include "api/validation/play/time_modes.hpp"

#include "api/validation/play/case_player.hpp"
#include "api/validation/validation.hpp"
#include "tests/api/validation/measured_rows.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// A dispatch of one group on a machine whose launches take longer at random, measured as `runs_us`.
json loops_document(const json& runs_us) {
  json row = {{"groups_of_256", 132}, {"loops", 256}};
  row["quantiles_us"] = runs_us;
  return {{"quantiles", {0, 0.5, 1}}, {"compute_loops_us", json::array({row})}};
}

Validation validated(const json& document, const MachineConfig& machine) {
  const Shell shell;
  shell.write("m.json", document.dump());
  return validate(shell.work() / "m.json", machine);
}

}  // namespace

TEST_CASE("time modes: a gap of a fiftieth and a microsecond parts two modes", "[api][validation]") {
  const auto count = [](const std::vector<double>& times) { return modes_of(alike(times), 0.01).size(); };
  CHECK(count({100, 101.9}) == 1);
  CHECK(count({100, 102.1}) == 2);
  CHECK(count({10, 10.9}) == 1);  // a twelfth, but less than a microsecond
  CHECK(count({10, 11.1}) == 2);
  CHECK(count({1000, 1010, 1029, 1049}) == 1);  // neighbours count, not the ends
  CHECK(count({1049, 1000, 1029, 1010}) == 1);  // in any order
  CHECK(count({}) == 0);
}

TEST_CASE("time modes: a mode is its middle sample and the share of its samples", "[api][validation]") {
  const std::vector<OutcomeMode> modes = modes_of(alike({500, 100, 101, 102, 501, 503, 504, 900}), 0.2);
  REQUIRE(modes.size() == 2);  // the single 900 is none
  CHECK(modes[0].us == 101);
  CHECK(modes[0].share == Approx(3.0 / 8));
  CHECK(modes[1].us == 501);
  CHECK(modes[1].share == Approx(4.0 / 8));
  CHECK(nearest_mode(modes, 0) == 0);
  CHECK(nearest_mode(modes, 300) == 0);
  CHECK(nearest_mode(modes, 302) == 1);
}

TEST_CASE("time modes: a quantile stands for samples up to half of the way to its neighbours", "[api][validation]") {
  const std::vector<WeightedTime> times = of_quantiles({0, 0.5, 0.9}, {{1, 2, 3}, {4, 5, 6}});
  REQUIRE(times.size() == 6);
  const std::vector<double> shares = {0.25, 0.45, 0.30};
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(times[i].us == static_cast<double>(i + 1));
    CHECK(times[i].share == Approx(shares[i % 3] / 2));
    sum += times[i].share;
  }
  CHECK(sum == Approx(1));
}

TEST_CASE("validation: a row with two outcomes is a case for each, with its share", "[api][validation]") {
  // Runs of 10, 10, 50 and 10, 50, 50: each quantile stands for a quarter, a half, a quarter.
  const Plan cases = plan_of("compute_loops_us, modes", loops_document(json::parse("[[10, 10, 50], [10, 50, 50]]")));
  REQUIRE(cases.size() == 2);
  CHECK(cases[0].name == "132 groups, 256 loops, mode 1 of 2");
  CHECK(cases[0].measured_us == 10);
  CHECK(cases[1].measured_us == 50);
  CHECK(cases[0].modes[0].share == Approx(0.5));
  CHECK(cases[0].modes[1].share == Approx(0.5));
  CHECK(cases[0].limit_pct == 5);
  CHECK(cases[0].samples == cases[1].samples);  // played once for both
  CHECK(cases[0].samples->seeds == 100);
  CHECK(plan_of("compute_loops_us", loops_document(json::parse("[[10, 10, 50]]"))).empty());
}

TEST_CASE("validation: modes are held by their time and their share", "[api][validation]") {
  const MachineConfig machine = builtin_machine("h200");
  const double us = validated(loops_document(json::parse("[[3, 3, 3]]")), machine).kinds.at(0).cases.at(0).simulated_us;
  REQUIRE(us > 2);  // the dispatch itself
  const auto cases_of = [&](const json& runs_us) {
    return validated(loops_document(runs_us), machine).kinds.at(0).cases;
  };
  // What is played, and nothing else, was measured: a hit.
  const auto same = cases_of(json::array({json::array({us, us, us})}));
  REQUIRE(same.size() == 1);
  CHECK(same[0].error_pct() == Approx(0).margin(1e-9));
  CHECK(same[0].shares->measured_pct == Approx(100));
  CHECK(same[0].shares->simulated_pct == Approx(100).margin(5));
  CHECK(same[0].within_limit());
  // 6 % off, a miss; so is a share of a half where the model always has it. Two modes near the same one are one.
  CHECK_FALSE(cases_of(json::array({json::array({us * 1.06, us * 1.06, us * 1.06})}))[0].within_limit());
  const auto rare = cases_of(json::array({json::array({us, us, us * 20}), json::array({us, us * 20, us * 20})}));
  REQUIRE(rare.size() == 2);
  for (const ValidationCase& one : rare) {
    CHECK(one.simulated_us == us);
    CHECK(one.shares->measured_pct == Approx(100));
  }
  CHECK(rare[0].within_limit());
  CHECK_FALSE(rare[1].within_limit());
  // The share alone: a quarter of the runs showed something else that the model has no seed for.
  ValidationCase one;
  one.measured_us = one.simulated_us = 5;
  one.limit_pct = 5;
  one.shares = OutcomeShares{40, 64.9};
  CHECK(one.within_limit());
  one.shares = OutcomeShares{40, 65.1};
  CHECK_FALSE(one.within_limit());
  one.shares = OutcomeShares{40, 14.9};
  CHECK_FALSE(one.within_limit());
}

TEST_CASE("validation: seeded plays scatter with the machine's jitter and repeat to the byte", "[api][validation]") {
  const json document = loops_document(json::parse("[[3, 3, 3]]"));
  MachineConfig scattering = builtin_machine("h200");
  scattering.submission_paths.at("vulkan_queue").launch_jitter_ns = 200'000;
  const ValidationCase still = validated(document, builtin_machine("h200")).kinds.at(0).cases.at(0);
  const ValidationCase moved = validated(document, scattering).kinds.at(0).cases.at(0);
  CHECK(still.shares->simulated_pct > 95);
  CHECK(moved.shares->simulated_pct < 60);
  const json again = json::parse(json_of(validated(document, scattering)).dump());
  const ValidationCase repeated = validated(document, scattering).kinds.at(0).cases.at(0);
  CHECK(repeated.simulated_us == moved.simulated_us);
  CHECK(again["cases"][0]["simulated_us"] == moved.simulated_us);
  CHECK(again["cases"][0]["simulated_share_pct"] == moved.shares->simulated_pct);
}

TEST_CASE("fenceline validate: prints the shares of modes and marks rows that others replace", "[cli][validation]") {
  const Shell shell;
  json document = loops_document(json::parse("[[3.2, 3.2, 3.2]]"));
  document["compute_loops_us"].push_back(
      {{"groups_of_256", 132}, {"loops", 256}, {"us", 9.0}, {"replaced_by", "other.json"}});
  shell.write("m.json", document.dump());
  const Output table = shell.fenceline({"validate", "m.json"});
  INFO(table.out << table.err);
  REQUIRE(table.code == 0);
  CHECK_THAT(table.out, Contains("m, compute_loops_us, modes\n") && Contains("; share 100 %, simulated ") &&
                            Contains(" %, <= 25 points") && Contains("132 groups, 256 loops (replaced by other.json)"));
  const json printed = parse_json(shell.fenceline({"validate", "m.json", "--json"}).out, "validate");
  REQUIRE(printed["cases"].size() == 2);
  CHECK(printed["cases"][0]["kind"] == "compute_loops_us");
  CHECK_FALSE(printed["cases"][0].contains("pass"));  // shown, not judged
  CHECK(printed["cases"][1]["kind"] == "compute_loops_us, modes");
  CHECK(printed["cases"][1]["measured_share_pct"].get<double>() == Approx(100));
  CHECK(printed["cases"][1]["share_limit_points"] == 25);
  CHECK(printed["kinds"][0]["mean_abs_error_pct"] == 0);
  CHECK(printed["kinds"][0]["pass"] == true);
}
