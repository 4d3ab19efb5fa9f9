// SPDX-License-Identifier: Apache-2.0
// What the model has achieved is its limit. After a change that moves the errors:
//   FENCELINE_WRITE_ACHIEVED=1 build/release/bin/api_tests "validation: no kind*"
// writes achieved_errors.json and those of the H100 and GV100 anew; their difference says what became better and what
// worse. "validation: docs/model.md*" then writes the table there.
#include "api/validation/validation.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/sanitized.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
namespace fs = std::filesystem;

namespace {

const fs::path tests_directory = source_directory() / "tests/api";

/// Up to the next tenth of a percent, so that rounding in another build does not matter.
double rounded_up(double error_pct) { return std::ceil(error_pct * 10 + 1e-6) / 10; }

nlohmann::ordered_json achieved_by(const Validation& validation) {
  nlohmann::ordered_json achieved;
  for (const ValidatedKind& kind : validation.kinds) {
    const ErrorSummary errors = kind.errors();
    achieved[fs::path(kind.file).filename().string()][kind.kind->name()] = {
        {"mean_abs_error_pct", rounded_up(errors.mean)},
        {"p90_abs_error_pct", rounded_up(errors.p90)},
        {"mean_op_error_pct", rounded_up(kind.operations().mean)}};
  }
  return achieved;
}

/// What the machine makes of a directory of bench/hardware, against what it made of it before.
void hold(const char* directory, const char* machine, const fs::path& achieved_file) {
  if (sanitized) {
    SUCCEED("a command of README.md plays them, too");
    return;
  }
  const Validation validation = validate(source_directory() / "bench/hardware" / directory, builtin_machine(machine));
  const nlohmann::ordered_json achieved = achieved_by(validation);
  if (std::getenv("FENCELINE_WRITE_ACHIEVED") != nullptr) {
    std::ofstream(achieved_file) << dump_json(achieved);
    WARN("wrote " << achieved_file.string());
    return;
  }
  const nlohmann::json limits = load_json(achieved_file);
  CHECK(limits.size() == achieved.size());
  for (const auto& [file, kinds] : achieved.items()) {
    REQUIRE(limits.contains(file));
    CHECK(limits[file].size() == kinds.size());
    for (const auto& [kind, errors] : kinds.items()) {
      REQUIRE(limits[file].contains(kind));
      for (const auto& [figure, error_pct] : errors.items()) {
        INFO(machine << ", " << file << ", " << kind << ", " << figure);
        CHECK(error_pct.get<double>() <= limits[file][kind][figure].get<double>());
      }
    }
  }
}

}  // namespace

TEST_CASE("validation: no kind of measured rows gets worse than it was", "[api][validation]") {
  hold("h200", "h200", tests_directory / "achieved_errors.json");
}

TEST_CASE(
    "validation: no kind of rows of an H100 gets worse than it was, from public numbers and with launches measured",
    "[api][validation]") {
  hold("h100", "h100", tests_directory / "achieved_errors_h100.json");
  hold("h100", "h100_measured", tests_directory / "achieved_errors_h100_measured.json");
}

TEST_CASE("validation: no kind of rows of a Quadro GV100 gets worse than it was", "[api][validation]") {
  hold("gv100", "quadro_gv100", tests_directory / "achieved_errors_gv100.json");
}

TEST_CASE("validation: no pair of PyTorch jobs on an H100 gets worse than it was", "[api][validation]") {
  hold("h100_torch", "h100_measured", tests_directory / "achieved_errors_h100_torch.json");
}
