// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/timer.hpp"

#include "sim/kernel/agenda.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/kernel.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Happened = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  // time, which timer

/// Three timers, a delta call and a plain SystemC event beside them.
struct Desk : sc_core::sc_module {
  explicit Desk(sc_core::sc_module_name module_name)
      : sc_module(module_name),
        first("first", Callback::to<&Desk::called>(this, 0)),
        second("second", Callback::to<&Desk::called>(this, 1)),
        third("third", Callback::to<&Desk::called>(this, 2)),
        soon("soon", Callback::to<&Desk::called>(this, 3)) {
    SC_HAS_PROCESS(Desk);
    SC_METHOD(plain);
    sensitive << event;
    dont_initialize();
  }
  Timer& timer(std::uint64_t id) { return id == 0 ? first : id == 1 ? second : third; }
  void called(std::uint64_t id) {
    happened.emplace_back(now_ps(), id);
    if (on_call) on_call(id);
  }
  void plain() { happened.emplace_back(now_ps(), 4); }

  Timer first;
  Timer second;
  Timer third;
  DeltaCall soon;
  sc_core::sc_event event;
  std::function<void(std::uint64_t)> on_call;
  Happened happened;
};

/// The first timer comes every 10 ps.
void every_ten(KernelOf<Desk>& simulation) {
  simulation.top().on_call = [&desk = simulation.top()](std::uint64_t id) {
    if (id == 0) desk.first.set(now_ps() + 10);
  };
  simulation.enter([](Desk& d) { d.first.set(10); });
}

}  // namespace

TEST_CASE("timer: calls once, when it was last set to", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  CHECK(desk.first.due_ps() == Timer::never);
  simulation.enter([](Desk& d) {
    d.first.set(100);
    d.second.set(100);
    d.second.set(300);  // later
    d.third.set(400);
    d.third.set(200);  // sooner
    CHECK(d.third.due_ps() == 200);
  });
  simulation.kernel.run_to_end();
  CHECK(desk.happened == Happened{{100, 0}, {200, 2}, {300, 1}});
  CHECK(desk.first.due_ps() == Timer::never);
  simulation.enter([](Desk& d) {
    d.first.set(300);  // now
    d.second.set(500);
    d.second.set(Timer::never);
  });
  simulation.kernel.run_to_end();
  CHECK(desk.happened.size() == 4);
  CHECK(desk.happened.back() == std::pair<std::uint64_t, std::uint64_t>{300, 0});
  CHECK(simulation.kernel.now_ps() == 300);  // what was taken back leaves nothing to wait for
}

TEST_CASE("timer: one that sets itself goes on by itself while nothing else comes", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  std::vector<std::uint64_t> systemc_ps;
  desk.on_call = [&](std::uint64_t id) {
    systemc_ps.push_back(sc_core::sc_time_stamp().value());
    if (id == 0 && now_ps() < 50) desk.first.set(now_ps() + 10);
  };
  simulation.enter([](Desk& d) {
    d.first.set(10);
    d.second.set(35);
  });
  simulation.kernel.run_to_end();
  CHECK(desk.happened == Happened{{10, 0}, {20, 0}, {30, 0}, {35, 1}, {40, 0}, {50, 0}});
  CHECK(systemc_ps == std::vector<std::uint64_t>{10, 10, 10, 35, 40, 40});
  CHECK(simulation.kernel.now_ps() == 50);
}

TEST_CASE("timer: simulated time goes no further than the kernel is asked to", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  every_ten(simulation);
  const auto never_done = [] { return false; };
  CHECK_FALSE(simulation.kernel.run_until(never_done, 35));
  CHECK(desk.happened.size() == 3);
  CHECK(simulation.kernel.now_ps() == 35);
  CHECK_FALSE(simulation.kernel.run_until(never_done, 50));  // with what comes at the limit
  CHECK(desk.happened.size() == 5);
  simulation.kernel.advance_to(69);
  CHECK(desk.happened.size() == 6);
  CHECK(simulation.kernel.now_ps() == 69);
  simulation.kernel.advance_to(70);
  CHECK(desk.happened.back() == std::pair<std::uint64_t, std::uint64_t>{70, 0});
}

TEST_CASE("timer: whoever runs the kernel is asked after each pause", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  desk.on_call = [&](std::uint64_t) {
    desk.first.set(now_ps() + 10);
    if (desk.happened.size() % 3 == 0) Kernel::pause_running();
  };
  simulation.enter([](Desk& d) { d.first.set(10); });
  std::vector<std::uint64_t> asked_ps;
  CHECK(simulation.kernel.run([&] {
    asked_ps.push_back(simulation.kernel.now_ps());
    return asked_ps.size() == 4;
  }));
  CHECK(asked_ps == std::vector<std::uint64_t>{0, 30, 60, 90});
  std::uint64_t started_ps = 0;
  simulation.kernel.enter([&] {
    started_ps = now_ps();
    desk.second.set(now_ps() + 1);  // from where the host stands
  });
  simulation.kernel.run([&] { return desk.happened.back().second == 1 || desk.happened.size() > 12; });
  CHECK(started_ps == 90);
  CHECK(std::count(desk.happened.begin(), desk.happened.end(), std::make_pair(91ul, 1ul)) == 1);
}

TEST_CASE("timer: after a pause, advancing to a time that has passed makes the calls that are due", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  desk.on_call = [&](std::uint64_t id) {
    if (id == 0) desk.first.set(now_ps() + 10);
    if (now_ps() == 30) Kernel::pause_running();
  };
  simulation.enter([](Desk& d) { d.first.set(10); });
  const auto at_30 = [&] { return simulation.kernel.now_ps() == 30; };
  CHECK(simulation.kernel.run(at_30));
  CHECK(desk.happened.size() == 3);
  simulation.enter([](Desk& d) {
    d.soon.request();
    d.second.set(30);
  });
  SECTION("in advance_to") { simulation.kernel.advance_to(5); }
  SECTION("in run_until") {
    CHECK_FALSE(simulation.kernel.run_until([] { return false; }, 5));
  }
  CHECK(desk.happened.size() == 5);
  CHECK(simulation.kernel.now_ps() == 30);
  CHECK(desk.first.due_ps() == 40);
}

TEST_CASE("timer: a time that has passed is refused", "[sim]") {
  KernelOf<Desk> simulation;
  simulation.top().on_call = [&](std::uint64_t id) {
    if (id == 0 && now_ps() < 30) simulation.top().first.set(now_ps() + 10);
    if (now_ps() == 30) simulation.top().second.set(29);  // SystemC stands before it
  };
  simulation.enter([](Desk& d) { d.first.set(10); });
  CHECK_THROWS_WITH(simulation.kernel.run_to_end(), Catch::Contains("top.second: set to a time that has passed"));
}

TEST_CASE("timer: what a call throws comes out at once, and the timer goes on after that", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  desk.on_call = [&](std::uint64_t) {
    if (now_ps() < 60) desk.first.set(now_ps() + 10);
    if (now_ps() == 30) throw std::runtime_error("at 30");
  };
  simulation.enter([](Desk& d) { d.first.set(10); });
  CHECK_THROWS_WITH(simulation.kernel.run_to_end(), "at 30");
  CHECK(desk.happened.size() == 3);
  CHECK(simulation.kernel.now_ps() == 30);
  simulation.kernel.run_to_end();
  CHECK(desk.happened == Happened{{10, 0}, {20, 0}, {30, 0}, {40, 0}, {50, 0}, {60, 0}});
}

TEST_CASE("timer: a call set for the present time comes behind what is under way", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  int rounds = 0;
  desk.on_call = [&](std::uint64_t id) {
    if (id == 0 && now_ps() == 10) desk.first.set(20);
    if (id == 0 && now_ps() == 20 && ++rounds < 3) {  // it has run ahead: SystemC stands at 10
      desk.first.set(20);
      desk.soon.request();
      if (rounds == 2) desk.second.set(20);
    }
    // What asks for itself until the timer has come does not keep the process for itself.
    if (id == 3 && desk.first.due_ps() == 20 && desk.happened.size() < 50) desk.soon.request();
  };
  simulation.enter([](Desk& d) { d.first.set(10); });
  simulation.kernel.run_to_end();
  CHECK(rounds == 3);
  CHECK(std::count(desk.happened.begin(), desk.happened.end(), std::make_pair(20ul, 0ul)) == 3);
  CHECK(std::count(desk.happened.begin(), desk.happened.end(), std::make_pair(20ul, 1ul)) == 1);
  CHECK(desk.happened.size() < 20);
}

TEST_CASE("timer: SystemC's own events meet the timers at their time", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  every_ten(simulation);
  simulation.enter([](Desk& d) { d.event.notify(sc_core::sc_time::from_value(25)); });
  simulation.kernel.advance_to(30);
  CHECK(desk.happened == Happened{{10, 0}, {20, 0}, {25, 4}, {30, 0}});
  simulation.enter([](Desk& d) { Kernel::notify(d.event, 40); });
  simulation.kernel.advance_to(40);
  REQUIRE(desk.happened.size() == 6);
  CHECK(std::count(desk.happened.begin() + 4, desk.happened.end(), std::make_pair(40ul, 4ul)) == 1);
}

TEST_CASE("timer: random timers, agendas and delta calls come as a list of times says", "[sim]") {
  struct Random : Desk {
    explicit Random(sc_core::sc_module_name module_name) : Desk(module_name), agenda("agenda") {}
    void entry(std::uint64_t id) { called(id); }
    Agenda agenda;
  };
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    KernelOf<Random> simulation;
    Random& desk = simulation.top();
    const std::uint64_t range = 1 + random() % 20;  // many meet at one time
    std::vector<std::uint64_t> due(3, Timer::never);
    std::vector<std::uint64_t> entries;
    std::uint64_t last_ps = 0;
    int left = 400;
    bool asked = false;
    const auto act = [&] {
      for (std::uint64_t choices = random() % 3; choices > 0 && left > 0; --choices, --left) {
        const std::uint64_t id = random() % 5;
        const std::uint64_t time_ps = now_ps() + random() % range;
        if (id < 3) {
          due[id] = random() % 8 == 0 ? Timer::never : time_ps;
          desk.timer(id).set(due[id]);
        } else if (id == 3) {
          asked = true;
          desk.soon.request();
        } else {
          entries.push_back(time_ps);
          desk.agenda.at<&Random::entry>(time_ps, &desk, 5);
        }
      }
    };
    desk.on_call = [&](std::uint64_t id) {
      // Whatever is due comes first: time never passes it.
      const std::uint64_t now = now_ps();
      REQUIRE(now >= last_ps);
      last_ps = now;
      if (id < 3) {
        REQUIRE(due[id] == now);
        due[id] = Timer::never;
      } else if (id == 3) {
        REQUIRE(asked);
        asked = false;
      } else {
        const auto mine = std::find(entries.begin(), entries.end(), now);
        REQUIRE(mine != entries.end());
        entries.erase(mine);
      }
      for (const std::uint64_t time_ps : due) REQUIRE(time_ps >= now);
      for (const std::uint64_t time_ps : entries) REQUIRE(time_ps >= now);
      act();
    };
    simulation.enter([&](Random&) {
      for (int i = 0; i < 4; ++i) act();
    });
    const std::uint64_t limit_ps = random() % 200;
    simulation.kernel.run_until([] { return false; }, limit_ps);
    REQUIRE(last_ps <= limit_ps);
    for (const std::uint64_t time_ps : due) REQUIRE(time_ps > limit_ps);
    for (const std::uint64_t time_ps : entries) REQUIRE(time_ps > limit_ps);
    simulation.kernel.run_to_end();
    CHECK(entries.empty());
    CHECK_FALSE(asked);
    CHECK(std::count(due.begin(), due.end(), Timer::never) == 3);
  }
}
