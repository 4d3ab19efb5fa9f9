// SPDX-License-Identifier: Apache-2.0
// Machines that share fences: one time, no wait before its signal, and otherwise each as if it were alone.
#include "api/coupled_machines.hpp"

#include "api/workload/load/workload_file.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

std::shared_ptr<const CommandStream> copy_of(std::uint64_t bytes) {
  auto stream = std::make_shared<CommandStream>();
  stream->name = "copy";
  stream->commands = {CopyBuffer{CopyRoute::device_to_device, bytes}};
  return stream;
}

/// A machine with a copy queue, and when its packets were complete.
struct Node : LogSink {
  explicit Node(const std::string& name) : machine(load_machine(name, "", {})) {
    machine.log().attach(*this, EventLog::Detail::packets);
    queue = machine.create_queue({"copies", QueueType::copy, QueuePriority::normal, ""});
  }
  ~Node() override { machine.log().detach(*this); }
  void packet(const EventLog&, const PacketRecord& record) override {
    if (record.type == PacketType::render) runs.insert(runs.end(), {record.started_ps, record.completed_ps});
    if (record.type == PacketType::wait) waits.push_back(record.completed_ps);
    if (record.type == PacketType::signal) signals.push_back(record.completed_ps);
  }
  Machine machine;
  ContextId queue{};
  std::vector<std::uint64_t> runs;
  std::vector<std::uint64_t> waits;
  std::vector<std::uint64_t> signals;
};

bool nothing() { return false; }

}  // namespace

TEST_CASE("coupled machines: one that nobody signals plays as it does alone", "[api]") {
  const unsigned seed = GENERATE(1U, 2U, 3U);
  const auto play = [&](bool coupled) {
    Node a("tiny");
    Node b("h200");
    std::mt19937 random(seed);
    const auto fence = std::make_shared<SharedFence>(0);
    if (coupled) {
      a.machine.create_fence("fence", fence);
      b.machine.create_fence("fence", fence);
      CHECK(a.machine.shares_fences_with(b.machine));
    }
    for (int i = 0; i < 20; ++i) {
      a.machine.execute(a.queue, copy_of(1 + random() % 1'000'000));
      b.machine.execute(b.queue, copy_of(1 + random() % 100'000'000));
    }
    if (coupled) {
      CHECK_FALSE(run_coupled({&a.machine, &b.machine}, nothing, never));
    } else {
      a.machine.run();
      b.machine.run();
    }
    std::vector<std::uint64_t> all = a.runs;
    all.insert(all.end(), b.runs.begin(), b.runs.end());
    CHECK(all.size() == 80);
    return all;
  };
  CHECK(play(true) == play(false));
}

TEST_CASE(
    "coupled machines: a wait passes when the other's signal has taken place, to the picosecond on a machine "
    "without interrupts",
    "[api]") {
  const bool first_signals = GENERATE(true, false);
  Node a("tiny");
  Node b("tiny");
  Node& signaller = first_signals ? a : b;
  Node& waiter = first_signals ? b : a;
  const auto shared = std::make_shared<SharedFence>(0);
  const FenceId there = signaller.machine.create_fence("fence", shared);
  const FenceId here = waiter.machine.create_fence("fence", shared);
  signaller.machine.execute(signaller.queue, copy_of(1'000'000));
  signaller.machine.signal(signaller.queue, there, 4);
  waiter.machine.wait(waiter.queue, here, 4);
  waiter.machine.execute(waiter.queue, copy_of(1000));
  REQUIRE_FALSE(run_coupled({&a.machine, &b.machine}, nothing, never));
  REQUIRE(signaller.signals.size() == 1);
  REQUIRE(waiter.waits.size() == 1);
  // tiny: isr_us and dpc_us are 0, and no hop costs anything.
  CHECK(signaller.signals[0] == signaller.runs[1]);
  CHECK(waiter.waits[0] == signaller.signals[0]);
  CHECK(waiter.runs[0] == signaller.signals[0]);
  CHECK(shared->value() == 4);
  CHECK(waiter.machine.outstanding() == 0);
}

TEST_CASE("coupled machines: interrupt and deferred call of the signaller's come between", "[api]") {
  struct Shape {
    std::uint64_t isr_us;
    std::uint64_t dpc_us;
  };
  const Shape shape = GENERATE(Shape{0, 0}, Shape{3, 4}, Shape{100, 1});
  const auto config = load_machine(
      "tiny", "",
      {"/scheduler/isr_us=" + std::to_string(shape.isr_us), "/scheduler/dpc_us=" + std::to_string(shape.dpc_us)});
  Machine a(config);
  Machine b(config);
  const auto shared = std::make_shared<SharedFence>(0);
  const FenceId in_a = a.create_fence("fence", shared);
  const FenceId in_b = b.create_fence("fence", shared);
  struct Told : FenceWaiter {
    void fence_reached(std::uint64_t, Signaller by) override {
      told_ps = machine->now_ps();
      signaller = by;
    }
    const Machine* machine = nullptr;
    std::uint64_t told_ps = 0;
    Signaller signaller{};
  } told;
  told.machine = &b;
  const ContextId queue = a.create_queue({"queue", QueueType::copy, QueuePriority::normal, ""});
  REQUIRE_FALSE(b.on_fence(in_b, 1, told, 0));
  a.signal(queue, in_a, 1);
  REQUIRE_FALSE(run_coupled({&a, &b}, nothing, never));
  CHECK(told.told_ps == (shape.isr_us + shape.dpc_us) * us);
  CHECK(told.signaller == Signaller::cpu);
}

TEST_CASE("coupled machines: with a limit all of them are there afterwards, whatever they had to do", "[api]") {
  const std::uint64_t limit_ps = GENERATE(0 * us, 1 * us, 12'345 * us);
  Node a("tiny");
  Node b("tiny");
  Node c("h200");
  a.machine.execute(a.queue, copy_of(1'000'000'000));
  advance_coupled({&a.machine, &b.machine, &c.machine}, limit_ps);
  for (const Node* node : {&a, &b, &c}) CHECK(node->machine.now_ps() == limit_ps);
  // Never back, and to the furthest of them.
  c.machine.advance_to(limit_ps + 7);
  advance_coupled({&a.machine, &b.machine, &c.machine}, 3);
  for (const Node* node : {&a, &b, &c}) CHECK(node->machine.now_ps() == limit_ps + 7);
}

TEST_CASE("coupled machines: an ended fence hears nothing; one whose machine is unshared tells nothing", "[api]") {
  Node a("tiny");
  Node b("tiny");
  const auto shared = std::make_shared<SharedFence>(1);
  const FenceId in_a = a.machine.create_fence("fence", shared);
  const FenceId in_b = b.machine.create_fence("fence", shared);
  SECTION("ended: its queues still tell the others") {
    a.machine.end_fence(in_a);
    CHECK(a.machine.completed_value(in_a) == never);
    CHECK(b.machine.completed_value(in_b) == 1);
    a.machine.signal(a.queue, in_a, 5);
    b.machine.wait(b.queue, in_b, 5);
    run_coupled({&a.machine, &b.machine}, nothing, never);
    CHECK(b.machine.completed_value(in_b) == 5);
    CHECK(b.machine.outstanding() == 0);
    b.machine.signal(in_b, 2);
    CHECK(a.machine.completed_value(in_a) == never);
  }
  SECTION("all ended: they tell nothing") {
    a.machine.execute(a.queue, copy_of(1'000'000));
    a.machine.signal(a.queue, in_a, 5);
    a.machine.end_fences();
    run_coupled({&a.machine, &b.machine}, nothing, never);
    CHECK(a.machine.completed_value(in_a) == never);
    CHECK(b.machine.completed_value(in_b) == 1);
    CHECK_FALSE(a.machine.shares_fences_with(b.machine));
  }
}
