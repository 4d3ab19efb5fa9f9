// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/agenda.hpp"

#include "sim/assert.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Notes which entry came when, and does what the test wants at each.
struct Notebook : sc_core::sc_module {
  explicit Notebook(sc_core::sc_module_name module_name) : sc_module(module_name), agenda("agenda") {}
  void fire(std::uint64_t id) {
    fired.emplace_back(now_ps(), id);
    if (on_fire) on_fire(id);
  }
  void add(std::uint64_t time_ps, std::uint64_t id) { agenda.at<&Notebook::fire>(time_ps, this, id); }
  Agenda agenda;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> fired;  // time, id
  std::function<void(std::uint64_t)> on_fire;
};

using Fired = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_CASE("agenda: entries come at their time, those of one time in the order added", "[sim]") {
  KernelOf<Notebook> simulation;
  Notebook& notebook = simulation.top();
  simulation.enter([](Notebook& n) {
    n.add(500, 1);
    n.add(100, 2);
    n.add(500, 3);
    n.add(100, 4);
    n.add(0, 5);
    CHECK_FALSE(n.agenda.empty());
  });
  simulation.kernel.run_to_end();
  CHECK(notebook.fired == Fired{{0, 5}, {100, 2}, {100, 4}, {500, 1}, {500, 3}});
  CHECK(notebook.agenda.empty());
}

TEST_CASE("agenda: random loads come in the order of time and sequence", "[sim]") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    KernelOf<Notebook> simulation;
    const std::uint64_t count = 1 + random() % 400;
    const std::uint64_t range = 1 + random() % 300;  // many share a time
    Fired expected;
    simulation.enter([&](Notebook& n) {
      for (std::uint64_t id = 0; id < count; ++id) {
        expected.emplace_back(random() % range, id);
        n.add(expected.back().first, id);
      }
    });
    std::sort(expected.begin(), expected.end());  // ids are the sequence
    simulation.kernel.run_to_end();
    REQUIRE(simulation.top().fired == expected);
  }
}

TEST_CASE("agenda: entries added from callbacks and by others in between keep the order", "[sim]") {
  std::mt19937_64 random(2);
  struct Top : sc_core::sc_module {
    explicit Top(sc_core::sc_module_name module_name)
        : sc_module(module_name), notebook("notebook"), script("script") {}
    Notebook notebook;
    Script script;
  };
  for (int round = 0; round < 200; ++round) {
    KernelOf<Top> simulation;
    Notebook& notebook = simulation.top().notebook;
    // Reference: whatever was added when, the agenda must give the earliest of the pending, first added first.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pending;
    std::uint64_t next_id = 0;
    std::uint64_t wrong = 0;
    const auto add = [&](std::uint64_t time) {
      pending.emplace_back(time, next_id);
      notebook.add(time, next_id++);
    };
    notebook.on_fire = [&](std::uint64_t id) {
      const std::uint64_t now = now_ps();
      const auto first = std::min_element(pending.begin(), pending.end());
      if (first == pending.end() || *first != std::make_pair(now, id)) ++wrong;
      if (first != pending.end()) pending.erase(first);
      if (next_id > 300) return;
      for (std::uint64_t n = random() % 3; n > 0; --n) add(now + (random() % 3 == 0 ? 0 : random() % 50));
    };
    simulation.enter([&](Top& top) {
      for (int i = 0; i < 5; ++i) add(random() % 100);
      // Another process wakes it earlier than it meant to wake.
      for (int i = 0; i < 20; ++i) {
        const std::uint64_t time = 1000 + random() % 1000;
        top.script.at(time, [&add, &random, time] { add(time + random() % 20); });
      }
      add(1'000'000);
    });
    simulation.kernel.run_to_end();
    REQUIRE(wrong == 0);
    REQUIRE(pending.empty());
    REQUIRE(notebook.fired.size() == next_id);
  }
}

TEST_CASE("agenda: an entry for the present moment comes without time passing, behind those already there", "[sim]") {
  KernelOf<Notebook> simulation;
  Notebook& notebook = simulation.top();
  notebook.on_fire = [&](std::uint64_t id) {
    if (id == 1) notebook.add(70, 3);
  };
  simulation.enter([](Notebook& n) {
    n.add(70, 1);
    n.add(70, 2);
  });
  simulation.kernel.advance_to(70);
  CHECK(notebook.fired == Fired{{70, 1}, {70, 2}, {70, 3}});
  simulation.enter([](Notebook& n) { n.add(70, 4); });  // now, from outside
  simulation.kernel.advance_to(70);
  CHECK(notebook.fired.back() == std::make_pair(std::uint64_t{70}, std::uint64_t{4}));
}

TEST_CASE("agenda: an entry in the past is refused and names the agenda", "[sim]") {
  KernelOf<Notebook> simulation;
  simulation.kernel.advance_to(100);
  simulation.enter([](Notebook& n) {
    CHECK_THROWS_AS(n.add(99, 1), InternalError);
    CHECK_THROWS_WITH(n.add(99, 1), Catch::Contains("top.agenda"));
    n.add(100, 2);
  });
  simulation.kernel.run_to_end();
  CHECK(simulation.top().fired == Fired{{100, 2}});
  simulation.top().on_fire = [&](std::uint64_t) { simulation.top().add(149, 4); };
  simulation.enter([](Notebook& n) { n.add(150, 3); });
  CHECK_THROWS_AS(simulation.kernel.run_to_end(), InternalError);  // also out of a process
}

TEST_CASE("agenda: an exception in one entry loses none of the others", "[sim]") {
  KernelOf<Notebook> simulation;
  Notebook& notebook = simulation.top();
  notebook.on_fire = [](std::uint64_t id) {
    if (id == 1) throw id;
  };
  simulation.enter([](Notebook& n) {
    for (std::uint64_t id = 0; id < 4; ++id) n.add(10, id);
    n.add(20, 4);
  });
  CHECK_THROWS_AS(simulation.kernel.run_to_end(), std::uint64_t);
  simulation.kernel.run_to_end();
  CHECK(notebook.fired == Fired{{10, 0}, {10, 1}, {10, 2}, {10, 3}, {20, 4}});
}

TEST_CASE("agenda: entries may be added while the modules are built", "[sim]") {
  struct Early : Notebook {
    explicit Early(sc_core::sc_module_name module_name) : Notebook(module_name) {
      add(30, 1);
      add(0, 0);
    }
  };
  KernelOf<Early> simulation;
  simulation.kernel.run_to_end();
  CHECK(simulation.top().fired == Fired{{0, 0}, {30, 1}});
}

TEST_CASE("agenda: what is due when its kernel goes is not done any more", "[sim]") {
  // Who asked for it may be gone, as a run's player is when a file of the run cannot be written.
  std::uint64_t calls = 0;
  struct Gone {
    std::uint64_t* calls;
    void call(std::uint64_t) { ++*calls; }
  };
  {
    KernelOf<Notebook> simulation;
    Gone gone{&calls};
    simulation.enter([&](Notebook& n) {
      n.agenda.at<&Gone::call>(0, &gone);
      n.agenda.at<&Gone::call>(500, &gone);
    });
  }
  CHECK(calls == 0);
  KernelOf<Notebook> next;  // what comes after it does its own
  next.enter([](Notebook& n) { n.add(100, 1); });
  next.kernel.run_to_end();
  CHECK(next.top().fired == Fired{{100, 1}});
}
