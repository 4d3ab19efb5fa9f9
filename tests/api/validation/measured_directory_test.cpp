// SPDX-License-Identifier: Apache-2.0
// `fenceline validate` of a directory of directories, each with the machines that it is of.
#include "api/validation/measured_directory.hpp"

#include "api/validation/validation.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// One case of one kernel, `us` long as it says.
std::string measured_text(double us) {
  const json op = {{"queue", 0},    {"kind", "spin"},           {"grid", 8},
                   {"threads", 32}, {"cycles_per_block", 9000}, {"end_us", us}};
  json ops = json::array();
  ops.push_back(op);
  json one = json::object();
  one["ops"] = ops;
  json cases = json::array();
  cases.push_back(one);
  return json{{"workloads", cases}}.dump();
}

std::string machines_text(const std::vector<std::string>& machines) { return json{{"machines", machines}}.dump(); }

/// all/first on two machines, all/inner/second on one.
void write_directories(const Shell& shell) {
  for (const char* name : {"all/first", "all/inner/second"}) fs::create_directories(shell.work() / name);
  shell.write("all/first/machines.json", machines_text({"h200", "h100"}));
  shell.write("all/first/a.json", measured_text(5));
  shell.write("all/inner/second/machines.json", machines_text({"rtx_4090"}));
  shell.write("all/inner/second/b.json", measured_text(7));
}

}  // namespace

TEST_CASE("fenceline validate: a directory of directories is played on the machines that each names",
          "[cli][validation]") {
  const Shell shell;
  write_directories(shell);
  const Output table = shell.fenceline({"validate", "all"});
  INFO(table.out << table.err);
  REQUIRE(table.code == 0);
  const std::size_t first = table.out.find("all/first on h200\n");
  const std::size_t second = table.out.find("all/first on h100\n");
  const std::size_t third = table.out.find("all/inner/second on rtx_4090\n");
  REQUIRE(third != std::string::npos);
  CHECK(first == 0);
  CHECK(first < second);
  CHECK(second < third);
  CHECK_THAT(table.out, Contains("1 cases on h200; ") && Contains("1 cases on h100; ") &&
                            Contains("1 cases on rtx_4090; ") && Contains("\n3 cases of 3 tables; "));

  // Each of them is what the directory alone is on that machine.
  const Output all = shell.fenceline({"validate", "all", "--json"});
  REQUIRE(all.code == 0);
  const json document = parse_json(all.out, "all");
  REQUIRE(document["machines"].size() == 3);
  for (const json& one : document["machines"]) {
    const Output alone = shell.fenceline(
        {"validate", one["directory"].get<std::string>(), "--machine", one["machine"].get<std::string>(), "--json"});
    json expected = parse_json(alone.out, "alone");
    expected["directory"] = one["directory"];
    expected["machine"] = one["machine"];
    CHECK(one == expected);
  }
  CHECK(shell.fenceline({"validate", "all", "--check"}).code == 1);  // no kernel takes as long as the files say

  // With --machine all is played on that one, as it always was.
  const Output on_one = shell.fenceline({"validate", "all", "--machine", "h200", "--json"});
  const json on_h200 = parse_json(on_one.out, "h200");
  CHECK(on_h200["cases"].size() == 2);
  CHECK(on_h200["cases"][0] == document["machines"][0]["cases"][0]);
}

TEST_CASE("fenceline validate: --set is for each machine of a directory of directories", "[cli][validation]") {
  const Shell shell;
  write_directories(shell);
  const json plain = parse_json(shell.fenceline({"validate", "all", "--json"}).out, "all");
  const json slow =
      parse_json(shell.fenceline({"validate", "all", "--json", "--set", "/shader_array/clock_mhz=990"}).out, "all");
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(slow["machines"][i]["cases"][0]["simulated_us"] > plain["machines"][i]["cases"][0]["simulated_us"]);
  }
}

TEST_CASE("fenceline validate: what is wrong in a directory of directories is one line and exit code 2",
          "[cli][validation]") {
  const Shell shell;
  write_directories(shell);
  const auto refused = [&](const std::string& message) {
    const Output output = shell.fenceline({"validate", "all"});
    INFO(output.err);
    CHECK(output.code == 2);
    CHECK(output.out.empty());
    CHECK(lines_of(output.err) == 1);
    CHECK_THAT(output.err, Contains(message));
  };
  const auto with = [&](const char* file, const std::string& text, const std::string& message) {
    const fs::path path = shell.work() / file;
    const bool was = fs::exists(path);
    const std::string before = was ? contents_of(path) : "";
    fs::create_directories(path.parent_path());
    shell.write(file, text);
    refused(message);
    if (was) {
      shell.write(file, before);
    } else {
      fs::remove(path);
    }
  };
  with("all/first/machines.json", machines_text({"h200", "h300"}),
       "all/first/machines.json: /machines/1: expected one of ");
  with("all/first/machines.json", machines_text({"./none.json"}), "all/first/machines.json: /machines/0: expected ");
  with("all/first/machines.json", machines_text({}), "/machines: expected at least one machine, found none");
  with("all/first/machines.json", machines_text({"h100", "h100"}), "/machines: expected each machine once");
  with("all/first/machines.json", R"({"machines": ["h100"], "note": 1})", "machines.json: /note: expected");
  with("all/first/machines.json", R"({"machines": "h100"})", "/machines: expected an array");
  with("all/third/c.json", measured_text(1),
       "all/third/machines.json: /: expected a file that says which machines the measured files beside it are of");
  refused("all/third: /: expected a directory with measured files, .json or .dat, found none below it");
  fs::remove(shell.work() / "all/third");
  with("all/third/machines.json", machines_text({"h100"}),
       "all/third: /: expected a directory with measured files, .json or .dat, found none below it");
  fs::remove(shell.work() / "all/third");
  CHECK(shell.fenceline({"validate", "all"}).code == 0);
}

TEST_CASE("fenceline validate: machines beside measured files are read from their directory on", "[cli][validation]") {
  const Shell shell;
  write_directories(shell);
  json slow = load_json(source_directory() / "configs/machines/h200.json");
  slow["name"] = "slow";
  slow["shader_array"]["clock_mhz"] = 990;
  slow.erase("$schema");
  shell.write("slow.json", slow.dump());
  shell.write("all/inner/second/machines.json", machines_text({"../../../slow.json"}));
  const Output output = shell.fenceline({"validate", "all"});
  INFO(output.err);
  CHECK(output.code == 0);
  CHECK_THAT(output.out, Contains("all/inner/second on slow\n"));
}

TEST_CASE("validation: every directory of bench/hardware says which machines it is of", "[api][validation]") {
  const fs::path hardware = source_directory() / "bench/hardware";
  CHECK(is_directory_of_machines(hardware));
  std::vector<std::string> pairs;
  for (const DirectoryOfMachine& one : directories_of_machines(hardware)) {
    pairs.push_back(one.directory.lexically_relative(hardware).string() + " on " + one.machine);
  }
  const auto has = [&](const char* pair) { return std::find(pairs.begin(), pairs.end(), pair) != pairs.end(); };
  CHECK(has("gv100 on quadro_gv100"));
  CHECK(has("h100 on h100"));
  CHECK(has("h100 on h100_measured"));
  CHECK(has("h200 on h200"));
  CHECK_FALSE(is_directory_of_machines(hardware / "h200"));
  CHECK_FALSE(is_directory_of_machines(hardware / "h200/workloads.json"));
}

TEST_CASE("fenceline check: knows the file that names a directory's machines", "[cli][validation]") {
  const Shell shell;
  const Output output = shell.fenceline({"check", (source_directory() / "bench/hardware/h100/machines.json").string()});
  CHECK(output.code == 0);
  CHECK_THAT(output.out, Contains("ok, machines of measured files, h100, h100_measured"));
}
