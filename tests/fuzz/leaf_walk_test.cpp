// SPDX-License-Identifier: Apache-2.0
// Every leaf of every shipped file with bad values in its place, through the command. Leaves that differ in the numbers
// of lists alone are of one kind. Of each file a sample is played: FENCELINE_WALK=n sets how many damaged documents of
// each file that is, FENCELINE_WALK=kinds plays each damage on a leaf of each kind (minutes), FENCELINE_WALK=all on
// each leaf (hours).
#include "tests/fuzz/leaf_walk.hpp"

#include "api/workload/load/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/fuzz/confined.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string wished_walk() {
  const char* const text = std::getenv("FENCELINE_WALK");
  return text != nullptr ? text : "";
}

/// How many damaged documents of a file are played.
std::size_t sample_size(std::size_t usual) {
  const std::string wish = wished_walk();
  if (wish.empty()) return usual;
  if (wish == "all" || wish == "kinds") return std::numeric_limits<std::size_t>::max();
  return std::stoul(wish);
}

/// So many different numbers below `size`, ascending; all of them where it is not more.
std::vector<std::size_t> sample(std::size_t size, std::size_t count) {
  std::vector<std::size_t> all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = i;
  if (count >= size) return all;
  std::mt19937_64 random(size);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random() % (size - i)]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<fs::path> files_below(const fs::path& directory, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool one_line_of_print(const std::string& line) {
  return !line.empty() && std::none_of(line.begin(), line.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// What is wrong with how the command ended, in its words; empty: nothing.
std::string complaint(const Ended& ended) {
  if (ended.signal != 0) return fmt::format("signal {}", ended.signal);
  if (ended.rss_kib > 1 << 20) return fmt::format("{} KiB of memory", ended.rss_kib);
  if (ended.code < 0 || ended.code > 2) return fmt::format("exit code {}", ended.code);
  if (ended.code == 0) return ended.err.empty() ? "" : "it said something on standard error";
  std::istringstream stream(ended.err);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  if (lines.empty()) return "nobody says why";
  if (!std::all_of(lines.begin(), lines.end(), one_line_of_print)) return "it is not lines of text";
  if (ended.code == 1) {
    // A deadlock tells who waits, a line each; all else is one line.
    const bool deadlock = lines.front().rfind("deadlock: ", 0) == 0;
    return deadlock || lines.size() == 1 ? "" : "more than one line";
  }
  const std::string& line = lines.front();
  const std::size_t expected = line.find(": expected ");
  if (lines.size() != 1) return "more than one line";
  if (expected == std::string::npos || line.find(", found ", expected) == std::string::npos) {
    return "it does not say what was expected and found";
  }
  return line.find(": /") < expected ? "" : "it has no pointer";
}

using Arguments = std::vector<std::string>;

/// With all that a run may tell, up to a size at which a file is long: more of it is more of the same.
Arguments run(const std::string& workload) {
  return {"run", workload, "--trace", "--out", "out", "--output-limit-mib", "64"};
}

/// Plays a sample of the damaged documents of a file; `reduce` may make a document smaller that is damaged at a leaf.
void walk(const fs::path& file, std::size_t usual, const std::function<Arguments(const std::string&)>& arguments,
          const std::function<json(const json&, json::json_pointer&)>& reduce = {}) {
  const TemporaryDirectory directory;
  // What a file may refer to.
  fs::create_directories(directory / "work");
  for (const fs::path& other : files_below(file.parent_path(), ".json")) {
    fs::create_symlink(other, directory / ("work/" + other.filename().string()));
  }
  const std::string target = (directory / "work" / file.filename().string()).string();
  fs::remove(target);

  const json document = load_json(file);
  const auto cases =
      wished_walk() == "all" ? every_damage_of_every_leaf(document) : every_damage_of_every_kind(document);
  for (const std::size_t i : sample(cases.size(), sample_size(usual))) {
    json::json_pointer leaf = cases[i].leaf;
    const Damage& damage = *cases[i].damage;
    const json smaller = reduce ? reduce(document, leaf) : document;
    write_file(target, damaged(smaller, leaf, damage));
    const Ended ended = fenceline_confined(arguments(target), directory / "work");
    const std::string wrong = complaint(ended);
    INFO(file.string() << " " << cases[i].leaf.to_string() << " "
                       << (damage.kind == Damage::Kind::replaced  ? damage.text
                           : damage.kind == Damage::Kind::missing ? "missing"
                                                                  : "doubled"));
    INFO("exit code " << ended.code << ": " << ended.err);
    CHECK(wrong == "");
  }
}

/// Only the row of the top-level list that the leaf is in. Rows are played each for itself.
json with_one_row(const json& document, json::json_pointer& leaf) {
  json smaller = json::object();
  std::vector<std::string> tokens;
  for (json::json_pointer at = leaf; !at.empty(); at = at.parent_pointer()) tokens.insert(tokens.begin(), at.back());
  for (const auto& [key, value] : document.items()) {
    const bool rows = value.is_array() && !value.empty() && value.front().is_object();
    if (!rows) {
      smaller[key] = value;
    } else if (key == tokens.front()) {
      smaller[key] = json::array({value.at(std::stoul(tokens.at(1)))});
      tokens.at(1) = "0";
    }
  }
  leaf = json::json_pointer();
  for (const std::string& token : tokens) leaf /= token;
  return smaller;
}

}  // namespace

TEST_CASE("leaf walk: a workload with a bad value is played or refused in one line, in time and memory", "[fuzz]") {
  for (const fs::path& file : files_below(source_directory() / "configs/workloads", ".json")) {
    walk(file, 6, [](const std::string& damaged) { return run(damaged); });
  }
}

TEST_CASE("leaf walk: on a machine with a bad value a workload is played or refused in one line, in time and memory",
          "[fuzz]") {
  const std::string workload = shipped_workload("every_unit").string();
  for (const fs::path& file : files_below(source_directory() / "configs/machines", ".json")) {
    walk(file, 10, [&](const std::string& damaged) {
      Arguments arguments = run(workload);
      arguments.insert(arguments.end(), {"--machine", damaged});
      return arguments;
    });
  }
}

TEST_CASE("leaf walk: so it is on a machine that says all that there is, with caches and background tasks", "[fuzz]") {
  const TemporaryDirectory directory;
  const auto machine = dump_config(load_machine("rtx_4090", "", {}));
  const json schema = load_json(source_directory() / "configs/schema/machine.schema.json");
  for (const auto& [key, ignored] : schema.at("properties").items()) {
    INFO(key);
    CHECK((key == "$schema" || key == "like" || machine.contains(key)));
  }
  const fs::path file = directory / "full.json";
  write_file(file, machine.dump());
  for (const char* const name : {"every_unit", "cold_and_warm_start", "pgo_benchmark"}) {
    const std::string workload = shipped_workload(name).string();
    walk(file, 10, [&](const std::string& damaged) {
      Arguments arguments = run(workload);
      arguments.insert(arguments.end(), {"--machine", damaged});
      return arguments;
    });
  }
}

TEST_CASE("leaf walk: a sweep with a bad value is good or refused in one line, in time and memory", "[fuzz]") {
  for (const fs::path& file : files_below(source_directory() / "configs/sweeps", ".json")) {
    json document = load_json(file);
    for (json& workload : document["workloads"]) workload = (file.parent_path() / workload.get<std::string>()).string();
    const TemporaryDirectory directory;
    write_file(directory / file.filename(), document.dump());
    walk(directory / file.filename(), 40, [](const std::string& damaged) { return Arguments{"check", damaged}; });
  }
}

TEST_CASE("leaf walk: a measured file with a bad value is played or refused in one line, in time and memory",
          "[fuzz]") {
  for (const fs::path& file : files_below(source_directory() / "bench/hardware", ".json")) {
    if (file.string().find(".kineto.json") != std::string::npos) continue;
    if (file.filename() == "machines.json") {
      walk(file, 8, [](const std::string& damaged) { return Arguments{"check", damaged}; });
      continue;
    }
    walk(
        file, 8,
        [](const std::string& damaged) {
          return Arguments{"validate", damaged};
        },
        with_one_row);
  }
}

TEST_CASE("leaf walk: a trace with a bad value is imported or refused in one line, in time and memory", "[fuzz]") {
  for (const fs::path& file : files_below(source_directory() / "bench/hardware", ".json")) {
    if (file.string().find(".kineto.json") == std::string::npos) continue;
    walk(file, 20, [](const std::string& damaged) { return Arguments{"import", "kineto", damaged, "-o", "out.json"}; });
  }
}
