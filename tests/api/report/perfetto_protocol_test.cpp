// SPDX-License-Identifier: Apache-2.0
// What schedulers, engines and background workers tell each other, in trace.json.
#include "api/report/perfetto/perfetto.hpp"
#include "tests/api/report/trace_events.hpp"
#include "tests/support/protocol_script.hpp"
#include "tests/support/sink_output.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

TEST_CASE("perfetto: a node's protocol has an instant for each step, with what it says", "[sim]") {
  EventLog log;
  const json events = events_of(log, [&] {
    ProtocolScript script(log);
    play_game_and_compositor(script);
  });
  const auto threads = names(events, "thread_name", "tid");
  std::vector<std::tuple<std::string, std::string, double>> found;
  for (const json& event : with_phase(events, "i")) {
    CHECK(threads.at(event.at("tid")) == "adapter.3d0 protocol");
    found.emplace_back(event.at("cat"), event.at("name"), event.at("ts"));
  }
  using Found = std::vector<std::tuple<std::string, std::string, double>>;
  CHECK(found == Found{{"submission", "submission", 0},
                       {"attempt", "MissRemainingPreemptionQuantum", 100},
                       {"attempt", "Success", 150},
                       {"request", "request: higher_rank", 150},
                       {"interrupt", "dma_preempted", 175},
                       {"submission", "submission", 180},
                       {"submission", "submission", 180},
                       {"interrupt", "dma_completed", 204},
                       {"interrupt", "dma_completed", 301}});
  const auto instants = with_phase(events, "i");
  const std::string game = "adapter.scheduler.game";
  const std::string compositor = "adapter.scheduler.compositor";
  CHECK(instants[1].at("args") == json({{"running_packet", 1},
                                        {"running_packet_context", game},
                                        {"waiting_packet", 2},
                                        {"waiting_packet_context", compositor},
                                        {"hardware_queue", 0}}));
  CHECK(instants[3].at("args") == json({{"hardware_queue", 0},
                                        {"preemption_fence_id", 2},
                                        {"victim_packet", 1},
                                        {"victim_packet_context", game},
                                        {"beneficiary_packet", 2},
                                        {"beneficiary_packet_context", compositor},
                                        {"ready_ps", 100'000'000},
                                        {"level_limit", "pixel_boundary"}}));
  CHECK(instants[4].at("args") ==
        json({{"hardware_queue", 0}, {"PreemptionFenceId", 2}, {"LastCompletedFenceId", 0}, {"dpc_ps", 180'000'000}}));
  CHECK(instants[6].at("args") == json({{"packet", 1},
                                        {"packet_context", game},
                                        {"hardware_queue", 0},
                                        {"submission_fence_id", 4},
                                        {"submission_fence_id_before", 1},
                                        {"times_back", 1}}));
  CHECK(dropped_by_perfetto(events) == 0);
}

TEST_CASE("perfetto: an arrow leads from a request to what stopped and to who starts", "[sim]") {
  EventLog log;
  const json events = events_of(log, [&] {
    ProtocolScript script(log);
    play_game_and_compositor(script);
  });
  const auto threads = names(events, "thread_name", "tid");
  const auto end = [&](const std::string& phase) {
    const auto found = with_phase(events, phase);
    REQUIRE(found.size() == 1);
    CHECK(found[0].at("id") == 1);
    return std::pair<std::string, double>(threads.at(found[0].at("tid")), found[0].at("ts"));
  };
  CHECK(end("s") == std::pair<std::string, double>("adapter.3d0 protocol", 150));
  // Arrows bind to slices, and an instant is none: the request is a slice of a nanosecond there, too.
  const auto slices = with_phase(events, "X");
  const auto request =
      std::find_if(slices.begin(), slices.end(), [](const json& slice) { return slice.at("cat") == "request"; });
  REQUIRE(request != slices.end());
  CHECK(threads.at(request->at("tid")) == "adapter.3d0 protocol");
  CHECK(request->at("ts") == 150);
  CHECK(request->at("dur") == 0.001);
  CHECK(request->at("args").at("preemption_fence_id") == 2);
  CHECK(end("t") == std::pair<std::string, double>("adapter.3d0", 170));
  CHECK(end("f") == std::pair<std::string, double>("adapter.3d0", 183));
}

TEST_CASE("perfetto: a context's rank and a list switch say whose they are", "[sim]") {
  EventLog log;
  const LogName node = log.name("adapter.compute0");
  const LogName context = log.name("adapter.scheduler.app");
  const json events = events_of(log, [&] {
    log.context({context, node, log.name("process app"), 3, 31, -7, 1'000'000, 2'000'000, 3'000'000, 4'000'000,
                 5'000'000, 6'000'000});
    log.interrupt({node, 1, InterruptType::hwcontextlist_switch_completed, 3, 0, 1'000'000, 2'000'000, context});
  });
  const auto threads = names(events, "thread_name", "tid");
  const auto instants = with_phase(events, "i");
  REQUIRE(instants.size() == 2);
  CHECK(threads.at(instants[0].at("tid")) == "adapter.compute0 protocol");
  CHECK(instants[0].at("args") == json({{"context", "adapter.scheduler.app"},
                                        {"process", "process app"},
                                        {"band", 3},
                                        {"level", 31},
                                        {"in_process", -7},
                                        {"quantum_ps", 1'000'000},
                                        {"grace_ps", 2'000'000},
                                        {"grace_same_priority_ps", 3'000'000},
                                        {"process_quantum_ps", 5'000'000},
                                        {"process_grace_ps", 6'000'000}}));
  CHECK(threads.at(instants[1].at("tid")) == "adapter.compute0 protocol");
  CHECK(instants[1].at("args") == json({{"hardware_queue", 1},
                                        {"ContextSwitchFence", 3},
                                        {"context", "adapter.scheduler.app"},
                                        {"dpc_ps", 2'000'000}}));
}

TEST_CASE("perfetto: a preempted packet runs in pieces, and its node shows the request", "[sim]") {
  EventLog log;
  const LogName node = log.name("adapter.3d0");
  PacketRecord packet{};
  packet.id = 5;
  packet.context = log.name("adapter.scheduler.app");
  packet.preemptions = 2;
  packet.started_ps = 1'000'000;
  packet.finished_ps = packet.completed_ps = 9'000'000;
  packet.preempted_ps = 5'000'000;
  const auto write = [&](bool with_spans) {
    return events_of(log, [&] {
      for (const auto& [start, end] :
           {std::pair{1'000'000, 2'000'000}, {4'000'000, 5'000'000}, {8'000'000, 9'000'000}}) {
        if (with_spans) log.span({node, SpanKind::packet, {}, std::uint64_t(start), std::uint64_t(end), 5});
      }
      log.preemption({node,
                      0,
                      3,
                      1'500'000,
                      2'000'000,
                      2'250'000,
                      4096,
                      1,
                      2'250'000,
                      100'000,
                      {4000, 90, 6, 0},
                      log.name("shader_boundary"),
                      log.name("pixel_boundary")});
      log.packet(packet);
    });
  };
  const auto slices_of = [](const json& events, const std::string& category) {
    std::vector<std::tuple<std::string, double, double>> slices;
    std::vector<std::size_t> open;
    for (const json& event : events) {
      if (event.at("ph") != "b" && event.at("ph") != "e") continue;
      if (event.at("cat") != category) continue;
      if (event.at("ph") == "b") {
        open.push_back(slices.size());
        slices.emplace_back(event.at("name"), event.at("ts"), 0);
      } else {
        std::get<2>(slices[open.back()]) = event.at("ts");
        open.pop_back();
      }
    }
    return slices;
  };
  using Slices = std::vector<std::tuple<std::string, double, double>>;
  const json events = write(true);
  CHECK(slices_of(events, "packet") == Slices{{"adapter.scheduler.app", 0, 9},
                                              {"node", 0, 1},
                                              {"running", 1, 2},
                                              {"preempted", 2, 4},
                                              {"running", 4, 5},
                                              {"preempted", 5, 8},
                                              {"running", 8, 9}});
  CHECK(slices_of(events, "preemption") == Slices{{"adapter.3d0 preemption", 1.5, 2.25},
                                                  {"waits for a restore", 1.5, 1.6},
                                                  {"drain", 1.6, 2},
                                                  {"save", 2, 2.25}});
  const json request = with_phase(events, "b").at(0);
  CHECK(request.at("args") == json({{"hardware_queue", 0},
                                    {"preemption_fence_id", 3},
                                    {"packets", 1},
                                    {"level_asked", "shader_boundary"},
                                    {"level_reached", "pixel_boundary"},
                                    {"saved_bytes", 4096},
                                    {"context_bytes", 4000},
                                    {"register_bytes", 90},
                                    {"shared_bytes", 6},
                                    {"thread_bytes", 0}}));
  // Without the pieces the sums are shown.
  CHECK(slices_of(write(false), "packet") ==
        Slices{{"adapter.scheduler.app", 0, 9}, {"node", 0, 1}, {"running", 1, 4}, {"preempted", 4, 9}});
}
