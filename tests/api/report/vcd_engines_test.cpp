// SPDX-License-Identifier: Apache-2.0
// waves.vcd: what engines, contexts and screens do, and that GTKWave's own tools read it.
#include "api/report/vcd/vcd.hpp"
#include "tests/support/protocol_script.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/sink_output.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
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
