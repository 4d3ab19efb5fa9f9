// SPDX-License-Identifier: Apache-2.0
#include "api/machine.hpp"

#include "scheduler/scheduler.hpp"
#include "sim/assert.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

std::shared_ptr<CommandStream> stream(const std::string& name, std::vector<Command> commands) {
  auto result = std::make_shared<CommandStream>();
  result->name = name;
  result->commands = std::move(commands);
  ComputePipeline compute;
  compute.name = "cs";
  compute.work.cycles = 20000;
  result->compute_pipelines = {compute};
  GraphicsPipeline graphics;
  graphics.name = "gs";
  result->graphics_pipelines = {graphics};
  return result;
}
std::shared_ptr<CommandStream> copy_of(std::uint64_t bytes) {
  return stream("copy", {CopyBuffer{CopyRoute::host_to_device, bytes}});
}

/// Every stamp of every packet as text.
class Stamps final : public LogSink {
 public:
  void packet(const EventLog& log, const PacketRecord& p) override {
    text += std::string(log.text(p.context)) + ' ' + std::to_string(p.id);
    for (const std::uint64_t at :
         {p.submitted_ps, p.head_ps, p.ready_ps, p.hardware_ps, p.started_ps, p.finished_ps, p.completed_ps}) {
      text += ' ' + std::to_string(at);
    }
    text += '\n';
  }
  std::string text;
};

/// A machine with three queues that is fed in steps, so that others can run in between.
struct Fed {
  explicit Fed(std::uint32_t which) : machine(config(which)), factor(which + 1) {
    machine.log().attach(stamps, EventLog::Detail::packets);
    for (const QueueType type : {QueueType::copy, QueueType::compute, QueueType::direct}) {
      queues.push_back(machine.create_queue({name_of(type), type, QueuePriority::normal, ""}));
    }
    fence = machine.create_fence("fence");
  }
  static MachineConfig config(std::uint32_t which) {
    MachineConfig config = builtin_machine("h200");
    config.shader_array.sms = 132 - 16 * which;
    return config;
  }
  void step(std::uint64_t number) {
    machine.execute(queues[0], copy_of(100'000 * factor));
    machine.signal(queues[0], fence, 2 * number);
    machine.wait(queues[1], fence, 2 * number);
    machine.execute(queues[1], stream("grid", {Dispatch{0, 500 * factor}}));
    machine.signal(queues[1], fence, 2 * number + 1);
    machine.wait(queues[2], fence, 2 * number + 1);
    machine.execute(queues[2], stream("draw", {Draw{0, 3000 * factor, 1, 1000, 50'000}}));
    machine.advance_to(machine.now_ps() + 17 * us * factor);
  }
  std::string finish() {
    CHECK(machine.run());
    return stamps.text;
  }
  Stamps stamps;  // outlives the machine
  Machine machine;
  std::uint64_t factor;
  std::vector<ContextId> queues;
  FenceId fence{};
};

/// Calls back into the test.
struct Waiter : FenceWaiter {
  void fence_reached(std::uint64_t token, Signaller by) override {
    tokens.push_back(token);
    last_by = by;
  }
  std::vector<std::uint64_t> tokens;
  Signaller last_by{};
};

}  // namespace

TEST_CASE("machine: four alive at once and interleaved behave as each alone", "[api]") {
  std::vector<std::string> alone;
  for (std::uint32_t which = 0; which < 4; ++which) {
    Fed fed(which);
    for (std::uint64_t number = 1; number <= 10; ++number) fed.step(number);
    alone.push_back(fed.finish());
  }
  std::vector<std::unique_ptr<Fed>> together;
  for (std::uint32_t which = 0; which < 4; ++which) together.push_back(std::make_unique<Fed>(which));
  for (std::uint64_t number = 1; number <= 10; ++number) {
    for (std::size_t i = 0; i < 4; ++i) together[(i * 3 + number) % 4]->step(number);
  }
  std::vector<std::string> interleaved(4);
  for (std::size_t i : {2, 0, 3, 1}) {
    interleaved[i] = together[i]->finish();
    together[i].reset();
  }
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(interleaved[i] == alone[i]);
    if (i > 0) CHECK(alone[i] != alone[0]);
  }
}

TEST_CASE("machine: run_until stops when the fence gets there, and goes on afterwards", "[api]") {
  Machine machine(builtin_machine("h200"));
  const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("fence", 1);
  CHECK(machine.run_until(fence, 1));
  CHECK(machine.now_ps() == 0);
  for (std::uint64_t i = 2; i <= 4; ++i) {
    machine.execute(queue, copy_of(1'000'000));
    machine.signal(queue, fence, i);
  }
  CHECK(machine.completed_value(fence) == 1);
  std::uint64_t before = 0;
  for (std::uint64_t i = 2; i <= 4; ++i) {
    CHECK(machine.run_until(fence, i));
    CHECK(machine.completed_value(fence) == i);
    CHECK(machine.now_ps() > before);
    CHECK((machine.outstanding() > 0) == (i < 4));
    before = machine.now_ps();
  }
  CHECK(machine.run());
  CHECK(machine.now_ps() == before);
}

TEST_CASE("machine: run_until says false when nothing is left, and the machine stays usable", "[api]") {
  Machine machine(builtin_machine("h200"));
  const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("fence");
  machine.execute(queue, copy_of(1'000'000));
  machine.signal(queue, fence, 3);
  CHECK_FALSE(machine.run_until(fence, 5));
  CHECK(machine.completed_value(fence) == 3);
  const std::uint64_t stopped = machine.now_ps();
  machine.signal(fence, 5);  // nobody runs: the wait that is left over must not disturb what follows
  CHECK(machine.completed_value(fence) == 5);
  machine.execute(queue, copy_of(1'000'000));
  machine.signal(queue, fence, 6);
  machine.advance_to(stopped + 1 * us);
  CHECK(machine.now_ps() == stopped + 1 * us);
  CHECK(machine.completed_value(fence) == 5);
  CHECK(machine.run());
  CHECK(machine.completed_value(fence) == 6);
}

TEST_CASE("machine: run_until holds for a fence that went past the value and back", "[api]") {
  Machine machine(builtin_machine("h200"));
  const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("fence");
  machine.execute(queue, copy_of(1'000));
  machine.signal(queue, fence, 9);
  machine.signal(queue, fence, 1);
  CHECK(machine.run_until(fence, 5));
  CHECK(machine.completed_value(fence) == 1);
  CHECK_FALSE(machine.run_until(fence, 5));
}

TEST_CASE("machine: advance_to takes the last moment in, and never goes back", "[api]") {
  Machine machine(builtin_machine("h200"));
  const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("fence");
  std::uint64_t done = 0;
  {
    Machine same(builtin_machine("h200"));
    same.execute(same.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""}), copy_of(1'000'000));
    CHECK(same.run());
    done = same.now_ps();
  }
  machine.execute(queue, copy_of(1'000'000));
  machine.signal(queue, fence, 1);
  machine.advance_to(done - 1);
  CHECK(machine.completed_value(fence) == 0);
  CHECK(machine.outstanding() == 2);
  machine.advance_to(done);
  CHECK(machine.completed_value(fence) == 1);
  CHECK(machine.outstanding() == 0);
  machine.advance_to(10);
  CHECK(machine.now_ps() == done);
  machine.advance_to(done + 5);
  CHECK(machine.now_ps() == done + 5);
}

TEST_CASE("machine: a callback runs at its time inside the simulation, and may submit, signal and wait", "[api]") {
  Machine machine(builtin_machine("h200"));
  const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("fence");
  struct Host {
    void call(std::uint64_t number) {
      calls.emplace_back(number, machine.now_ps());
      machine.execute(queue, copy_of(1'000));
      machine.signal(queue, fence, number);
      machine.wait(queue, fence, number);
    }
    Machine& machine;
    ContextId queue;
    FenceId fence;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;
  } host{machine, queue, fence, {}};
  machine.call_at(7 * us, Callback::to<&Host::call>(&host, 2));
  machine.call_at(7 * us, Callback::to<&Host::call>(&host, 3));
  machine.call_at(2 * us, Callback::to<&Host::call>(&host, 1));
  Waiter waiter;
  CHECK_FALSE(machine.on_fence(fence, 3, waiter, 77));
  CHECK(machine.on_fence(fence, 0, waiter, 78));
  CHECK(machine.run());
  CHECK(host.calls == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{1, 2 * us}, {2, 7 * us}, {3, 7 * us}});
  CHECK(waiter.tokens == std::vector<std::uint64_t>{77});
  CHECK(waiter.last_by != Signaller::cpu);
  CHECK(machine.completed_value(fence) == 3);
}

TEST_CASE("machine: an exception from a callback comes out of run, and the machine stays usable", "[api]") {
  Machine machine(builtin_machine("h200"));
  struct Host {
    void nested(std::uint64_t) { machine.run(); }
    void thrown(std::uint64_t) { throw std::out_of_range("of the test"); }
    Machine& machine;
  } host{machine};
  machine.call_at(1 * us, Callback::to<&Host::nested>(&host));
  machine.call_at(2 * us, Callback::to<&Host::thrown>(&host));
  CHECK_THROWS_AS(machine.run(), std::logic_error);
  CHECK_THROWS_AS(machine.run(), std::out_of_range);
  CHECK(machine.now_ps() == 2 * us);
  const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  machine.execute(queue, copy_of(1'000));
  CHECK(machine.run());
}

TEST_CASE("machine: one with work beyond the end of simulated time stands still from then on", "[api]") {
  Machine machine(builtin_machine("tiny"));
  const ContextId queue = machine.create_queue({"compute", QueueType::compute, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("fence");
  machine.execute(queue, stream("endless", {Dispatch{0, 1'000'000'000'000'000}}));
  machine.signal(queue, fence, 1);
  CHECK_FALSE(machine.failed());
  CHECK_THROWS_AS(machine.run(), std::overflow_error);
  CHECK(machine.failed());
  const std::uint64_t stands_at_ps = machine.now_ps();
  CHECK_FALSE(machine.run());
  CHECK_FALSE(machine.run(100 * us));
  CHECK_FALSE(machine.run_until(fence, 1));
  CHECK_FALSE(machine.run_until([] { return true; }, 100 * us));
  machine.advance_to(100 * us);
  CHECK(machine.now_ps() == stands_at_ps);
  CHECK(machine.next_ps() == ~std::uint64_t{0});
  CHECK(machine.outstanding() == 2);
}

TEST_CASE("machine: queues of one type are spread over its nodes in turn", "[api]") {
  const MachineConfig config = builtin_machine("h200");
  Machine machine(config);
  std::vector<std::uint32_t> nodes;
  for (int i = 0; i < 4; ++i) {
    const ContextId queue = machine.create_queue({"copy" + std::to_string(i), QueueType::copy, {}, ""});
    nodes.push_back(machine.scheduler().context(queue).config.node);
    machine.create_queue({"compute" + std::to_string(i), QueueType::compute, {}, ""});
  }
  std::vector<std::uint32_t> copy_nodes;
  for (std::uint32_t i = 0; i < config.engines.size(); ++i) {
    if (runs_on(config.engines[i], QueueType::copy)) copy_nodes.push_back(i);
  }
  REQUIRE(copy_nodes.size() == 3);
  CHECK(nodes == std::vector<std::uint32_t>{copy_nodes[0], copy_nodes[1], copy_nodes[2], copy_nodes[0]});
}

TEST_CASE("machine: wrong arguments are std::invalid_argument and change nothing", "[api]") {
  Machine machine(builtin_machine("h200"));
  const ContextId copy = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const ContextId compute = machine.create_queue({"compute", QueueType::compute, QueuePriority::normal, ""});
  CHECK_THROWS_AS(machine.execute(copy, nullptr), std::invalid_argument);
  CHECK_THROWS_WITH(machine.create_queue({"q", QueueType::copy, {}, "telepathy"}),
                    Contains("q") && Contains("telepathy"));
  CHECK_THROWS_AS(machine.create_queue({"q", QueueType::copy, {}, "telepathy"}), std::invalid_argument);
  CHECK_THROWS_AS(machine.execute(copy, stream("grid", {Dispatch{0, 1}})), std::invalid_argument);
  CHECK_THROWS_AS(machine.execute(copy, stream("clear", {Clear{64}})), std::invalid_argument);
  CHECK_THROWS_AS(machine.execute(compute, stream("draw", {Draw{0, 3, 1, 1, 1}})), std::invalid_argument);
  CHECK_THROWS_AS(machine.execute(compute, stream("grid", {Dispatch{1, 1}})), std::invalid_argument);
  auto large = stream("large", {Dispatch{0, 1}});
  large->compute_pipelines[0].group.shared_bytes = 1'000'000;
  CHECK_THROWS_WITH(machine.execute(compute, large), Contains("fits on no SM"));
  machine.advance_to(5 * us);
  CHECK_THROWS_AS(machine.call_at(4 * us, Callback::to<&Machine::advance_to>(&machine)), std::invalid_argument);
  CHECK_THROWS_AS(machine.call_at(6 * us, Callback()), std::invalid_argument);
  CHECK(machine.outstanding() == 0);
  CHECK(machine.scheduler().contexts() == 2);

  MachineConfig no_copy = builtin_machine("h200");
  no_copy.engines = {GraphicsEngineConfig{}};
  Machine small(no_copy);
  CHECK_THROWS_WITH(small.create_queue({"q", QueueType::copy, {}, ""}), Contains("no node for copy queues"));
  MachineConfig no_path = builtin_machine("h200");
  no_path.default_path = "telepathy";
  Machine pathless(no_path);
  CHECK_THROWS_AS(pathless.create_queue({"q", QueueType::copy, {}, ""}), std::invalid_argument);
}

TEST_CASE("machine: a broken invariant ends the run with an error that names it", "[api]") {
  const int way = GENERATE(0, 1, 2);
  const auto play = [way](InvariantChecks checks, bool break_one) {
    Machine machine(builtin_machine("h200"), checks);
    const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
    const FenceId fence = machine.create_fence("fence");
    machine.execute(queue, copy_of(1 << 20));
    machine.signal(queue, fence, 1);
    if (break_one) {  // a packet that nobody queued
      PacketRecord record{};
      record.id = 77;
      machine.log().packet(record);
    }
    if (way == 0) return machine.run();
    if (way == 1) return machine.run_until(fence, 1);
    machine.advance_to(1000 * us);
    return machine.outstanding() == 0;
  };
  CHECK(play(InvariantChecks::on, false));
  CHECK(play(InvariantChecks::off, true));
  try {
    play(InvariantChecks::on, true);
    FAIL("no error");
  } catch (const InternalError& error) {
    CHECK_THAT(error.what(), Contains("adapter: 1 rule was broken: packet 77, at 0.000000 us: expected a packet that "
                                      "was queued and has not ended, found its end"));
  }
}

TEST_CASE("machine: queues that wait for ever break no invariant, and go on when they are freed", "[api]") {
  Machine machine(builtin_machine("h200"), InvariantChecks::on);
  const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("fence");
  machine.wait(queue, fence, 1);
  machine.execute(queue, copy_of(1 << 20));
  CHECK_FALSE(machine.run());
  CHECK_FALSE(machine.run_until(fence, 1));
  machine.signal(fence, 1);
  CHECK(machine.run());
}
