// SPDX-License-Identifier: Apache-2.0
// Processes, sleeping CPU threads and deadlines of workloads.
#include "api/report/deadline_row.hpp"
#include "api/report/run/deadlines.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/program.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/config/config.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// A workload of one CPU thread that signals fence "f" itself, on a machine whose calls cost nothing.
class DeadlineRun final : private LogSink {
 public:
  explicit DeadlineRun(const json& timeline, const json& deadlines = json::array(), std::uint64_t initial_value = 0) {
    const json document = {{"name", "w"},
                           {"fences", {{{"name", "f"}, {"initial_value", initial_value}}}},
                           {"queues", {{{"name", "copy"}, {"type", "copy"}}}},
                           {"cpus", {{{"name", "main"}, {"timeline", timeline}}}},
                           {"deadlines", deadlines}};
    MachineConfig config = builtin_machine("tiny");
    config.host.call_us = config.host.wake_us = 0;
    const Program program = make_program(read_config<Workload>(document, "w.json"), "w.json");
    Machine machine(config);
    Player player(machine, program);
    DeadlineWatch watch(program, {machine.fences().log_name_of(player.fence(0))}, machine.now_ps());
    machine.log().attach(*this);
    machine.log().attach(watch);
    watch.keep_rows();
    CHECK(player.play());
    deadlines_ = watch.results();
    rows_ = watch.rows(std::vector<LogName>(program.deadlines.size(), LogName{1}));
  }
  /// When the fence got which value, microseconds.
  const std::vector<std::pair<double, std::uint64_t>>& signals() const { return signals_; }
  const DeadlineResult& deadline(std::size_t index) const { return deadlines_.at(index); }
  const std::vector<DeadlineRow>& rows() const { return rows_; }

 private:
  void counter(const EventLog&, const Counter& counter) override {
    signals_.emplace_back(static_cast<double>(counter.at_ps) / 1e6, counter.value);
  }
  std::vector<std::pair<double, std::uint64_t>> signals_;
  std::vector<DeadlineResult> deadlines_;
  std::vector<DeadlineRow> rows_;
};

using Signals = std::vector<std::pair<double, std::uint64_t>>;

json signal(std::uint64_t value, std::uint64_t step = 0) {
  return {{"type", "fence_signal"}, {"fence", "f"}, {"value", value}, {"value_step", step}};
}
json sleep_until(double us, double step = 0, std::uint64_t from_iteration = 0) {
  return {{"type", "sleep_until"}, {"us", us}, {"us_step", step}, {"from_iteration", from_iteration}};
}
json work(double us) { return {{"type", "work"}, {"us", us}}; }
json repeat(std::uint64_t count, const json& steps) { return {{"type", "repeat"}, {"count", count}, {"steps", steps}}; }

}  // namespace

TEST_CASE("sleep until: the thread goes on at that time, or at once when it has passed", "[api]") {
  json outside = sleep_until(10);
  outside.erase("from_iteration");
  json passed = sleep_until(12);
  passed.erase("from_iteration");
  CHECK(DeadlineRun(json::array({outside, signal(1), work(5), passed, signal(2)})).signals() ==
        Signals{{10, 1}, {15, 2}});
}

TEST_CASE("sleep until: in a repeat the time grows each iteration, and late ones catch up", "[api]") {
  // Iterations are due at 10, 20, 30, 40; the second one takes 15 us.
  const DeadlineRun played(json::array(
      {repeat(4, {sleep_until(10, 10), signal(1, 1), {{"type", "work"}, {"us", 15}, {"from_iteration", 3}}}),
       signal(9)}));
  CHECK(played.signals() == Signals{{10, 1}, {20, 2}, {30, 3}, {40, 4}, {55, 9}});
  const DeadlineRun late(json::array({repeat(4, {sleep_until(10, 10), signal(1, 1), work(13)})}));
  CHECK(late.signals() == Signals{{10, 1}, {23, 2}, {36, 3}, {49, 4}});
}

TEST_CASE("sleep until: with from_iteration, `us` is the time of the first iteration that sleeps", "[api]") {
  const DeadlineRun played(json::array({repeat(4, {sleep_until(10, 5, 2), signal(1, 1)})}));
  CHECK(played.signals() == Signals{{0, 1}, {0, 2}, {10, 3}, {15, 4}});
}

TEST_CASE("deadlines: each time is met up to and including its moment, else it is late", "[api]") {
  // Values 1, 2, 3, 4 come at 10, 20, 30, 40 us.
  const json timeline = json::array({repeat(4, {sleep_until(10, 10), signal(1, 1)})});
  const json deadlines = {
      {{"name", "just"}, {"fence", "f"}, {"value", 1}, {"value_step", 1}, {"count", 4}, {"us", 10}, {"us_step", 10}},
      {{"name", "ever later"},
       {"fence", "f"},
       {"value", 1},
       {"value_step", 1},
       {"count", 4},
       {"us", 15},
       {"us_step", 6}},
      {{"name", "never"}, {"fence", "f"}, {"value", 3}, {"value_step", 2}, {"count", 5}, {"us", 28}, {"us_step", 100}},
      {{"name", "once"}, {"fence", "f"}, {"value", 4}, {"us", 39.5}},
      {{"name", "at the start"}, {"fence", "f"}, {"value", 0}, {"us", 0}},
  };
  const DeadlineRun played(timeline, deadlines);
  const auto check = [&](std::size_t index, std::uint64_t count, std::uint64_t met, std::uint64_t not_reached,
                         double worst_us, double mean_us) {
    const DeadlineResult& result = played.deadline(index);
    INFO(result.name);
    CHECK(result.count == count);
    CHECK(result.met == met);
    CHECK(result.missed == count - met);
    CHECK(result.not_reached == not_reached);
    CHECK(static_cast<double>(result.worst_ps) / 1e6 == Approx(worst_us).margin(1e-9));
    CHECK(static_cast<double>(result.mean_ps) / 1e6 == Approx(mean_us).margin(1e-6));
  };
  check(0, 4, 4, 0, 0, 0);
  check(1, 4, 2, 0, 7, (3.0 + 7.0) / 2);  // due at 15, 21, 27, 33
  check(2, 5, 0, 4, 2, 2);                // 3 came 2 us late; 5, 7, 9 and 11 never
  check(3, 1, 0, 0, 0.5, 0.5);
  check(4, 1, 1, 0, 0, 0);
}

TEST_CASE("deadlines: a value counts as reached if only for a moment, and one signal may meet many", "[api]") {
  const json deadlines = {{{"name", "d"}, {"fence", "f"}, {"value", 5}, {"value_step", 5}, {"count", 3}, {"us", 20}}};
  const DeadlineRun played(json::array({work(10), signal(12), work(5), signal(0), work(15), signal(15)}), deadlines);
  CHECK(played.deadline(0).met == 2);
  CHECK(played.deadline(0).worst_ps == 10'000'000);  // 15 came at 30 us
  const DeadlineRun initial(json::array({work(30)}), deadlines, 10);
  CHECK(initial.deadline(0).met == 2);
  CHECK(initial.deadline(0).not_reached == 1);
}

TEST_CASE("deadlines: each time has a row, with when it was reached", "[api]") {
  const DeadlineRun run(
      {{{"type", "sleep_until"}, {"us", 10}}, signal(1), {{"type", "sleep_until"}, {"us", 30}}, signal(2)},
      {{{"name", "d"}, {"fence", "f"}, {"value", 1}, {"value_step", 1}, {"count", 3}, {"us", 10}, {"us_step", 10}}});
  const std::vector<DeadlineRow>& rows = run.rows();
  REQUIRE(rows.size() == 3);
  const std::optional<std::uint64_t> reached[] = {10'000'000, 30'000'000, std::nullopt};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].value == i + 1);
    CHECK(rows[i].due_ps == (i + 1) * 10'000'000);
    CHECK(rows[i].reached_ps == reached[i]);
  }
  CHECK(run.deadline(0).missed == 2);
}

TEST_CASE("processes: priority and focus of a workload's processes are those of its queues' contexts", "[api]") {
  const json document = {{"name", "w"},
                         {"processes",
                          {{{"name", "game"}, {"focus", true}},
                           {{"name", "compositor"}, {"priority", "realtime"}},
                           {{"name", "indexer"}, {"priority", "idle"}}}},
                         {"queues",
                          {{{"name", "a"}, {"type", "direct"}, {"process", "indexer"}},
                           {{"name", "b"}, {"type", "direct"}, {"process", "game"}},
                           {{"name", "c"}, {"type", "compute"}, {"process", "game"}},
                           {{"name", "d"}, {"type", "direct"}, {"process", "compositor"}},
                           {{"name", "e"}, {"type", "direct"}}}}};
  const Program program = make_program(read_config<Workload>(document, "w.json"), "w.json");
  Machine machine(builtin_machine("tiny"));
  Player player(machine, program);
  const auto context = [&](std::size_t queue) -> const Context& {
    return machine.scheduler().context(player.queue(queue));
  };
  CHECK(context(0).rank.band == PriorityBand::idle);
  CHECK(context(1).rank.band == PriorityBand::focus);
  CHECK(context(2).rank.band == PriorityBand::focus);
  CHECK(context(3).rank.band == PriorityBand::realtime);
  CHECK(context(4).rank.band == PriorityBand::normal);
  CHECK(context(1).config.process == context(2).config.process);
  CHECK(context(0).config.process != context(1).config.process);
}

TEST_CASE("focus step: the process gets the focus when the CPU thread is there, and another loses it", "[api]") {
  const json document = {
      {"name", "w"},
      {"processes", {{{"name", "game"}, {"focus", true}}, {{"name", "editor"}}}},
      {"queues",
       {{{"name", "a"}, {"type", "direct"}, {"process", "game"}},
        {{"name", "b"}, {"type", "direct"}, {"process", "editor"}},
        {{"name", "c"}, {"type", "direct"}}}},
      {"cpus", {{{"name", "main"}, {"timeline", {work(10), {{"type", "focus"}, {"process", "editor"}}, work(10)}}}}}};
  const auto bands_after = [](const json& workload) {
    const Program program = make_program(read_config<Workload>(workload, "w.json"), "w.json");
    Machine machine(builtin_machine("tiny"));
    Player player(machine, program);
    const auto band = [&](std::size_t queue) { return machine.scheduler().context(player.queue(queue)).rank.band; };
    CHECK(band(0) == PriorityBand::focus);
    CHECK(player.play());
    return std::vector<PriorityBand>{band(0), band(1), band(2)};
  };
  CHECK(bands_after(document) ==
        std::vector<PriorityBand>{PriorityBand::normal, PriorityBand::focus, PriorityBand::normal});
  json to_nameless = document;
  to_nameless["cpus"][0]["timeline"][1]["process"] = "";
  CHECK(bands_after(to_nameless) ==
        std::vector<PriorityBand>{PriorityBand::normal, PriorityBand::normal, PriorityBand::focus});
}

TEST_CASE("processes, sleeps and deadlines in a workload: what is written is what was read", "[api]") {
  const auto first = dump_config(read_config<Workload>(small_workload(), "w.json"));
  CHECK(first == dump_config(read_config<Workload>(json(first), "w.json")));
  CHECK(json(first["processes"][0]) ==
        json({{"name", "app"}, {"priority", "normal"}, {"realtime_level", 0}, {"focus", true}, {"program", ""}}));
  CHECK(first["cpus"][0]["timeline"][6]["steps"][0]["us_step"] == 5);
  CHECK(first["deadlines"].size() == 2);
}
