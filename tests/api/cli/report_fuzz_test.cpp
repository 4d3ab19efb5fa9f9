// SPDX-License-Identifier: Apache-2.0
// Reports of runs come from anyone: whatever is in them, they are played and compared, or refused.
#include "api/compare/run_difference.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "tests/support/mutator.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// The report of a run of the small workload, with all that a report may say of it.
std::string small_report(const TemporaryDirectory& directory) {
  write_file(directory / "small.json", small_workload_text);
  RunOptions options;
  options.passes = 2;
  RunResult result;
  nlohmann::ordered_json report;
  run_workload(load_workload(directory / "small.json", "tiny", {}), options, result, &report);
  return dump_json(report);
}

/// False: it is refused, with lines of the form.
template <class Read>
bool is_taken(const std::string& file, Read&& read) {
  try {
    read();
    return true;
  } catch (const ConfigError& error) {
    for (const ConfigError& one : error.each()) {
      const std::string message = one.what();
      const auto is_of = [&](const char* part) { return has_the_form(message, file + part); };
      if (!is_of("") && !is_of(", workload") && !is_of(", machine")) FAIL("not one line of the form: " << message);
    }
    return false;
  }
}

}  // namespace

TEST_CASE("report fuzz: any bytes are a run to play and compare or a config error", "[fuzz]") {
  const TemporaryDirectory directory;
  const std::string report = small_report(directory);
  const std::string sound = (directory / "report.json").string();
  const std::string file = (directory / "mutated.json").string();
  write_file(sound, report);
  REQUIRE(is_taken(sound, [&] { load_workload(sound, "", {}); }));
  Mutator mutator(5);
  std::size_t played = 0;
  std::size_t compared = 0;
  constexpr std::size_t rounds = 1500;
  for (std::size_t round = 0; round < rounds; ++round) {
    write_file(file, mutator.mutated(report));
    played += is_taken(file, [&] { load_workload(file, "", {}); }) ? 1 : 0;
    compared += is_taken(file,
                         [&] {
                           const RunDifference difference = difference_of(sound, file);
                           const std::string text = text_of(difference, 20);
                           const std::string json = dump_json(json_of(difference));
                           if (text.find("\nverdict      ") == std::string::npos || json.empty())
                             FAIL("no verdict: " << text);
                           if (std::count(text.begin(), text.end(), '\n') > 5 * 23 + 5) FAIL("too long: " << text);
                         })
                    ? 1
                    : 0;
  }
  // The mutations get past the readers, and these stop some.
  CHECK(played > rounds / 100);
  CHECK(compared >= played);
  CHECK(compared < rounds);
}
