// SPDX-License-Identifier: Apache-2.0
// docs/residency.md, rule 34: what of it no workload can say.
#include "api/machine.hpp"
#include "api/machine_config.hpp"
#include "api/stream_builder.hpp"
#include "scheduler/residency/allocation.hpp"
#include "scheduler/residency/residency_statistics.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Process A knows an allocation of 1 MiB that B's, of higher priority, demotes.
class Demotion {
 public:
  Demotion() : machine_(config()) {
    machine_.create_process({"A"});
    machine_.create_process({"B"});
    AllocationConfig one;
    one.bytes = 1 << 20;
    one.name = "a";
    one.priority = 1;
    machine_.know_allocation("A", machine_.create_allocation(one));
    one.name = "b";
    one.priority = 2;
    one.not_resident = true;
    b_ = machine_.create_allocation(one);
    machine_.know_allocation("B", b_);
  }
  ContextId create_queue(const char* name, const char* process) {
    QueueConfig queue;
    queue.name = name;
    queue.process = process;
    queue.type = QueueType::compute;
    return machine_.create_queue(queue);
  }
  Machine& machine() { return machine_; }
  void demote() { REQUIRE(machine_.make_resident("B", {b_}, false, {})); }
  void run(ContextId queue, std::uint64_t cycles) {
    machine_.execute(queue, StreamBuilder("work").dispatch(compute_pipeline("p", cycles), 1).finish());
  }

 private:
  static MachineConfig config() {
    MachineConfig config = builtin_machine("tiny");
    config.video_memory.dedicated_mib = 1;
    config.video_memory.convert_page_tables = true;
    return config;
  }
  Machine machine_;
  std::uint32_t b_ = 0;
};

}  // namespace

TEST_CASE("conversion: what a program has suspended itself stays so", "[api]") {
  Demotion demotion;
  Machine& machine = demotion.machine();
  const ContextId queue = demotion.create_queue("x", "A");
  machine.advance_to(10 * us);
  CHECK(machine.suspend(queue));
  demotion.demote();
  demotion.run(queue, 100);
  CHECK_FALSE(machine.run());  // the queue is held
  CHECK(machine.residency_statistics().demoted_bytes == 1 << 20);
  CHECK(machine.outstanding() == 1);
  machine.resume(queue);
  CHECK(machine.run());
}

TEST_CASE("conversion: a program that resumes its queue meanwhile does not end the suspension", "[api]") {
  Demotion demotion;
  Machine& machine = demotion.machine();
  const ContextId queue = demotion.create_queue("x", "A");
  machine.advance_to(10 * us);
  demotion.demote();
  machine.advance_to(10 * us + 1);
  CHECK(machine.suspend(queue));
  machine.resume(queue);
  demotion.run(queue, 100);
  machine.advance_to(10 * us + 200);
  CHECK(machine.outstanding() > 1);  // the queue's, and paging
  CHECK(machine.run());
}

TEST_CASE("conversion: a queue that is made meanwhile waits, too, and another process's does not", "[api]") {
  Demotion demotion;
  Machine& machine = demotion.machine();
  demotion.create_queue("x", "A");
  machine.advance_to(10 * us);
  demotion.demote();
  machine.advance_to(10 * us + 1);
  const ContextId late = demotion.create_queue("late", "A");
  const ContextId other = demotion.create_queue("other", "C");
  const FenceId late_done = machine.create_fence("late");
  const FenceId other_done = machine.create_fence("other");
  demotion.run(late, 10);
  machine.signal(late, late_done, 1);
  demotion.run(other, 10);
  machine.signal(other, other_done, 1);
  machine.advance_to(10 * us + 1000000);  // 1 us: a copy of 1 MiB over PCIe takes longer
  CHECK(machine.completed_value(other_done) == 1);
  CHECK(machine.completed_value(late_done) == 0);
  CHECK(machine.run());
  CHECK(machine.completed_value(late_done) == 1);
}
