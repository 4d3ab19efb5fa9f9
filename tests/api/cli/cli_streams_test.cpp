// SPDX-License-Identifier: Apache-2.0
// What the command does with streams, files and limits that are not as usual.
#include "sim/config/json_file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("fenceline: standard streams that are closed or take nothing change no file and abort nothing", "[cli]") {
  const Shell shell;
  const std::string fenceline = Shell::quoted(fenceline_binary());
  const std::string run = fenceline + " run " + Shell::quoted(shipped_workload("multi_engine").string()) + " --out ";
  REQUIRE(shell.run(run + "usual").code == 0);
  const auto usual = files_in(shell.work() / "usual");
  const std::vector<std::pair<std::string, int>> ways = {
      {"<&-", 0}, {"2>&-", 0}, {"2>/dev/full", 0}, {"<&- 2>&-", 0}, {">&-", 1}, {"<&- >&- 2>&-", 1}, {">/dev/full", 1}};
  for (const auto& [way, code] : ways) {
    INFO(way);
    CHECK(shell.run("( " + run + "out " + way + " )").code == code);
    CHECK(files_in(shell.work() / "out") == usual);
  }
  shell.write("bad.json", "{");
  CHECK(shell.run("( " + fenceline + " check bad.json 2>&- )").code == 2);
  CHECK(shell.run("( " + fenceline + " check bad.json 2>/dev/full )").code == 2);
  CHECK(shell.run("( " + fenceline + " --nonsense 2>&- )").code == 2);
}

TEST_CASE("fenceline cache: standard streams that are closed or take nothing harm no cache", "[cli]") {
  const Shell shell;
  const std::string cache = Shell::quoted(fenceline_binary()) + " cache ";
  fs::create_directories(shell.work() / "caches");
  shell.write("caches/notes.txt", "mine");
  const std::vector<std::pair<std::string, int>> ways = {
      {"<&-", 0}, {"2>&-", 0}, {"2>/dev/full", 0}, {"<&- 2>&-", 0}, {">&-", 1}, {"<&- >&- 2>&-", 1}, {">/dev/full", 1}};
  for (const char* verb : {"list", "stat", "verify", "clear --all"}) {
    for (const auto& [way, code] : ways) {
      INFO(verb << " " << way);
      CHECK(shell.run("( " + cache + verb + " --json --directory caches " + way + " )").code == code);
      CHECK(files_in(shell.work() / "caches") == std::map<std::string, std::string>{{"notes.txt", "mine"}});
    }
  }
}

TEST_CASE("fenceline: a workload comes from standard input, packed or not, and from nothing else that is no file",
          "[cli]") {
  const Shell shell;
  shell.write("small.json", small_workload_text);
  const std::string fenceline = Shell::quoted(fenceline_binary());
  REQUIRE(shell.run(fenceline + " run small.json --out usual").code == 0);
  CHECK(shell.run(fenceline + " run - <small.json").code == 0);
  CHECK(shell.run("gzip -c small.json | " + fenceline + " run - --out packed").code == 0);
  for (const char* name : {"packets.csv", "trace.json"}) {
    CHECK(contents_of(shell.work() / "runs/stdin" / name) == contents_of(shell.work() / "usual" / name));
    CHECK(contents_of(shell.work() / "packed" / name) == contents_of(shell.work() / "usual" / name));
  }
  REQUIRE(shell.run("mkfifo fifo").code == 0);
  for (const char* name : {"/dev/zero", "fifo", "."}) {
    for (const char* verb : {"run", "check"}) {
      const Output output = shell.fenceline({verb, name});
      INFO(output.err);
      CHECK(output.code == 2);
      CHECK_THAT(output.err, Contains("expected a regular file, or - for standard input, found a"));
    }
  }
}

TEST_CASE("fenceline run --output-limit-mib: files that grow beyond it end the run, and leave nothing", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("pipelined_compute_graphics").string();
  const Output small = shell.fenceline({"run", workload, "--trace", "--output-limit-mib", "1"});
  INFO(small.err);
  CHECK(small.code == 1);
  CHECK(lines_of(small.err) == 1);
  CHECK_THAT(small.err, Contains("the limit of 1048576 bytes of output is reached"));
  CHECK(files_in(shell.work()).empty());
  CHECK(shell.fenceline({"run", workload, "--trace"}).code == 0);
  CHECK(shell.fenceline({"run", workload, "--output-limit-mib", "0"}).code == 2);
}

TEST_CASE("fenceline run --out: what no run wrote stays, and is named", "[cli]") {
  const Shell shell;
  shell.write("out/small.json", small_workload_text);
  const Output over_input = shell.fenceline({"run", "out/small.json", "--out", "out"});
  CHECK(over_input.code == 1);
  CHECK_THAT(over_input.err, Contains("it holds files but no .fenceline-run"));
  REQUIRE(shell.fenceline({"run", "out/small.json", "--out", "run"}).code == 0);
  shell.write("run/notes.txt", "mine");
  const Output over_notes = shell.fenceline({"run", "out/small.json", "--out", "run"});
  CHECK(over_notes.code == 1);
  CHECK_THAT(over_notes.err, Contains("besides an earlier Fenceline run it holds notes.txt"));
  CHECK(contents_of(shell.work() / "run/notes.txt") == "mine");
}
