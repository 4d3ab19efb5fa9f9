// SPDX-License-Identifier: Apache-2.0
// docs/model.md tells for each mechanism what it achieves on the rows that support it. With FENCELINE_WRITE_ACHIEVED
// the table is written anew from the files of achieved errors.
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

const std::filesystem::path model = source_directory() / "docs/model.md";
const char* const first_line = "## What each mechanism is held against";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// What stands between backticks, one after the other.
std::vector<std::string> names_in(const std::string& cell) {
  std::vector<std::string> names;
  const std::vector<std::string> parts = split(cell, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2) names.push_back(parts[i]);
  return names;
}

std::string figures(const json& achieved, const std::string& file, const std::string& kind) {
  if (!achieved.contains(file) || !achieved[file].contains(kind)) return "-";
  const json& errors = achieved[file][kind];
  return fmt::format("{:.1f} / {:.1f}", errors["mean_abs_error_pct"].get<double>(),
                     errors["p90_abs_error_pct"].get<double>());
}

/// A line of the table: a mechanism, a file and a kind of rows in it, and a figure for each machine.
bool tells_figures(const std::string& line) {
  return line.rfind("| [", 0) == 0 && line.find(" | `") != std::string::npos;
}

}  // namespace

TEST_CASE("validation: docs/model.md tells what each mechanism achieves", "[api][validation]") {
  std::vector<json> achieved;
  for (const char* name : {"achieved_errors.json", "achieved_errors_h100.json", "achieved_errors_gv100.json"}) {
    achieved.push_back(load_json(source_directory() / "tests/api" / name));
  }
  std::string told;
  std::string expected;
  std::size_t rows = 0;
  bool inside = false;
  std::string whole;
  for (const std::string& line : split(contents_of(model), '\n')) {
    if (line.rfind("## ", 0) == 0) inside = line == first_line;
    std::string written = line;
    if (inside && tells_figures(line)) {
      ++rows;
      const std::vector<std::string> cells = split(line, '|');
      REQUIRE(cells.size() == 6);
      const std::vector<std::string> names = names_in(cells[2]);
      REQUIRE(names.size() == 2);
      written = fmt::format("|{}|{}|", cells[1], cells[2]);
      bool any = false;
      for (const json& one : achieved) {
        const std::string figure = figures(one, names[0], names[1]);
        any = any || figure != "-";
        written += fmt::format(" {} |", figure);
      }
      INFO(line);
      CHECK(any);  // else there are no such rows
      told += line + '\n';
      expected += written + '\n';
    }
    whole += written + '\n';
  }
  CHECK(rows > 40);
  if (std::getenv("FENCELINE_WRITE_ACHIEVED") != nullptr) {
    std::ofstream(model) << whole;
    WARN("wrote " << model.string());
    return;
  }
  CHECK(told == expected);
}

TEST_CASE("validation: docs/model.md names in its table every mechanism that it describes", "[api][validation]") {
  std::set<std::string> told;
  std::set<std::string> described;
  bool inside = false;
  for (const std::string& line : split(contents_of(model), '\n')) {
    if (line.rfind("## ", 0) == 0) inside = line == first_line;
    if (inside && line.rfind("| [", 0) == 0) told.insert(line.substr(3, line.find("](") - 3));
    if (line.rfind("### ", 0) == 0) described.insert(line.substr(4));
  }
  CHECK(described.size() > 40);
  for (const std::string& mechanism : described) {
    INFO(mechanism);
    CHECK(told.count(mechanism) == 1);
  }
}
