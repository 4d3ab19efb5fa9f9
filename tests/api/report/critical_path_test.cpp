// SPDX-License-Identifier: Apache-2.0
// The one thing on which a frame hung at each moment, in runs whose times are worked out by hand. On `tiny` one list
// fills the shader array, so in those runs no two engines have work at once.
#include "api/report/explain/critical_path.hpp"

#include "sim/config_error.hpp"
#include "tests/api/report/built_workload.hpp"
#include "tests/support/places.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Texts = std::vector<std::string>;
/// A run in short words. `d40` and `c40`: a direct or compute list of 40 us. `!`: a present, `!1` of interval 1. `+f=2`
/// and `?f=2`: signal fence f, and wait for it (`+f`: at 1). A thread's have the queue before them (`game:d40`); its
/// own are `40` (works 40 us), `^f` (raises f), and `6[` to `]`: six times, values of fences each time one more, with
/// `@40+500` (sleeps until 40 us, the next time 500 later).
struct Scene {
  CauseLog log;
  Built built;
  std::set<std::string> known;
  /// Each queue as name, type, what it has at time 0. Those that end with B are another process's.
  Scene(const Texts& queues, const Texts& threads) {
    for (const std::string& one : queues) {
      std::istringstream words(one);
      std::string name, type;
      words >> name >> type;
      built.queue(name, type, name.back() == 'B' ? "B" : "A")["timeline"] = steps(words);
    }
    for (const std::string& one : threads) {
      std::istringstream words(one);
      built.cpu(fmt::format("cpu {}", &one - threads.data()), steps(words));
    }
    built.play(log);
  }
  json steps(std::istringstream& words, bool repeated = false) {
    json result = json::array();
    for (std::string what; words >> what && what != "]";) {
      const std::size_t colon = what.find(':');
      const std::string queue = colon == std::string::npos ? "" : what.substr(0, colon);
      if (!queue.empty()) what.erase(0, colon + 1);
      json step;
      if (what.find_first_not_of("0123456789") > what.size()) step = {{"type", "work"}, {"us", num(what, 0)}};
      const bool is_list = what[0] == 'd' || what[0] == 'c';
      if (is_list && known.insert(what).second) built.list(what, what[0] == 'd' ? "direct" : "compute", num(what, 1));
      if (is_list) step = execute(what);
      if (what[0] == '!') step = {{"type", "present"}, {"interval", what == "!1" ? 1 : 0}};
      if (what.back() == '[') step = {{"type", "repeat"}, {"count", num(what, 0)}, {"steps", steps(words, true)}};
      if (what[0] == '@')
        step = {{"type", "sleep_until"}, {"us", num(what, 1)}, {"us_step", num(what, what.find('+') + 1)}};
      if (what[0] == '+' || what[0] == '?' || what[0] == '^') {
        const std::size_t equals = std::min(what.find('='), what.size());
        const std::string type = what[0] == '^' ? "fence_signal" : what[0] == '+' ? "signal" : "wait";
        const std::string fence = what.substr(1, equals - 1);
        if (known.insert("fence " + fence).second) built.fence(fence);
        step = {{"type", queue.empty() ? type : "queue_" + type}, {"fence", fence}};
        step["value"] = equals == what.size() ? 1 : num(what, equals + 1);
        if (repeated) step["value_step"] = 1;
      }
      if (!queue.empty()) step["queue"] = queue;
      result.push_back(step);
    }
    return result;
  }
  static std::uint64_t num(const std::string& word, std::size_t at) { return std::stoull(word.substr(at)); }
};

/// A microsecond is more than what an engine might add, and less than any part here.
bool near(std::uint64_t a_ps, std::uint64_t b_ps) { return (a_ps > b_ps ? a_ps - b_ps : b_ps - a_ps) <= ps; }

/// `expected`: times in microseconds, and between them queue and what it was: a list that ran, or a cause.
void check_parts(const std::vector<PathPart>& parts, const std::string& expected) {
  CAPTURE(expected);
  std::istringstream words(expected);
  std::uint64_t from = 0, to = 0;
  std::string wanted;
  words >> from;
  for (const PathPart& part : parts) {
    if (part.took_ps() < ps / 2) continue;
    const bool ran = part.cause.kind == CauseKind::running;
    std::string what = ran ? part.cause.what : name_of(part.cause.kind);
    if (what.rfind("list \"", 0) == 0) what = what.substr(6, what.size() - 7);
    REQUIRE(static_cast<bool>(words >> wanted >> to));
    CHECK(part.cause.queue + ":" + what == wanted);
    CHECK(near(part.from_ps, from * ps));
    CHECK(near(part.to_ps, to * ps));
    from = to;
  }
  CHECK_FALSE(static_cast<bool>(words >> wanted));
}

/// What holds for every path, whatever the run. Where a CPU thread is the cause, a path begins.
void check_cover(const CauseLog& log, const std::vector<PathPart>& parts, std::uint64_t from_ps, std::uint64_t to_ps) {
  REQUIRE(parts.empty() == (from_ps >= to_ps));
  std::uint64_t at_ps = from_ps;
  const Cause* last = nullptr;
  for (const PathPart& part : parts) {
    const Cause& cause = part.cause;
    CAPTURE(at_ps, part.from_ps, part.to_ps, name_of(cause.kind), cause.packet);
    CHECK((part.from_ps == at_ps && part.from_ps < part.to_ps));
    if (last != nullptr) {
      CHECK((cause.kind != last->kind || cause.packet != last->packet || cause.by != last->by));
      CHECK((cause.kind != CauseKind::not_submitted && cause.kind != CauseKind::fence_by_cpu));
    }
    at_ps = part.to_ps;
    last = &cause;
    if (cause.kind != CauseKind::running) continue;
    const CauseLog::Life* life = log.life(cause.packet);
    REQUIRE(life != nullptr);
    if (life->done) CHECK((part.from_ps >= life->done->started_ps && part.to_ps <= life->done->finished_ps));
  }
  CHECK((parts.empty() || at_ps == to_ps));
}

FramePath checked_frame(const CauseLog& log, const std::string& chain, std::uint64_t frame) {
  CAPTURE(chain, frame);
  const CauseLog::Life* life = log.present_of(chain, frame);
  REQUIRE((life != nullptr && life->done.has_value()));
  FramePath path = frame_path(log, chain, frame);
  CHECK((path.swap_chain == chain && path.frame == frame && path.presented));
  CHECK(path.from_ps == (frame == 1 ? 0 : log.present_of(chain, frame - 1)->done->completed_ps));
  CHECK(path.to_ps == life->done->completed_ps);
  check_cover(log, path.parts, path.from_ps, path.to_ps);
  return path;
}

/// Of the frames of a chain from the first on.
void check_frames(const CauseLog& log, const Texts& expected, const std::string& chain = "game") {
  for (std::size_t i = 0; i < expected.size(); ++i) check_parts(checked_frame(log, chain, i + 1).parts, expected[i]);
}
void check_run(const Texts& queues, const Texts& threads, const Texts& expected) {
  check_frames(Scene(queues, threads).log, expected);
}

std::string refusal(const CauseLog& log, const std::string& chain, std::uint64_t frame) try {
  frame_path(log, chain, frame);
  return {};  // there was none
} catch (const ConfigError& error) {
  return error.what();
}

}  // namespace

TEST_CASE("critical path: a frame hangs on its thread or on the frame before it", "[explain]") {
  check_run({"game direct"}, {"700 game:d40 game:! 1300 game:d40 game:!"},
            {"0 game:not_submitted 700 game:d40 740", "740 game:not_submitted 2000 game:d40 2040"});  // 700 + 1300
  check_run({"game direct d300 ! d450 !"}, {}, {"0 game:d300 300", "300 game:d450 750"});             // all queued at 0
  check_run({"game direct d300 !1 d450 !1"}, {}, {"0 game:d300 300", "300 game:d450 750"});
  // Queued at 100, 600, 1100: d60 is over before the next comes, of d700 one runs after the other.
  check_run({"game direct"}, {"3[ @100+500 game:d60 game:! ]"},
            {"0 game:not_submitted 100 game:d60 160", "160 game:not_submitted 600 game:d60 660",
             "660 game:not_submitted 1100 game:d60 1160"});
  check_run({"game direct"}, {"3[ @100+500 game:d700 game:! ]"},
            {"0 game:not_submitted 100 game:d700 800", "800 game:d700 1500", "1500 game:d700 2200"});
}

TEST_CASE("critical path: it goes back through fences across queues and engines", "[explain]") {
  // That fence a was at 1 from 45 on helped nobody.
  check_run({"a compute c45 +a c75 +a=2", "b direct ?a=2 d80 +b=7", "c compute ?b=7 c60 +c", "game direct ?c d25 !"},
            {}, {"0 a:c45 45 a:c75 120 b:d80 200 c:c60 260 game:d25 285"});
  check_run({"game direct ?d=6 d90 !", "d compute ?c=5 c50 +d=6", "c direct ?b=4 d110 +c=5", "b compute ?a=3 c70 +b=4",
             "a direct d30 +a=3"},
            {}, {"0 a:d30 30 b:c70 100 c:d110 210 d:c50 260 game:d90 350"});
}

TEST_CASE("critical path: a fence that a CPU thread raises is where it begins", "[explain]") {
  check_run({"helper compute ?go c70 +done=4", "game direct d90 ! ?done=4 d55 !"}, {"250 ^go"},
            {"0 game:d90 90", "90 helper:fence_by_cpu 250 helper:c70 320 game:d55 375"});
  // Of a list to 90 and a fence the later: at 250 the thread had not waited for the list.
  check_run({"game direct d90 ?go d55 !"}, {"40 ^go"}, {"0 game:d90 90 game:d55 145"});
  check_run({"game direct d90 ?go d55 !"}, {"250 ^go"}, {"0 game:fence_by_cpu 250 game:d55 305"});
}

TEST_CASE("critical path: a list of another queue is on it only if it still was in the way", "[explain]") {
  // d500 runs from 10 to 510. d60 is queued at 50 and waits for that, or at 800 and does not.
  check_run({"o direct", "game direct"}, {"10 o:d500 40 game:d60 game:!"},
            {"0 o:not_submitted 10 o:d500 510 game:d60 570"});
  check_run({"o direct", "game direct"}, {"10 o:d500 790 game:d60 game:!"}, {"0 game:not_submitted 800 game:d60 860"});
  // c90, behind whose end there is a fence, is queued at 30 and waits to 410.
  check_run({"o compute", "h compute", "game direct ?f d45 !"}, {"10 o:c400 20 h:c90 h:+f"},
            {"0 o:not_submitted 10 o:c400 410 h:c90 500 game:d45 545"});
  // c100 is over at 110, in whatever order fences are waited for.
  for (const char* game : {"game direct ?f ?g d15 !", "game direct ?g ?f d15 !"}) {
    check_run({"x compute", "y compute", game}, {"10 x:c100 x:+f 290 y:c70 y:+g"},
              {"0 y:not_submitted 300 y:c70 370 game:d15 385"});
  }
  // d30 runs to 40, d300 to 340; the first present comes at 60, when d300 runs already.
  check_run({"game direct", "h direct"}, {"10 game:d30 5 h:d300 45 game:! game:d20 game:!"},
            {"0 game:not_submitted 60", "60 h:d300 340 game:d20 360"});
}

TEST_CASE("critical path: a second list or a present is on it where it is queued late", "[explain]") {
  // d100 runs from 20 to 120: what is queued at 80 waits for it, what is queued at 320 for nothing.
  const std::string early = "0 game:not_submitted 20 game:d100 120 game:d50 170";
  check_run({"game direct"}, {"20 game:d100 60 game:d50 game:!"}, {early});
  check_run({"game direct"}, {"20 game:d100 game:d50 60 game:!"}, {early});
  check_run({"game direct"}, {"20 game:d100 300 game:d50 game:!"}, {"0 game:not_submitted 320 game:d50 370"});
  check_run({"game direct"}, {"20 game:d100 game:d50 300 game:!"}, {"0 game:not_submitted 320"});
}

TEST_CASE("critical path: of two swap chains it has to be said which", "[explain]") {
  const Scene scene({"game direct", "hud direct"},
                    {"50 hud:d200 hud:! 5 game:d100 game:! 545 game:d80 game:! 10 hud:d40 hud:!"});
  // d200 from 50; d100, queued at 55, from 250; d80 from 600; d40, queued at 610, from 680.
  const CauseLog& log = scene.log;
  check_frames(log, {"0 hud:not_submitted 50 hud:d200 250 game:d100 350", "350 game:not_submitted 600 game:d80 680"});
  check_frames(log, {"0 hud:not_submitted 50 hud:d200 250", "250 game:not_submitted 600 game:d80 680 hud:d40 720"},
               "hud");
  CHECK_THAT(refusal(log, "", 1), Catch::Contains("game") && Catch::Contains("hud"));
  CHECK_THAT(refusal(log, "spreadsheet", 1), Catch::Contains("game") && Catch::Contains("hud"));
  CHECK_THAT(refusal(log, "gane", 1), Catch::Contains("did you mean") && Catch::Contains("game"));
  for (const std::uint64_t frame : {0U, 3U}) CHECK_FALSE(refusal(log, "game", frame).empty());
  CHECK_FALSE(refusal(Scene({"game direct d10"}, {}).log, "", 1).empty());  // nothing is presented
}

TEST_CASE("critical path: of a packet it is cut where it is asked from and empty after it", "[explain]") {
  const Scene scene({"h compute c120 +f", "game direct ?f d60 !"}, {});
  for (const std::uint64_t packet : {scene.log.of_queue("game").at(1), scene.log.present_of("game", 1)->id}) {
    const std::uint64_t end = scene.log.life(packet)->done->completed_ps;
    for (const char* expected : {"0 h:c120 120 game:d60 180", "50 h:c120 120 game:d60 180", "150 game:d60 180"}) {
      const std::uint64_t from = Scene::num(expected, 0) * ps;
      check_cover(scene.log, critical_path(scene.log, packet, from), from, end);
      check_parts(critical_path(scene.log, packet, from), expected);
    }
    for (const std::uint64_t us : {0U, 5U}) CHECK(critical_path(scene.log, packet, end + us * ps).empty());
  }
  CHECK(frame_path(scene.log, "", 1).swap_chain == "game");  // there is no other
}

TEST_CASE("critical path: text and JSON say what it is", "[explain]") {
  const Scene scene({"o direct", "game direct"}, {"game:d60 game:! 170 o:d410 40 game:d60 game:!"});
  const FramePath path = frame_path(scene.log, "game", 2);
  check_parts(path.parts, "60 o:not_submitted 170 o:d410 580 game:d60 640");
  const auto found = json_of(path);
  json wanted = {{"frame", 2}, {"swap_chain", "game"}, {"from_ps", path.from_ps}, {"to_ps", path.to_ps}};
  wanted["presented"] = true;
  if (path.shown_ps > 0) wanted["on_screen_ps"] = path.shown_ps;
  for (const auto& [key, value] : wanted.items()) CHECK(found.at(key).dump() == value.dump());
  REQUIRE(found.at("path").size() == path.parts.size());
  for (std::size_t i = 0; i < path.parts.size(); ++i) {
    const PathPart& part = path.parts[i];
    json one = {{"from_ps", part.from_ps}, {"to_ps", part.to_ps}, {"cause", name_of(part.cause.kind)}};
    one.update({{"packet", part.cause.packet}, {"queue", part.cause.queue}, {"what", part.cause.what}});
    for (const auto& [key, value] : one.items()) CHECK(found.at("path").at(i).at(key).dump() == value.dump());
  }
  const std::string text = text_of(path);
  CAPTURE(text);
  CHECK(text.rfind("frame 2 of \"game\": ", 0) == 0);
  REQUIRE(text.find("in all") != std::string::npos);
  const std::string in_all = text.substr(text.rfind('\n', text.find("in all")) + 1);
  const std::regex share(R"(([0-9]+(\.[0-9]+)?) ?%)");
  double sum = 0;
  for (std::sregex_iterator at(in_all.begin(), in_all.end(), share), end; at != end; ++at) sum += std::stod((*at)[1]);
  CHECK(sum == Approx(100).margin(2));  // each is rounded
}

TEST_CASE("critical path: parts cover every frame of 60 random runs", "[explain]") {
  std::mt19937_64 random(25);
  const auto between = [&](std::uint64_t least, std::uint64_t most) { return least + random() % (most - least + 1); };
  const auto coin = [&] { return between(0, 1) == 0; };
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t presenters = between(1, 3), workers = between(1, 4 - presenters), frames = between(2, 5);
    Texts queues, threads, fences = {"go"};
    for (auto i = workers; i > 0; --i) queues.push_back(fmt::format("w{}{}", i, coin() ? " compute" : "B direct"));
    // In one order for all queues, where waits stand behind their signals: nothing deadlocks.
    for (std::uint64_t left = between(3, 9), what = 0; left > 0; --left) {
      std::string& queue = queues[between(0, workers - 1)];
      what = between(0, 3);
      if (what < 2) queue += fmt::format(" {}{}", queue.find("direct") < queue.size() ? 'd' : 'c', between(5, 300));
      if (what == 2) queue += " ?" + fences[between(0, fences.size() - 1)];
      if (what == 3) queue += " +" + fences.emplace_back(fmt::format("f{}", left));
    }
    for (std::uint64_t i = 0; i < presenters; ++i) {
      const std::string name = fmt::format("game{}{}", i, coin() ? "B" : "");
      queues.push_back(name + " direct");
      std::string thread = fmt::format("{}{}", between(1, 400), i == 0 ? " ^go" : "");
      if (coin()) thread += fmt::format(" {}:?{}", name, fences[between(0, fences.size() - 1)]);
      thread += fmt::format(" {}[ {}{}", frames, coin() ? "@300+" : "", between(1, 500));
      if (i > 0 && coin()) thread += fmt::format(" {}:?beat{}", name, i - 1);  // the same frame of the one before
      if (coin()) thread += fmt::format(" {}:d{} {}", name, between(5, 300), between(1, 200));
      thread += fmt::format(" {}:d{} {}:+beat{} {}:!{} ]", name, between(5, 300), name, i, name, coin() ? "" : "1");
      threads.push_back(thread);
    }
    CAPTURE(round, queues, threads);
    const Scene scene(queues, threads);
    REQUIRE(scene.log.swap_chains().size() == presenters);
    for (const std::string& chain : scene.log.swap_chains())
      for (std::uint64_t frame = 1; frame <= frames; ++frame) checked_frame(scene.log, chain, frame);
  }
}

TEST_CASE("critical path: parts cover the frames of a shipped workload whole or cut off", "[explain]") {
  for (const bool cut : {false, true}) {
    CauseLog log;
    RunOptions options;
    options.progress = &log;
    options.is_end = cut;
    if (cut) options.limit_ps = 14'450 * ps;  // the game queued a frame of half a millisecond at least at 14,400
    RunResult result;
    run_workload(load_workload(source_directory() / "configs/workloads/flip_storm.json", "", {}), options, result);
    REQUIRE((cut || (result.completed && log.swap_chains().size() == 5)));
    const CauseLog::Life* life = nullptr;
    for (const std::string& chain : log.swap_chains()) {
      std::uint64_t frame = 1, last = 0;
      for (; (life = log.present_of(chain, frame)) != nullptr && life->done.has_value() && frame <= 40; ++frame)
        last = checked_frame(log, chain, frame).to_ps;
      CAPTURE(cut, chain, frame);
      const bool pending = life != nullptr && !life->done.has_value();
      CHECK((cut ? pending || chain != "game" : !pending));
      if (!pending) continue;
      const FramePath path = frame_path(log, chain, frame);
      CHECK((!path.presented && path.from_ps == last && path.to_ps == log.end_ps()));
      check_cover(log, path.parts, last, log.end_ps());
    }
  }
}
