// SPDX-License-Identifier: Apache-2.0
// Runs that stop because everybody waits: a fence was rewound before the wait came.
#include "api/machine.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("deadlock: one sentence per queue names queue, fence, value and holder", "[api]") {
  Machine machine(builtin_machine("h200"));
  const ContextId first = machine.create_queue({"first", QueueType::copy, {}, ""});
  const ContextId second = machine.create_queue({"second", QueueType::compute, {}, ""});
  const ContextId third = machine.create_queue({"third", QueueType::direct, {}, ""});
  const FenceId a = machine.create_fence("a", 2);
  const FenceId b = machine.create_fence("b");
  CHECK(machine.deadlock().empty());
  machine.wait(first, a, 7);
  machine.signal(first, b, 4);
  machine.wait(second, b, 3);
  machine.signal(second, a, 7);
  machine.wait(third, b, 5);
  CHECK_FALSE(machine.run());
  CHECK(machine.deadlock() ==
        std::vector<std::string>{"queue \"first\" waits for fence \"a\" to reach 7, which stands at 2; held by queue "
                                 "\"second\", whose signal is behind its own wait",
                                 "queue \"second\" waits for fence \"b\" to reach 3, which stands at 0; held by queue "
                                 "\"first\", whose signal is behind its own wait",
                                 "queue \"third\" waits for fence \"b\" to reach 5, which stands at 0; nothing "
                                 "submitted will signal it"});
  machine.signal(a, 7);
  machine.signal(b, 5);  // above what the first queue will signal
  CHECK(machine.run());
  CHECK(machine.deadlock().empty());
}

TEST_CASE("deadlock: a run through a fence rewind exits 1, says who waits and leaves a whole run directory", "[cli]") {
  const Shell shell;
  nlohmann::json workload = small_workload();
  // The copy queue takes fence a to 1 and back; the CPU makes the direct queue wait for 1 long after.
  workload["queues"][0]["timeline"].push_back({{"type", "signal"}, {"fence", "a"}, {"value", 0}});
  workload["cpus"][0]["timeline"] =
      nlohmann::json::array({{{"type", "work"}, {"us", 1000}},
                             {{"type", "queue_wait"}, {"queue", "direct"}, {"fence", "a"}, {"value", 1}},
                             {{"type", "queue_signal"}, {"queue", "direct"}, {"fence", "b"}, {"value", 20}},
                             {{"type", "fence_wait"}, {"fence", "b"}, {"value", 20}}});
  shell.write("rewind.json", workload.dump());
  CHECK(shell.fenceline({"check", "rewind.json"}).code == 0);
  const auto output = shell.fenceline({"run", "rewind.json", "--out", "out"});
  CHECK(output.code == 1);
  const std::string first =
      "queue \"direct\" waits for fence \"a\" to reach 1, which stands at 0; nothing submitted "
      "will signal it";
  const std::string second =
      "CPU thread \"main\" waits for fence \"b\" to reach 20, which stands at 3; held by "
      "queue \"direct\", whose signal is behind its own wait";
  CHECK(output.err == "deadlock: " + first + "\ndeadlock: " + second + "\n");
  CHECK(output.out.find("deadlock") != std::string::npos);
  const auto files = files_in(shell.work() / "out");
  CHECK(files.size() == 10);
  const nlohmann::json report = parse_json(files.at("report.json"), "report.json");
  CHECK(report["statistics"]["completed"] == false);
  CHECK(report["statistics"]["deadlock"] == nlohmann::json::array({first, second}));
  CHECK(files.at("log.txt").find(first) != std::string::npos);
}

TEST_CASE("deadlock: a queue that waits for a CPU thread is told so, and the other way round", "[cli]") {
  const Shell shell;
  nlohmann::json workload = small_workload();
  workload["queues"][0]["timeline"].push_back({{"type", "signal"}, {"fence", "a"}, {"value", 0}});
  // The thread would let the queue go on, but waits for the queue itself; the rewind hides it from the check.
  workload["cpus"][0]["timeline"] =
      nlohmann::json::array({{{"type", "work"}, {"us", 1000}},
                             {{"type", "queue_wait"}, {"queue", "direct"}, {"fence", "a"}, {"value", 1}},
                             {{"type", "queue_signal"}, {"queue", "direct"}, {"fence", "b"}, {"value", 20}},
                             {{"type", "fence_wait"}, {"fence", "b"}, {"value", 20}},
                             {{"type", "fence_signal"}, {"fence", "a"}, {"value", 1}}});
  shell.write("rewind.json", workload.dump());
  const auto output = shell.fenceline({"run", "rewind.json", "--out", "out"});
  CHECK(output.code == 1);
  CHECK(output.err.find("held by CPU thread \"main\", which waits itself") != std::string::npos);
  CHECK(output.err.find("stands at 3; held by queue \"direct\", whose signal is behind its own wait") !=
        std::string::npos);
}

TEST_CASE("deadlock: names with line breaks do not break the lines", "[cli]") {
  const Shell shell;
  nlohmann::json workload = small_workload();
  workload["queues"][0]["timeline"].push_back({{"type", "signal"}, {"fence", "a"}, {"value", 0}});
  workload["queues"][2]["name"] = "di\nrect";
  workload["name"] = "sm\nall";
  workload["cpus"][0]["timeline"] =
      nlohmann::json::array({{{"type", "work"}, {"us", 1000}},
                             {{"type", "queue_wait"}, {"queue", "di\nrect"}, {"fence", "a"}, {"value", 1}}});
  shell.write("rewind.json", workload.dump());
  const auto output = shell.fenceline({"run", "rewind.json", "--out", "out"});
  CHECK(output.code == 1);
  CHECK(lines_of(output.err) == 1);
  CHECK(output.err.find("di\\nrect") != std::string::npos);
  CHECK(output.out.find("sm\\nall") != std::string::npos);
}

TEST_CASE("deadlock: decisions that go round without anything that runs, ends or comes end the run", "[api]") {
  MachineConfig config = builtin_machine("tiny");
  // One decision hands a packet over, the next is that it has begun; then it runs and ends. One in a row is too few.
  for (const std::uint64_t limit : {1, 1'000}) {
    config.scheduler.rounds_without_progress = limit;
    Machine machine(config);
    std::vector<ContextId> queues;
    CommandStream stream;
    ComputePipeline pipeline;
    pipeline.group.threads = 32;
    pipeline.work.cycles = 1000;
    stream.compute_pipelines.push_back(pipeline);
    stream.commands.emplace_back(Dispatch{0, 8});
    const auto shared = std::make_shared<const CommandStream>(stream);
    for (const char* name : {"first", "second"}) {
      QueueConfig queue;
      queue.name = name;
      queue.type = QueueType::compute;
      queues.push_back(machine.create_queue(queue));
    }
    for (const ContextId queue : queues) machine.execute(queue, shared);
    const bool enough = limit > 1;
    CHECK(machine.run() == enough);
    if (enough) {
      CHECK(machine.deadlock().empty());
      continue;
    }
    const std::vector<std::string> lines = machine.deadlock();
    REQUIRE(lines.size() == 2);
    CHECK(lines[1] ==
          "queue \"second\" has packets that have not completed: 1 decisions in a row without anything that ran, ended "
          "or came (scheduler/rounds_without_progress)");
  }
}
