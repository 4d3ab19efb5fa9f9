// SPDX-License-Identifier: Apache-2.0
// waves.vcd: what engines, contexts and screens do, and that GTKWave's own tools read it.
#include "api/report/deadline_row.hpp"
#include "api/report/vcd/vcd.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/protocol_script.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/sink_output.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Changes = std::vector<std::pair<std::uint64_t, std::string>>;

/// Changes of each signal, by its path: time in microseconds and the digits.
std::map<std::string, Changes> signals_of(const std::string& dump) {
  std::istringstream in(dump);
  std::string path;
  std::map<std::string, std::string> names;
  std::map<std::string, Changes> changes;
  std::uint64_t now = 0;
  for (std::string word; in >> word;) {
    if (word == "$scope") {
      in >> word >> word;
      path += word + ".";
    } else if (word == "$upscope") {
      path.erase(path.rfind('.', path.size() - 2) == std::string::npos ? 0 : path.rfind('.', path.size() - 2) + 1);
    } else if (word == "$var") {
      std::string code;
      in >> word >> word >> code >> word;
      names[code] = path + word;
    } else if (word[0] == '#') {
      now = std::stoull(word.substr(1)) / 1'000'000;
    } else if (word[0] == 'b') {
      std::string code;
      in >> code;
      changes[names.at(code)].emplace_back(now, word.substr(1));
    } else if (word[0] == '0' || word[0] == '1') {
      if (names.count(word.substr(1)) == 1) changes[names.at(word.substr(1))].emplace_back(now, word.substr(0, 1));
    }
  }
  return changes;
}

}  // namespace

TEST_CASE("vcd: an engine shows what state it moves, whose packet it runs and how full its hardware queue is",
          "[sim]") {
  EventLog log;
  const auto signals = signals_of(finished_output_of<VcdSink>(log, 400'000'000, [&] {
    ProtocolScript script(log);
    play_game_and_compositor(script);
  }));
  CHECK(signals.at("adapter._3d0.save") == Changes{{0, "0"}, {170, "1"}, {175, "0"}});
  CHECK(signals.at("adapter._3d0.switch") == Changes{{0, "0"}, {181, "1"}, {183, "0"}, {204, "1"}, {205, "0"}});
  CHECK(signals.at("adapter._3d0.restore") == Changes{{0, "0"}, {205, "1"}, {217, "0"}});
  CHECK(signals.at("adapter.scheduler.game.running") == Changes{{0, "1"}, {170, "0"}, {217, "1"}, {300, "0"}});
  CHECK(signals.at("adapter.scheduler.compositor.running") == Changes{{0, "0"}, {183, "1"}, {203, "0"}});
  CHECK(signals.at("adapter._3d0.depth0") == Changes{{0, "1"}, {175, "0"}, {180, "10"}, {204, "1"}, {301, "0"}});
}

TEST_CASE("vcd: a screen has the number of its last vertical blank, a swap chain that of its frame", "[sim]") {
  EventLog log;
  const LogName output = log.name("adapter.display");
  const LogName chain = log.name("adapter.display.game");
  const auto signals = signals_of(finished_output_of<VcdSink>(log, 90'000'000, [&] {
    for (std::uint64_t i = 1; i <= 3; ++i) {
      log.instant({output, log.name("vblank"), i * 16'000'000, i});
      FrameRecord frame{};
      frame.swap_chain = chain;
      frame.output = output;
      frame.fate = i == 2 ? FrameRecord::Fate::discarded : FrameRecord::Fate::shown;
      frame.frame = i;
      frame.on_screen_ps = i * 16'000'000;
      frame.left_ps = i * 16'000'000 + 16'000'000;
      log.frame(frame);
    }
    log.instant({output, log.name("other"), 80'000'000, 9});
  }));
  CHECK(signals.at("adapter.display.vblank") == Changes{{0, "x"}, {16, "1"}, {32, "10"}, {48, "11"}});
  CHECK(signals.at("adapter.display.game.frame") == Changes{{0, "x"}, {16, "1"}, {48, "11"}});
}

TEST_CASE("vcd: a fence has its initial value until it is written, a deadline turns over whenever it is due", "[sim]") {
  EventLog log;
  const LogName fence = log.name("adapter.fences.f");
  const LogName other = log.name("adapter.fences.g");
  const LogName vsync = log.name("vsync");
  const CounterKind value = CounterKind::fence_value;
  const std::uint64_t us = 1'000'000;
  const TemporaryDirectory directory;
  OutputFile file(directory / "waves.vcd");
  VcdSink sink(
      file,
      [&] {
        return std::vector<Counter>{{fence, value, 0, 3}, {other, value, 0, 7}};
      },
      [&] {
        return std::vector<DeadlineRow>{{vsync, fence, 2, 2 * us, 2 * us + 1},     // missed
                                        {vsync, fence, 1, 1 * us, 1 * us},         // kept, just
                                        {vsync, fence, 3, 3 * us, std::nullopt},   // missed
                                        {vsync, fence, 4, 3 * us, std::nullopt},   // missed, at the same time
                                        {vsync, fence, 5, 9 * us, std::nullopt}};  // behind the end
      });
  log.attach(sink, EventLog::Detail::commands);
  log.counter({fence, value, 2 * us, 4});
  log.finish(5 * us);
  log.detach(sink);
  file.close();
  const auto signals = signals_of(contents_of(directory / "waves.vcd"));
  CHECK(signals.at("adapter.fences.f.value") == Changes{{0, "11"}, {2, "100"}});
  CHECK(signals.at("adapter.fences.g.value") == Changes{{0, "111"}});
  CHECK(signals.at("deadlines.vsync.due") == Changes{{0, "0"}, {1, "1"}, {2, "0"}, {3, "1"}});
  CHECK(signals.at("deadlines.vsync.missed") == Changes{{0, "0"}, {2, "1"}, {3, "11"}});
}

TEST_CASE("vcd: vertical blanks that are deadlines of a workload are a signal, and its fences are known",
          "[scenario]") {
  const Shell shell;
  const std::string workload = shipped_workload("game_and_compositor").string();
  REQUIRE(shell.fenceline({"run", workload, "--vcd", "--out", "run"}).code == 0);
  const auto signals = signals_of(contents_of(shell.work() / "run/waves.vcd"));
  const nlohmann::json report = load_json(shell.work() / "run/report.json");
  const std::uint64_t end_ps = report.at("statistics").at("end_ps");
  Changes expected = {{0, "0"}};
  for (std::uint64_t blank = 1; blank <= 12 && blank * 6'944'444'444 <= end_ps; ++blank) {
    expected.emplace_back(blank * 6'944'444'444 / 1'000'000, blank % 2 == 1 ? "1" : "0");
  }
  CHECK(expected.size() > 10);
  CHECK(signals.at("deadlines.vsync.due") == expected);
  std::size_t fences = 0;
  for (const auto& [path, changes] : signals) {
    if (path.rfind("adapter.fences.", 0) != 0) continue;
    INFO(path);
    CHECK(changes.front() == std::pair<std::uint64_t, std::string>(0, "0"));
    ++fences;
  }
  CHECK(fences >= 2);
}

TEST_CASE("vcd: a reset empties the hardware queues of its engine", "[sim]") {
  EventLog log;
  const auto signals = signals_of(finished_output_of<VcdSink>(log, 90'000'000, [&] {
    ProtocolScript script(log);
    script.arrive(1, "game", 1, 1);
    RecoveryRecord reset{RecoveryRecord::Step::engine_reset};
    reset.node = script.node();
    reset.at_ps = 50'000'000;
    log.recovery(reset);
  }));
  CHECK(signals.at("adapter._3d0.depth0") == Changes{{0, "x"}, {1, "1"}, {50, "0"}});
}

TEST_CASE("vcd: GTKWave's tools read a run's waves and give the same changes back", "[scenario]") {
  const Shell shell;
  if (shell.run("command -v vcd2fst fst2vcd").code != 0) {
    WARN("SKIPPED: no vcd2fst and fst2vcd (Debian: gtkwave)");
    return;
  }
  for (const char* name : {"game_and_compositor", "flip_storm", "hang_and_recover"}) {
    INFO(name);
    shell.fenceline({"run", shipped_workload(name).string(), "--vcd", "--out", name});
    const auto dump = shell.work() / name / "waves.vcd";
    REQUIRE(shell.run("vcd2fst " + Shell::quoted(dump.string()) + " waves.fst && fst2vcd waves.fst > back.vcd").code ==
            0);
    const auto before = signals_of(contents_of(dump));
    const auto after = signals_of(contents_of(shell.work() / "back.vcd"));
    CHECK(before.size() == after.size());
    CHECK(!before.empty());
    std::size_t compared = 0;
    for (const auto& [path, changes] : before) {
      const auto found = after.find(path);
      if (found == after.end()) continue;
      // Its way of writing a value has leading zeros, and at one time may repeat one.
      Changes told;
      for (auto [at, digits] : found->second) {
        const std::size_t first = digits.find_first_not_of(digits[0] == 'x' ? "x" : "0");
        digits = digits[0] == 'x' ? "x" : first == std::string::npos ? "0" : digits.substr(first);
        if (told.empty() || told.back().second != digits) told.emplace_back(at, digits);
      }
      CHECK(told == changes);
      ++compared;
    }
    CHECK(compared == before.size());
  }
}
