// SPDX-License-Identifier: Apache-2.0
// The shader array's occupancy over time: threads whose groups have places, a counter of detailed traces.
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/program.hpp"
#include "sim/config/config.hpp"
#include "sim/log.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// What was told of the shader array.
struct Residents final : LogSink {
  std::uint64_t most = 0;
  std::uint64_t now = 0;
  std::uint64_t since_ps = 0;
  unsigned __int128 thread_ps = 0;
  std::size_t changes = 0;

  void counter(const EventLog&, const Counter& counter) override {
    if (counter.kind != CounterKind::resident_threads) return;
    CHECK(counter.value != now);
    CHECK(counter.at_ps >= since_ps);
    thread_ps += static_cast<unsigned __int128>(now) * (counter.at_ps - since_ps);
    now = counter.value;
    since_ps = counter.at_ps;
    most = std::max(most, now);
    ++changes;
  }
};

json grids(const json& rows) {
  json document = {{"name", "grids"}, {"queues", json::array()}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string name = fmt::format("grid {}", i);
    document["compute_pipelines"].push_back(
        {{"name", name}, {"threads", rows[i]["threads"]}, {"group_cycles", rows[i]["cycles"]}});
    document["command_lists"].push_back(
        {{"name", name},
         {"type", "compute"},
         {"commands", json::array({{{"type", "dispatch"}, {"pipeline", name}, {"x", rows[i]["groups"]}}})}});
    document["queues"].push_back({{"name", name},
                                  {"type", "compute"},
                                  {"timeline", json::array({{{"type", "execute"}, {"lists", json::array({name})}}})}});
  }
  return document;
}

Residents played(const json& rows, const MachineConfig& config) {
  Machine machine(config);
  Residents residents;
  machine.log().attach(residents, EventLog::Detail::waves);
  const Program program = make_program(read_config<Workload>(grids(rows), "w.json"), "w.json");
  Player player(machine, program);
  CHECK(player.play());
  return residents;
}

}  // namespace

TEST_CASE("resident threads: every group's threads are told for as long as it has its place", "[scenario]") {
  const MachineConfig config = load_machine("tiny", "", {});
  const std::uint64_t capacity =
      static_cast<std::uint64_t>(config.shader_array.sms) * config.shader_array.threads_per_sm;
  const double ps_per_cycle = 1e6 / config.shader_array.clock_mhz;
  std::mt19937 random(7);
  const auto upto = [&](std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
  };
  for (int round = 0; round < 60; ++round) {
    json rows = json::array();
    double expected = 0;  // thread cycles
    for (std::uint64_t i = 0; i < upto(1, 3); ++i) {
      const std::uint64_t threads = 32 * upto(1, 8);
      const std::uint64_t cycles = upto(200, 4000);
      const std::uint64_t groups = upto(1, 300);
      rows.push_back({{"threads", threads}, {"cycles", cycles}, {"groups", groups}});
      expected += static_cast<double>(threads * cycles * groups);
    }
    CAPTURE(rows);
    const Residents residents = played(rows, config);
    CHECK(residents.now == 0);
    CHECK(residents.most <= capacity);
    CHECK(residents.changes >= 2);
    CHECK(static_cast<double>(residents.thread_ps) / ps_per_cycle == Approx(expected).epsilon(1e-3));
  }
}

TEST_CASE("resident threads: a detailed trace has them as a counter, a plain one does not", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("multi_engine").string();
  REQUIRE(shell.fenceline({"run", workload, "--trace", "--out", "detailed"}).code == 0);
  REQUIRE(shell.fenceline({"run", workload, "--outputs", "trace", "--out", "plain"}).code == 0);
  const auto counters = [&](const char* run) {
    std::size_t count = 0;
    const json trace = json::parse(contents_of(shell.work() / run / "trace.json"));
    for (const json& event : trace.at("traceEvents")) {
      if (event.at("ph") == "C" && event.at("args").contains("resident_threads")) ++count;
    }
    return count;
  };
  CHECK(counters("detailed") > 1);
  CHECK(counters("plain") == 0);
}
