// SPDX-License-Identifier: Apache-2.0
#include "sim/config/json_file.hpp"
#include "tests/support/kineto_sample.hpp"
#include "tests/support/nsys_sample.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

TEST_CASE("fenceline import nsys: writes a workload that checks and runs, with its ranges", "[cli][nsys]") {
  const Shell shell;
  fs::copy_file(shipped_database, shell.work() / "two.sqlite");
  const Output import = shell.fenceline({"import", "nsys", "two.sqlite", "-o", "two.json"});
  CHECK(import.code == 0);
  CHECK(import.err.empty());
  CHECK(import.out ==
        "two.sqlite\n"
        "  operations   10: 4 kernels, 4 copies, 2 memsets\n"
        "  queues       2; dependencies between them: 4 stated, 0 inferred\n"
        "  lists        10 executed, 5 recorded, with 2 pipelines\n"
        "  steps        2, measured 266.000 .. 266.000 us\n"
        "  span         866.000 us measured\n"
        "  ranges       6 of 6 NVTX ranges have launches in them: regions of their queues\n"
        "workload     two.json\n");
  CHECK(shell.fenceline({"check", "two.json"}).code == 0);
  const std::string first = contents_of(shell.work() / "two.json");
  REQUIRE(shell.fenceline({"import", "nsys", "two.sqlite", "-o", "two.json"}).code == 0);
  CHECK(contents_of(shell.work() / "two.json") == first);
  const auto workload = read_config<Workload>(parse_json(first, "two.json"), "two.json");
  CHECK(dump_json(dump_config(workload)) == first);
  CHECK(workload.source == "Imported from databases of Nsight Systems with the times of machine h200: two.sqlite");
  const Output run = shell.fenceline({"run", "two.json", "--out", "two"});
  INFO(run.err);
  REQUIRE(run.code == 0);
  CHECK_THAT(contents_of(shell.work() / "two/markers.csv"), Contains("step 1") && Contains("forward pass"));
  CHECK(names_in(shell.work()) == std::vector<std::string>{"two", "two.json", "two.sqlite"});

  const json document = json::parse(shell.fenceline({"import", "nsys", "two.sqlite", "-o", "two.json", "--json"}).out);
  CHECK(document["traces"][0]["kernels"] == 4);
  CHECK(document["traces"][0]["ranges"] == 6);
  CHECK(document["traces"][0]["ranges_around_launches"] == 6);
  CHECK(document["traces"][0]["whole_graphs"] == 0);
}

TEST_CASE("fenceline import nsys: takes the options of the other import", "[cli][nsys]") {
  const Shell shell;
  fs::copy_file(shipped_database, shell.work() / "a.sqlite");
  fs::copy_file(shipped_database, shell.work() / "b.x.sqlite");
  REQUIRE(shell.fenceline({"import", "nsys", "a.sqlite", "b.x.sqlite", "-o", "both.json"}).code == 0);
  const json both = load_json(shell.work() / "both.json");
  REQUIRE(both["processes"].size() == 2);
  CHECK(both["processes"][0]["name"] == "a");
  CHECK(both["processes"][1]["name"] == "b");
  CHECK(both["queues"][3]["name"] == "b.stream13");
  CHECK(shell.fenceline({"run", "both.json"}).code == 0);
  REQUIRE(
      shell.fenceline({"import", "nsys", "a.sqlite", "--context", "x", "--machine", "rtx_4090", "-o", "x.json"}).code ==
      0);
  CHECK(load_json(shell.work() / "x.json")["machine"] == "rtx_4090");
  REQUIRE(shell.fenceline({"import", "nsys", "a.sqlite", "--device", "0", "-o", "one.json"}).code == 0);
  CHECK_THAT(shell.fenceline({"import", "nsys", "a.sqlite", "--device", "3", "-o", "one.json"}).err,
             Contains("a.sqlite: /: expected GPU work of device 3: rows of "));
  CHECK(shell.fenceline({"import", "nsys", "a.sqlite", "--device", "-1", "-o", "one.json"}).code == 2);
  const Output sent = shell.fenceline({"import", "nsys", "a.sqlite", "-o", "-"});
  CHECK(json::parse(sent.out)["queues"].size() == 2);
  CHECK_THAT(sent.err, Contains("operations   10"));
}

TEST_CASE("fenceline import nsys: wrong input is one line and exit code 2, and leaves the old workload",
          "[cli][nsys]") {
  const Shell shell;
  shell.write("out.json", "old");
  const auto told = [&](const std::string& file) {
    const Output import = shell.fenceline({"import", "nsys", file, "-o", "out.json"});
    CHECK(import.code == 2);
    CHECK(import.out.empty());
    CHECK(lines_of(import.err) == 1);
    return import.err;
  };
  const std::string wanted = "expected an SQLite database, as `nsys export --type sqlite` writes it, found ";
  const std::vector<std::pair<std::string, std::string>> files = {
      {"", "an empty file"},
      {"{\"traceEvents\": []}", "JSON: `fenceline import kineto` takes PyTorch's traces"},
      {"\x1f\x8b\x08", "a gzip file: unpack it first"},
      {"SQLite format 2", "something else: of a report (.nsys-rep, .qdrep) `nsys export --type sqlite` makes one"},
      {std::string("\0\1\2\3report", 10), "something else: of a report (.nsys-rep, .qdrep)"},
  };
  for (const auto& [bytes, found] : files) {
    shell.write("report.nsys-rep", bytes);
    CHECK_THAT(told("report.nsys-rep"), Contains("report.nsys-rep: /: " + wanted + found));
  }
  shell.write("report.sqlite", std::string("SQLite format 3\0", 16));
  CHECK_THAT(told("report.sqlite"), Contains("report.sqlite: /"));
  CHECK_THAT(told("none.sqlite"), Contains("none.sqlite: /: expected a readable file, found no such file"));
  CHECK_THAT(told("."), Contains("expected a regular file, found a directory"));
  CHECK_THAT(told("/dev/null"), Contains("expected a regular file, found a device or a FIFO"));
  CHECK_THAT(told("-"), Contains("standard input: /: expected the name of a file"));
  write_database(shell.work() / "empty.sqlite", "CREATE TABLE StringIds (id, value);");
  CHECK_THAT(told("empty.sqlite"), Contains("expected GPU work: rows of CUPTI_ACTIVITY_KIND_KERNEL"));
  CHECK(contents_of(shell.work() / "out.json") == "old");

  fs::copy_file(shipped_database, shell.work() / "two.sqlite");
  CHECK(shell.fenceline({"import", "nsys", "two.sqlite", "-o", "two.sqlite"}).code != 0);
  CHECK(contents_of(shell.work() / "two.sqlite") == contents_of(shipped_database));
  CHECK(shell.fenceline({"import", "nsys", "two.sqlite"}).code == 2);
  CHECK_THAT(shell.fenceline({"import", "nsy", "two.sqlite"}).err, Contains("did you mean \"nsys\"?"));
}
