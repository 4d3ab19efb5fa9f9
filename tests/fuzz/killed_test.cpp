// SPDX-License-Identifier: Apache-2.0
// The command is killed, or the disk is full: what was there before is whole, or what it makes is.
#include "tests/fuzz/killed.hpp"

#include "tests/support/kineto_sample.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace fenceline::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Files = std::map<std::string, std::string>;

/// The small workload under another name, with as many grids.
std::string workload(int grids) {
  json document = small_workload();
  document["name"] = fmt::format("with {} grids", grids);
  document["command_lists"][1]["commands"][0]["x"] = grids;
  return document.dump();
}

std::string trace(int kernels) {
  Trace trace;
  for (int i = 0; i < kernels; ++i) trace.kernel(7, 50. * i, 40, static_cast<std::uint64_t>(i) + 1);
  return trace.document().dump();
}

/// Kills the two commands in turn, each at random moments, `kills` times in all. After each, `look` gives what is
/// there: it must be what one of them makes when nobody kills it.
template <class Look>
void kill_in_turn(const Shell& shell, const std::vector<std::vector<std::string>>& commands, int kills, Look&& look) {
  std::vector<Files> made;
  std::vector<std::uint64_t> stops;
  for (int round = 0; round < 2; ++round) {  // both replace what the other made
    made.clear();
    stops.clear();
    for (const auto& command : commands) {
      const auto whole = fenceline_killed(command, shell.work());
      if (!whole) {
        WARN("processes cannot be traced here: not tested");
        return;
      }
      REQUIRE(whole->code == 0);
      made.push_back(look());
      stops.push_back(whole->stops);
    }
  }
  REQUIRE(made[0] != made[1]);
  std::mt19937_64 random(15);
  int replaced = 0;
  for (int i = 0; i < kills; ++i) {
    const std::size_t which = static_cast<std::size_t>(i) % 2;
    const std::uint64_t after = random() % stops[which];
    INFO("kill " << i << ", at stop " << after << " of " << stops[which]);
    const auto killed = fenceline_killed(commands[which], shell.work(), after);
    REQUIRE(killed);
    const Files there = look();
    REQUIRE((there == made[0] || there == made[1]));
    replaced += there == made[which] ? 1 : 0;
  }
  CHECK(replaced > 0);
  CHECK(fenceline_killed(commands[1], shell.work())->code == 0);
  CHECK(look() == made[1]);
}

}  // namespace

TEST_CASE("killed: of a run at any moment the earlier one is whole, or the new one", "[fuzz]") {
  const Shell shell;
  shell.write("a.json", workload(8));
  shell.write("b.json", workload(9));
  kill_in_turn(shell, {{"run", "a.json", "--out", "out"}, {"run", "b.json", "--out", "out", "--html", "--vcd"}}, 200,
               [&] { return files_in(shell.work() / "out"); });
  // The last one has removed what the killed ones left.
  CHECK(names_in(shell.work()) == std::vector<std::string>{"a.json", "b.json", "out"});
}

TEST_CASE("killed: of an import at any moment the earlier workload is whole, or the new one", "[fuzz]") {
  const Shell shell;
  shell.write("a.json", trace(20));
  shell.write("b.json", trace(21));
  kill_in_turn(shell, {{"import", "kineto", "a.json", "-o", "w.json"}, {"import", "kineto", "b.json", "-o", "w.json"}},
               60, [&] {
                 return Files{{"w.json", contents_of(shell.work() / "w.json")}};
               });
}

TEST_CASE("killed: of schemas that are written at any moment each file is whole, or as it was", "[fuzz]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"schema", "--write", "made"}).code == 0);
  const Files made = files_in(shell.work() / "made");
  const auto whole = fenceline_killed({"schema", "--write", "out"}, shell.work());
  if (!whole) {
    WARN("processes cannot be traced here: not tested");
    return;
  }
  std::mt19937_64 random(16);
  for (int i = 0; i < 40; ++i) {
    for (const auto& [name, text] : made) shell.write("out/" + name, "before");
    REQUIRE(fenceline_killed({"schema", "--write", "out"}, shell.work(), random() % whole->stops));
    for (const auto& [name, text] : made) {
      const std::string there = contents_of(shell.work() / "out" / name);
      REQUIRE((there == "before" || there == text));
    }
  }
}

TEST_CASE("full disk: the earlier run, workload and schemas stay as they were, and a line says why", "[fuzz]") {
  const Shell shell;
  if (shell.run("unshare -rm sh -c 'mount -t tmpfs tmpfs /mnt'").code != 0) {
    WARN("no file system can be mounted here: not tested");
    return;
  }
  shell.write("a.json", workload(8));
  shell.write("t.json", trace(20));
  // Of a file system of 400 KiB ever less is free, down to nothing; then it may not be written to at all.
  shell.write("full.sh", R"sh(set -eu
fenceline=$1
mkdir -p disk before
mount -t tmpfs -o size=400k tmpfs disk
$fenceline run a.json --out disk/out >/dev/null
$fenceline import kineto t.json -o disk/w.json >/dev/null
$fenceline schema --write disk/schema
cp -r disk/. before
failed=0
refused() {
  code=0
  "$@" >/dev/null 2>err || code=$?
  test $code -le 1 || { echo "code $code: $*"; exit 1; }
  if test $code -eq 1; then
    failed=$((failed + 1))
    test "$(wc -l <err)" -eq 1 || { echo "not a line: $*"; cat err; exit 1; }
  fi
  diff -r -x filler before disk >/dev/null || { echo "changed by: $*"; diff -rq before disk; exit 1; }
}
all() {
  refused $fenceline run a.json --out disk/out
  refused $fenceline import kineto t.json -o disk/w.json
  refused $fenceline schema --write disk/schema
}
available() { df -k --output=avail disk | tail -n 1; }
free=$(available)
while [ "$free" -ge 0 ]; do
  head -c $((($(available) - free) * 1024)) /dev/zero >disk/filler
  all
  rm disk/filler
  free=$((free - 8))
done
mount -o remount,ro disk
all
echo "$failed failed"
)sh");
  const Output output = shell.run("unshare -rm sh full.sh " + Shell::quoted(fenceline_binary()));
  INFO(output.out << output.err);
  CHECK(output.code == 0);
  // Each of the three at least once of a full disk, and once of one that is read only.
  const std::size_t said = output.out.find(" failed");
  REQUIRE(said != std::string::npos);
  CHECK(std::stoi(output.out) >= 6);
}
