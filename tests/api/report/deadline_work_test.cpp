// SPDX-License-Identifier: Apache-2.0
// report.json's row for each time of a deadline: its packet, where its time went, what ran meanwhile.
#include "api/report/explain/deadline_work.hpp"

#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

PacketRecord packet_of(EventLog& log, const char* queue, PacketType type, std::uint64_t id, std::uint64_t submitted,
                       std::uint64_t started, std::uint64_t finished) {
  PacketRecord packet{};
  packet.id = id;
  packet.context = log.name(queue);
  packet.node = log.name("3d0");
  packet.label = log.name("list " + std::to_string(id));
  packet.type = type;
  packet.submitted_ps = packet.head_ps = packet.ready_ps = packet.hardware_ps = submitted;
  packet.started_ps = started;
  packet.finished_ps = packet.completed_ps = finished;
  return packet;
}

}  // namespace

TEST_CASE("deadline work: the packet before the signal, and what its engine ran while it waited", "[sim]") {
  // By construction: so many packets of others run one after the other while the packet waits, and nothing else does.
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    INFO(round);
    EventLog log;
    const LogName fence = log.name("shown");
    DeadlineWork work({fence});
    log.attach(work);
    const std::uint64_t ready = 1000 + random() % 1000;
    std::uint64_t now = ready - random() % 1000;  // the first of them may run already
    std::vector<std::pair<std::string, std::uint64_t>> expected;
    const std::uint64_t others = random() % 6;
    for (std::uint64_t id = 1; id <= others; ++id) {
      const std::uint64_t end = std::max(now + 1 + random() % 5000, ready + 1);
      const LogName list = log.name("list " + std::to_string(id));
      log.span({log.name("3d0"), SpanKind::packet, list, now, end, id});
      log.span({log.name("copy0"), SpanKind::packet, log.name("upload"), now, end, 50 + id});  // another engine's
      expected.emplace_back(log.text(list), end - std::max(now, ready));
      now = end;
    }
    now = std::max(now, ready);
    if (others > 0) {
      log.attempt({log.name("3d0"), 0, 90, 1, log.name("MissNoCommand"), ready});
      log.attempt({log.name("3d0"), 0, 90, others, log.name("MissAlreadyRunning"), ready + 1});
      log.attempt({log.name("3d0"), 0, 90, others, log.name("Success"), ready + 2});
    }
    log.span({log.name("3d0"), SpanKind::packet, log.name("list 90"), now, now + 700, 90});
    log.packet(packet_of(log, "app", PacketType::render, 90, ready, now, now + 700));
    log.packet(packet_of(log, "other", PacketType::render, 91, ready, now, now + 700));
    PacketRecord signal = packet_of(log, "app", PacketType::signal, 92, ready, now + 700, now + 710);
    signal.label = fence;
    signal.fence_value = 4;
    log.packet(signal);

    const std::vector<DeadlineTime> rows = work.times_of(
        log, {{log.name("vsync"), fence, 4, now, now + 705}, {log.name("vsync"), fence, 5, now * 2, std::nullopt}}, 10);
    REQUIRE(rows.size() == 2);
    REQUIRE(rows[0].packet);
    const DeadlinePacket& packet = *rows[0].packet;
    CHECK(rows[0].reached_ps == now + 705);
    CHECK(packet.id == 90);
    CHECK(packet.queue == "app");
    CHECK(packet.engine_wait_ps == now - ready);
    CHECK(packet.running_ps == 700);
    std::stable_sort(expected.begin(), expected.end(), [](auto& a, auto& b) { return a.second > b.second; });
    REQUIRE(packet.meanwhile.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(packet.meanwhile[i].ps == expected[i].second);
    std::uint64_t sum = 0;
    for (const RanMeanwhile& one : packet.meanwhile) sum += one.ps;
    CHECK(sum == (others == 0 ? 0 : now - ready));  // all of the wait has its reason
    CHECK(packet.could_not_stop.has_value() == (others > 0));
    if (others > 0) {
      CHECK(packet.could_not_stop->packet == others);
      CHECK(packet.could_not_stop->list == "list " + std::to_string(others));
      CHECK(packet.could_not_stop->result == "MissAlreadyRunning");
    }
    CHECK_FALSE(rows[1].reached_ps);
    CHECK_FALSE(rows[1].packet);
    CHECK(json_of(rows[1]).at("reached_ps").is_null());
    CHECK_FALSE(json_of(rows[1]).contains("packet"));
  }
}

TEST_CASE("game_and_compositor: each missed vertical blank names its packet and the game's that ran", "[scenario]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("game_and_compositor").string(), "--out", "run"}).code == 0);
  const json statistics = json::parse(contents_of(shell.work() / "run" / "report.json")).at("statistics");
  std::uint64_t missed = 0;
  for (const json& row : statistics.at("deadline_times")) {
    INFO(row.dump());
    if (row.at("deadline") != "vsync") continue;
    CHECK(row.at("packet").at("queue") == "adapter.scheduler.compositor");
    CHECK(row.at("packet").at("list") == "composition");
    if (row.at("reached_ps") <= row.at("due_ps")) continue;
    ++missed;
    CHECK(row.at("packet").at("meanwhile")[0].at("list") == "game frame");
    const auto waited = row.at("packet").at("engine_wait_ps").get<std::uint64_t>();
    CHECK(row.at("packet").at("meanwhile")[0].at("ps") <= waited);
    CHECK(row.at("packet").at("meanwhile")[0].at("ps") > waited / 3);
  }
  for (const json& deadline : statistics.at("deadlines")) {
    if (deadline.at("deadline") == "vsync") CHECK(missed == deadline.at("missed"));
  }
  CHECK(missed > 0);
}

TEST_CASE("explain: a missed vertical blank has its packet, where its time went and who could not be stopped",
          "[scenario][cli]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("game_and_compositor").string(), "--out", "run"}).code == 0);
  const auto output = shell.fenceline({"explain", "run", "--deadline", "vsync", "--at", "20833"});
  CHECK(output.code == 0);
  CHECK(
      output.out ==
      "vsync, value 3: due at 20833.333 us, reached at 29645.105 us: missed by 8811.772 us\n"
      "packet       9, list \"composition\" of adapter.scheduler.compositor on adapter.3d0, submitted at 17833.333 us\n"
      "       11222.605 us waiting for the engine\n"
      "         586.667 us running\n"
      "meanwhile    adapter.3d0 ran list \"game frame\" for 11211.205 us\n"
      "not stopped  packet 7, list \"game frame\", at 24779.278 us: MissNoCommand\n"
      "when it was due\n"
      "compositor   packet 9, list \"composition\": waited for 3d0, which had packet 7 to run, until 29044.538 us\n"
      "               it could not be stopped for it at 17833.333 us: MissNoCommand\n"
      "game         packet 7, list \"game frame\": ran on 3d0, until 29044.538 us\n");
  CHECK(shell.fenceline({"explain", "run", "--deadline", "vsync"}).out == output.out);  // the latest of all
  CHECK(json::parse(shell.fenceline({"explain", "run", "--deadline", "vsync", "--at", "20833", "--json"}).out)
            .at("packet")
            .at("id") == 9);
  const auto unknown = shell.fenceline({"explain", "run", "--deadline", "vsnyc"});
  CHECK(unknown.code == 2);
  CHECK(unknown.err.find("\"game frame\", \"vsync\"") != std::string::npos);
}

TEST_CASE("explain: of a queue or a packet the chain of causes, of a run that is played again", "[scenario][cli]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("multi_engine").string(), "--out", "run"}).code == 0);
  const auto queue = shell.fenceline({"explain", "run", "--queue", "render", "--at", "100"});
  CHECK(queue.code == 0);
  CHECK(queue.out ==
        "at 100.000 us\n"
        "render       packet 5, wait for \"copy\" at 101: waited for fence \"copy\" at 101, which packet 2 signals, "
        "until 174.647 us\n"
        "copy         packet 2, signal of \"copy\" to 101: stood behind packet 1 of its queue, until 174.647 us\n"
        "copy         packet 1, list \"copy geometry\": ran on copy0, until 172.377 us\n");
  CHECK(shell.fenceline({"explain", "run/report.json", "--packet", "5", "--at", "100"}).out == queue.out);
  const json chain =
      json::parse(shell.fenceline({"explain", "run", "--queue", "render", "--at", "100", "--json"}).out)["chain"];
  REQUIRE(chain.size() == 3);
  CHECK(chain[0]["cause"] == "fence");
  CHECK(chain[2]["cause"] == "running");
  CHECK(shell.fenceline({"explain", "run", "--queue", "render", "--at", "9e9"}).out ==
        "at 9000000000.000 us all that queue render had was complete\n");
  CHECK(shell.fenceline({"explain", "run", "--queue", "rendr", "--at", "1"}).err ==
        "--queue: /: expected a queue that had work: compute, copy, render, found \"rendr\" (did you mean "
        "\"render\"?)\n");
  CHECK(shell.fenceline({"explain", "run", "--packet", "999999"}).code == 2);
  CHECK(shell.fenceline({"explain", "run", "--queue", "render"}).code == 2);
  CHECK(shell.fenceline({"explain", "run"}).code == 2);
}

TEST_CASE("explain: a damaged time of a deadline is refused in a line that names what is wrong there", "[cli]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("game_and_compositor").string(), "--out", "run"}).code == 0);
  const json whole = json::parse(contents_of(shell.work() / "run/report.json"));
  std::filesystem::create_directory(shell.work() / "damaged");
  const std::string pointer = "/statistics/deadline_times";
  const json& times = whole.at(json::json_pointer(pointer));
  // Of each place the first time that has it: where the line has to say that it is wrong.
  const auto first_with = [&](const json::json_pointer& place) {
    const auto has = [&](const json& time) { return time.contains(place); };
    return std::find_if(times.begin(), times.end(), has) - times.begin();
  };
  const auto told = [&](const json& report) {
    write_file(shell.work() / "damaged/report.json", report.dump());
    const auto output = shell.fenceline({"explain", "damaged", "--deadline", "vsync"});
    CHECK(output.code == 2);
    CHECK(std::count(output.err.begin(), output.err.end(), '\n') == 1);
    return output.err.substr(0, output.err.find('\n'));
  };
  for (const char* place : {"value", "due_ps", "reached_ps", "packet/id", "packet/submitted_ps", "packet/running_ps",
                            "packet/meanwhile/0/ps", "packet/could_not_stop/packet", "packet/could_not_stop/at_ps"}) {
    const json::json_pointer at(std::string("/") + place);
    const json::json_pointer there(fmt::format("{}/{}/{}", pointer, first_with(at), place));
    for (const json& bad : {json(5.5e23), json(-1), json(0.5), json("1"), json(true), json(json::array())}) {
      CAPTURE(place, bad);
      json report = whole;
      report[there] = bad;
      CHECK_THAT(told(report), Catch::Matchers::Contains(there.to_string() + ": expected an integer"));
    }
  }
  for (const char* place : {"deadline", "packet/queue", "packet/list", "packet/meanwhile/0/list"}) {
    const json::json_pointer at(std::string("/") + place);
    const json::json_pointer there(fmt::format("{}/{}/{}", pointer, first_with(at), place));
    CAPTURE(place);
    json report = whole;
    report[there] = 7;
    CHECK_THAT(told(report), Catch::Matchers::Contains(there.to_string() + ": expected a string, found 7"));
    report = whole;
    report[there.parent_pointer()].erase(there.back());
    CHECK_THAT(told(report),
               Catch::Matchers::Contains(there.parent_pointer().to_string() + ": expected the required key \"" +
                                         there.back() + "\", found no such key"));
  }
}

TEST_CASE("explain: a run without deadlines, and what is no run, are refused in a line", "[cli]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("multi_engine").string(), "--out", "run"}).code == 0);
  CHECK(shell.fenceline({"explain", "run", "--deadline", "vsync"}).code == 2);
  CHECK(shell.fenceline({"explain", "nowhere", "--deadline", "vsync"}).code == 2);
}
