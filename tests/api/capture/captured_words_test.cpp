// SPDX-License-Identifier: Apache-2.0
// What only captured workloads say.
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

using namespace fenceline::testing;

namespace {

nlohmann::json played(const Shell& shell, const std::string& rest, std::string& packets) {
  shell.write("w.json", R"({"name": "w", "machine": "tiny",
    "compute_pipelines": [{"name": "p", "label": "blur", "group_cycles": 1000}],
    "fences": [{"name": "f"}],
    "command_lists": [
      {"name": "l", "label": "frame", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "p", "x": 1}]},
      {"name": "l#2", "label": "frame", "type": "direct", "commands": [{"type": "clear", "bytes": 1000}]}],
    "queues": [{"name": "q", "type": "direct"}], )" +
                            rest + "}");
  const Output output = shell.fenceline({"run", "w.json", "--out", "out"});
  INFO(output.err);
  REQUIRE(output.code == 0);
  packets = contents_of(shell.work() / "out/packets.csv");
  return nlohmann::json::parse(contents_of(shell.work() / "out/report.json"));
}

}  // namespace

TEST_CASE("captured words: files call lists and pipelines by their labels", "[capture]") {
  const Shell shell;
  std::string packets;
  played(shell, R"("cpus": [{"name": "t", "timeline": [{"type": "execute", "queue": "q", "lists": ["l", "l#2"]}]}])",
         packets);
  CHECK(packets.find(",frame,") != std::string::npos);
  CHECK(packets.find("l#2") == std::string::npos);
  CHECK(contents_of(shell.work() / "out/trace.json").find("blur") != std::string::npos);
}

TEST_CASE("captured words: calls of a captured thread take no time, its work and sleeps do", "[capture]") {
  const Shell shell;
  std::string packets;
  // The machine's calls cost 2 us; the thread's own 5 us of work are all that passes before the second signal.
  const std::string thread = R"("cpus": [{"name": "t", "captured": true, "timeline": [
    {"type": "queue_signal", "queue": "q", "fence": "f", "value": 1}, {"type": "work", "us": 5},
    {"type": "queue_signal", "queue": "q", "fence": "f", "value": 2}]}])";
  played(shell, thread, packets);
  CHECK(packets.find("fence") != std::string::npos);
  CHECK(packets.find(",5.000000,5.000000,5.000000") != std::string::npos);
}

TEST_CASE("captured words: at one moment the lower number acts first, unless it lets others go", "[capture]") {
  const auto order = [](const std::string& first_step) {
    const Shell shell;
    std::string packets;
    played(shell,
           R"("cpus": [
      {"name": "a", "captured": true, "timeline": [{"type": "work", "us": 5}, )" +
               first_step + R"(
        {"type": "execute", "queue": "q", "lists": ["l"]}]},
      {"name": "b", "captured": true, "timeline": [{"type": "work", "us": 5},
        {"type": "queue_signal", "queue": "q", "fence": "f", "value": 1}]}])",
           packets);
    return packets.find(",signal,") < packets.find(",render,");
  };
  CHECK_FALSE(order(""));
  CHECK(order(R"({"type": "work", "us": 0},)"));
}
