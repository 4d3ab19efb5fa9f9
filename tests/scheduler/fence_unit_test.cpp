// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fences/fence_unit.hpp"

#include "sim/kernel/kernel.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

using namespace fenceline;

namespace {

constexpr auto node = static_cast<Signaller>(3);
constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();

/// A fence unit in a kernel of its own, and who it told.
struct Unit : FenceWaiter {
  explicit Unit(FenceKind kind = FenceKind::monitored)
      : kernel([this, kind] {
          auto made = std::make_unique<FenceUnit>("fences", kind, log);
          fences = made.get();
          return made;
        }) {}
  void fence_reached(std::uint64_t token, Signaller by) override {
    told.emplace_back(token, by);
    if (when_told) when_told(token);
  }
  std::vector<std::uint64_t> tokens() const {
    std::vector<std::uint64_t> result;
    for (const auto& [token, by] : told) result.push_back(token);
    return result;
  }
  using Tokens = std::vector<std::uint64_t>;

  EventLog log;
  FenceUnit* fences = nullptr;
  std::vector<std::pair<std::uint64_t, Signaller>> told;
  std::function<void(std::uint64_t)> when_told;
  Kernel kernel;
};

}  // namespace

TEST_CASE("fence: it begins at its initial value and goes wherever a signal says", "[scheduler]") {
  Unit unit;
  const FenceId first = unit.fences->create("a", 7);
  const FenceId second = unit.fences->create("a", 0);  // a name is for people
  CHECK(unit.fences->count() == 2);
  CHECK(unit.fences->value(first) == 7);
  for (const std::uint64_t value : {std::uint64_t{8}, highest, std::uint64_t{1} << 60, std::uint64_t{0}}) {
    unit.fences->signal(first, value, Signaller::cpu);
    CHECK(unit.fences->value(first) == value);
  }
  CHECK(unit.fences->signals(first) == 4);
  CHECK(unit.fences->value(second) == 0);
  CHECK(unit.fences->signals(second) == 0);
}

TEST_CASE("fence: a wait passes at its value and above, not below", "[scheduler]") {
  Unit unit;
  const FenceId fence = unit.fences->create("f", 5);
  CHECK(unit.fences->wait(fence, 0, unit, 1));
  CHECK(unit.fences->wait(fence, 5, unit, 2));
  CHECK_FALSE(unit.fences->wait(fence, 6, unit, 3));
  CHECK_FALSE(unit.fences->wait(fence, highest, unit, 4));
  unit.fences->signal(fence, 5, Signaller::cpu);
  CHECK(unit.told.empty());
  unit.fences->signal(fence, 6, Signaller::cpu);
  CHECK(unit.tokens() == Unit::Tokens{3});
  unit.fences->signal(fence, highest, Signaller::cpu);
  CHECK(unit.tokens() == Unit::Tokens{3, 4});
}

TEST_CASE("fence: each satisfied wait is told once, in the order of registration, and by whom", "[scheduler]") {
  Unit unit;
  const FenceId fence = unit.fences->create("f", 0);
  for (std::uint64_t token = 0; token < 100; ++token) unit.fences->wait(fence, 1 + token * 37 % 50, unit, token);
  unit.fences->signal(fence, 25, static_cast<Signaller>(3));
  Unit::Tokens expected;
  for (std::uint64_t token = 0; token < 100; ++token) {
    if (1 + token * 37 % 50 <= 25) expected.push_back(token);
  }
  CHECK(unit.tokens() == expected);
  for (const auto& [token, by] : unit.told) CHECK(by == static_cast<Signaller>(3));
  unit.fences->signal(fence, 25, Signaller::cpu);
  CHECK(unit.tokens() == expected);
  unit.fences->signal(fence, 50, Signaller::cpu);
  CHECK(unit.told.size() == 100);
}

TEST_CASE("fence: a rewind does not take back a reached wait, and new waits compare with the lower value",
          "[scheduler]") {
  Unit unit;
  const FenceId fence = unit.fences->create("f", 0);
  unit.fences->wait(fence, 10, unit, 1);
  unit.fences->signal(fence, 10, Signaller::cpu);
  unit.fences->signal(fence, 2, Signaller::cpu);
  CHECK(unit.tokens() == Unit::Tokens{1});
  CHECK(unit.fences->wait(fence, 2, unit, 2));
  CHECK_FALSE(unit.fences->wait(fence, 3, unit, 3));
  CHECK_FALSE(unit.fences->wait(fence, 10, unit, 4));
  unit.fences->signal(fence, 9, Signaller::cpu);
  CHECK(unit.tokens() == Unit::Tokens{1, 3});
}

TEST_CASE("fence: whoever is told may signal and wait on the spot", "[scheduler]") {
  Unit unit;
  const FenceId fence = unit.fences->create("f", 0);
  const FenceId other = unit.fences->create("g", 0);
  unit.when_told = [&](std::uint64_t token) {
    if (token == 1) {
      unit.fences->signal(fence, 0, Signaller::cpu);  // the wait below was satisfied with the one above
      CHECK_FALSE(unit.fences->wait(fence, 1, unit, 3));
      unit.fences->signal(other, 1, Signaller::cpu);
    }
  };
  unit.fences->wait(fence, 1, unit, 1);
  unit.fences->wait(fence, 1, unit, 2);
  unit.fences->wait(other, 1, unit, 4);
  unit.fences->signal(fence, 1, Signaller::cpu);
  CHECK(unit.tokens() == Unit::Tokens{1, 4, 2});
  CHECK(unit.fences->value(fence) == 0);
}

TEST_CASE("fence: MonitoredValue is one below the smallest value that a CPU thread waits for", "[scheduler]") {
  Unit unit;
  const FenceId fence = unit.fences->create("f", 2);
  CHECK(unit.fences->monitored_value(fence) == highest);
  unit.fences->wait(fence, 3, unit, 1);  // a queue's: not its business
  CHECK(unit.fences->monitored_value(fence) == highest);
  CHECK_FALSE(unit.fences->cpu_wait(fence, 9, unit, 2));
  CHECK(unit.fences->monitored_value(fence) == 8);
  CHECK_FALSE(unit.fences->cpu_wait(fence, 5, unit, 3));
  CHECK_FALSE(unit.fences->cpu_wait(fence, 7, unit, 4));
  CHECK(unit.fences->monitored_value(fence) == 4);
  CHECK(unit.fences->cpu_wait(fence, 2, unit, 5));
  CHECK(unit.fences->monitored_value(fence) == 4);
  unit.fences->signal(fence, 6, Signaller::cpu);
  CHECK(unit.tokens() == Unit::Tokens{1, 3});
  CHECK(unit.fences->monitored_value(fence) == 6);
  unit.fences->signal(fence, 9, Signaller::cpu);
  CHECK(unit.fences->monitored_value(fence) == highest);
  CHECK(unit.fences->interrupts(fence) == 0);  // the CPU need not interrupt itself
}

TEST_CASE("fence: a native one interrupts above its MonitoredValue, a monitored one always", "[scheduler]") {
  for (const FenceKind kind : {FenceKind::monitored, FenceKind::native}) {
    Unit unit(kind);
    const bool always = kind == FenceKind::monitored;
    const FenceId fence = unit.fences->create("f", 0);
    std::uint64_t expected = 0;
    const auto signal = [&](std::uint64_t value, bool above) {
      const bool interrupts = above || always;
      CHECK(unit.fences->interrupts_at(fence, value) == interrupts);
      unit.fences->signal(fence, value, node);
      expected += interrupts ? 1 : 0;
      CHECK(unit.fences->interrupts(fence) == expected);
    };
    signal(1, false);  // nobody waits
    unit.fences->wait(fence, 3, unit, 1);
    signal(3, false);  // a queue alone does
    unit.fences->cpu_wait(fence, 6, unit, 2);
    signal(5, false);
    signal(6, true);
    signal(6, false);
    CHECK(unit.tokens() == Unit::Tokens{1, 2});
    unit.fences->cpu_wait(fence, highest, unit, 3);
    signal(highest - 1, false);
    signal(highest, true);
    CHECK(unit.told.size() == 3);
  }
}

TEST_CASE("fence: queues go on with the signal, CPU threads when its interrupt has been handled", "[scheduler]") {
  const FenceKind kind = GENERATE(FenceKind::monitored, FenceKind::native);
  Unit unit(kind);
  const FenceId fence = unit.fences->create("f", 0);
  unit.kernel.enter([&] {
    unit.fences->wait(fence, 1, unit, 1);
    unit.fences->cpu_wait(fence, 1, unit, 2);
    unit.fences->wait(fence, 1, unit, 3);
    unit.fences->cpu_wait(fence, 2, unit, 4);
    unit.fences->signal(fence, 1, node, 500);
    CHECK(unit.tokens() == Unit::Tokens{1, 3});
    unit.fences->signal(fence, 0, Signaller::cpu);  // takes nothing back
    CHECK(unit.tokens() == Unit::Tokens{1, 3});
  });
  unit.kernel.advance_to(499);
  CHECK(unit.tokens() == Unit::Tokens{1, 3});
  unit.kernel.advance_to(500);
  CHECK(unit.tokens() == Unit::Tokens{1, 3, 2});
  CHECK(unit.told.back().second == node);
  unit.kernel.enter([&] { unit.fences->signal(fence, 7, Signaller::cpu); });  // the CPU's own: at once
  CHECK(unit.tokens() == Unit::Tokens{1, 3, 2, 4});
}

TEST_CASE("fence: until the interrupt is handled a native one may interrupt for nothing, and loses none",
          "[scheduler]") {
  Unit unit(FenceKind::native);
  const FenceId fence = unit.fences->create("f", 0);
  unit.kernel.enter([&] {
    unit.fences->cpu_wait(fence, 1, unit, 1);
    unit.fences->signal(fence, 1, node, 500);
    CHECK(unit.fences->monitored_value(fence) == 0);  // the operating system does not know yet
    unit.fences->signal(fence, 2, node, 600);
    CHECK(unit.fences->interrupts(fence) == 2);
    CHECK_FALSE(unit.fences->cpu_wait(fence, 3, unit, 2));  // comes while both are under way
    CHECK(unit.fences->monitored_value(fence) == 0);
    unit.fences->signal(fence, 3, node, 700);
    CHECK(unit.fences->interrupts(fence) == 3);
  });
  unit.kernel.advance_to(500);
  CHECK(unit.tokens() == Unit::Tokens{1});
  CHECK(unit.fences->monitored_value(fence) == highest);
  unit.kernel.advance_to(700);
  CHECK(unit.tokens() == Unit::Tokens{1, 2});
  unit.kernel.enter([&] { unit.fences->signal(fence, 4, node, 900); });
  CHECK(unit.fences->interrupts(fence) == 3);
}

TEST_CASE("fence: one that is released ends, tells who waits, and is freed", "[scheduler]") {
  Unit unit;
  const FenceId fence = unit.fences->create("a", 3);
  CHECK_FALSE(unit.fences->wait(fence, 10, unit, 1));
  CHECK_FALSE(unit.fences->cpu_wait(fence, 20, unit, 2));
  unit.fences->release(fence);
  CHECK(unit.tokens() == Unit::Tokens{1, 2});
  CHECK(unit.fences->freed(fence));
  CHECK(unit.fences->value(fence) == highest);
  const FenceId next = unit.fences->create("a", 3);
  CHECK(next != fence);
  CHECK_FALSE(unit.fences->freed(next));
  CHECK(unit.fences->count() == 2);
  unit.fences->end_all();
  CHECK(unit.fences->value(next) == highest);
}

TEST_CASE("fence: one that packets name stays until the last has let it go", "[scheduler]") {
  Unit unit;
  const FenceId fence = unit.fences->create("a", 0);
  unit.fences->hold(fence);
  unit.fences->hold(fence);
  unit.fences->release(fence);
  CHECK_FALSE(unit.fences->freed(fence));
  unit.fences->signal(fence, 5, node);  // it has ended: nothing comes of it
  CHECK(unit.fences->value(fence) == highest);
  unit.fences->let_go(fence);
  CHECK_FALSE(unit.fences->freed(fence));
  unit.fences->let_go(fence);
  CHECK(unit.fences->freed(fence));
}

TEST_CASE("fence: one that is released while something listens is kept, for the run's files", "[scheduler]") {
  struct Listener : LogSink {
  } listener;
  Unit unit;
  unit.log.attach(listener);
  const FenceId fence = unit.fences->create("a", 0);
  unit.fences->signal(fence, 5, Signaller::cpu);
  unit.fences->release(fence);
  CHECK_FALSE(unit.fences->freed(fence));
  CHECK(unit.fences->signals(fence) == 1);
  CHECK(unit.log.text(unit.fences->log_name_of(fence)) == "fences.a");
  unit.log.detach(listener);
}

TEST_CASE("fence: released between a signal and its interrupt, threads learn of it once, when that is handled",
          "[scheduler]") {
  Unit unit;
  const FenceId fence = unit.fences->create("a", 0);
  CHECK_FALSE(unit.fences->cpu_wait(fence, 5, unit, 1));
  CHECK_FALSE(unit.fences->cpu_wait(fence, 6, unit, 2));
  unit.kernel.enter([&] { unit.fences->signal(fence, 5, node, 1000); });
  unit.kernel.enter([&] { unit.fences->release(fence); });
  CHECK(unit.tokens() == Unit::Tokens{2});
  CHECK(unit.fences->freed(fence));
  unit.kernel.run_to_end();
  CHECK(unit.tokens() == Unit::Tokens{2, 1});
  CHECK(unit.kernel.now_ps() == 1000);
}

TEST_CASE("fence: released here, a shared one stays with the others, who hear of signals under way", "[scheduler]") {
  Unit a;
  Unit b;
  const auto shared = std::make_shared<SharedFence>(0);
  const FenceId in_a = a.fences->create("shared", shared);
  const FenceId in_b = b.fences->create("shared", shared);
  a.fences->hold(in_a);
  a.fences->release(in_a);
  CHECK(a.fences->value(in_a) == highest);
  CHECK(b.fences->value(in_b) == 0);
  a.kernel.enter([&] { a.fences->signal(in_a, 7, node); });
  CHECK(b.fences->value(in_b) == 7);
  a.fences->let_go(in_a);
  CHECK(a.fences->freed(in_a));
  CHECK_FALSE(b.fences->shares_with(*a.fences));
  b.fences->signal(in_b, 9, Signaller::cpu);
  CHECK(shared->value() == 9);
}
