// SPDX-License-Identifier: Apache-2.0
// Each promise of frames broken by itself: the checker says so.
#include "scheduler/checker/frame_checker.hpp"

#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Two frames of interval 2 on a screen of 1 kHz, or one of 500 to 1000 Hz.
struct TwoFrames {
  explicit TwoFrames(bool variable = false)
      : checker(log, {{"screen", 1'000'000, variable ? std::optional<std::uint64_t>(500'000) : std::nullopt}},
                violations) {
    first = {
        log.name("game"), log.name("screen"), FrameRecord::Fate::shown, 1, false, 2, {}, 0, ms / 2, 1 * ms, 3 * ms};
    second = {
        log.name("game"), log.name("screen"), FrameRecord::Fate::shown, 2, false, 2, {}, ms, ms + 1, 3 * ms, 5 * ms};
  }
  std::string judged() {
    checker.frame(first);
    checker.frame(second);
    return violations.report();
  }
  EventLog log;
  Violations violations;
  FrameChecker checker;
  FrameRecord first;
  FrameRecord second;
};

std::string judged(const std::function<void(TwoFrames&)>& change, bool variable = false) {
  TwoFrames frames(variable);
  change(frames);
  return frames.judged();
}

}  // namespace

TEST_CASE("frame checker: what keeps the rules passes", "[scheduler]") {
  CHECK(judged([](TwoFrames&) {}).empty());
  CHECK(judged([](TwoFrames&) {}, true).empty());
  CHECK(judged([](TwoFrames& f) { f.first.input_ps = 0; }).empty());
  CHECK(judged([](TwoFrames& f) {  // of interval 0 the next one comes at the next vertical blank
          f.second.interval = 0;
          f.first.left_ps = f.second.on_screen_ps = 2 * ms;
        })
            .empty());
  CHECK(judged([](TwoFrames& f) {  // and a tearing one whenever it likes
          f.second.interval = 0;
          f.second.fate = FrameRecord::Fate::tore;
          f.first.left_ps = f.second.on_screen_ps = ms + 7;
        })
            .empty());
  CHECK(judged([](TwoFrames& f) {  // so does the one for which it was discarded
          FrameRecord between = f.second;
          between.interval = 0;
          between.fate = FrameRecord::Fate::discarded;
          between.on_screen_ps = between.left_ps;
          f.checker.frame(between);
          f.second.ready_ps = ms + 2;
          f.second.frame = 3;
          f.first.left_ps = f.second.on_screen_ps = 2 * ms;
        })
            .empty());
  CHECK(judged([](TwoFrames& f) {  // one that a compositor took stays as long as that one's frames say
          f.second.composed = true;
          f.first.left_ps = f.second.on_screen_ps = 2 * ms;
        })
            .empty());
  CHECK(judged([](TwoFrames& f) { f.first.left_ps = f.second.on_screen_ps = 3 * ms + 11; }, true).empty());
}

TEST_CASE("frame checker: each broken promise is told", "[scheduler]") {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(judged([](TwoFrames& f) { f.first.input_ps = ms; }), "in this order"));
  CHECK(has(judged([](TwoFrames& f) { f.second.ready_ps = 4 * ms; }), "in this order"));
  CHECK(has(judged([](TwoFrames& f) { f.first.ready_ps = ms - 1, f.second.presented_ps = 0, f.second.ready_ps = 1; }),
            "ready after frame 1"));
  CHECK(has(judged([](TwoFrames& f) { f.second.on_screen_ps = 4 * ms; }), "when the last one left"));
  CHECK(has(judged([](TwoFrames& f) { f.first.left_ps = f.second.on_screen_ps = 3 * ms + 1; }),
            "from a vertical blank on"));
  CHECK(has(judged([](TwoFrames& f) { f.second.ready_ps = 3 * ms; }), "ready before its vertical blank"));
  CHECK(has(judged([](TwoFrames& f) { f.first.left_ps = f.second.on_screen_ps = 2 * ms; }), "frame 1 to stay for 2"));
  CHECK(has(judged([](TwoFrames& f) { f.second.fate = FrameRecord::Fate::tore; }), "no tearing of interval 1"));
  CHECK(has(judged([](TwoFrames& f) { f.first.left_ps = f.second.on_screen_ps = 3 * ms - 1; }, true),
            "frame 1 to stay for 2"));
}

namespace {

/// What is said of a frame that tore at 1.3 ms and left at 1.31 ms, on a screen of 1 kHz with 900 lines and 100 blank
/// ones: a line a microsecond.
std::string judged_lines(const std::function<void(FrameRecord&)>& change, bool variable = false) {
  EventLog log;
  Violations violations;
  OutputLimits limits{"screen", 1'000'000, {}, 900, 100};
  if (variable) limits.least_mhz = 500'000;
  FrameChecker checker(log, {limits}, violations);
  FrameRecord frame{log.name("game"),
                    log.name("screen"),
                    FrameRecord::Fate::tore,
                    1,
                    false,
                    0,
                    {},
                    0,
                    1300 * us,
                    1300 * us,
                    1310 * us,
                    200,
                    10};
  change(frame);
  checker.frame(frame);
  return violations.report();
}

}  // namespace

TEST_CASE("frame checker: a frame tears at the line that is being scanned, and has those until it leaves",
          "[scheduler]") {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(judged_lines([](FrameRecord&) {}).empty());
  CHECK(judged_lines([](FrameRecord&) {}, true).empty());
  CHECK(has(judged_lines([](FrameRecord& f) { f.tear_line = 201; }), "a tear at line 200"));
  CHECK(has(judged_lines([](FrameRecord& f) { f.tear_line.reset(); }), "a tear at line 200"));
  CHECK(has(judged_lines([](FrameRecord& f) { f.tear_line = 900; }, true), "a tear at one of 900 lines"));
  CHECK(has(judged_lines([](FrameRecord& f) { f.fate = FrameRecord::Fate::shown; }, true), "no tear of a frame"));
  CHECK(has(judged_lines([](FrameRecord& f) { f.lines = 11; }), "10 lines scanned"));
  CHECK(has(judged_lines([](FrameRecord& f) { f.lines = 2000; }, true), "at most 1800 lines"));
}
