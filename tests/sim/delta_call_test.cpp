// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/delta_call.hpp"

#include "sim/kernel/agenda.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Two calls, an agenda to ask for them from, and a plain SystemC event beside them.
struct Desk : sc_core::sc_module {
  explicit Desk(sc_core::sc_module_name module_name)
      : sc_module(module_name),
        agenda("agenda"),
        first("first", Callback::to<&Desk::called>(this, 1)),
        second("second", Callback::to<&Desk::called>(this, 2)) {
    SC_HAS_PROCESS(Desk);
    SC_METHOD(plain);
    sensitive << soon << later;
    dont_initialize();
  }
  void at(std::uint64_t time_ps, std::function<void()> what) {
    scripts.push_back(std::move(what));
    agenda.at<&Desk::play>(time_ps, this, scripts.size() - 1);
  }
  void play(std::uint64_t script) {
    scripts[script]();
    happened.emplace_back(now_ps(), 10);
  }
  void called(std::uint64_t id) {
    happened.emplace_back(now_ps(), id);
    deltas.push_back(sc_core::sc_delta_count());
    if (on_call) on_call(id);
  }
  void plain() { happened.emplace_back(now_ps(), 20); }

  Agenda agenda;
  DeltaCall first;
  DeltaCall second;
  sc_core::sc_event soon;
  sc_core::sc_event later;
  std::vector<std::function<void()>> scripts;
  std::function<void(std::uint64_t)> on_call;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> happened;  // time, what
  std::vector<std::uint64_t> deltas;
};

using Happened = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_CASE("delta call: comes once, behind the method that asks for it", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  simulation.enter([](Desk& d) {
    d.at(100, [&d] {
      d.second.request();
      d.first.request();
      d.second.request();
    });
  });
  simulation.kernel.run_to_end();
  CHECK(desk.happened == Happened{{100, 10}, {100, 2}, {100, 1}});
}

TEST_CASE("delta call: where something else is left at its time, it has a delta cycle of its own", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  simulation.enter([](Desk& d) {
    d.at(100, [&d] {
      d.soon.notify(sc_core::SC_ZERO_TIME);
      d.first.request();
    });
    d.at(200, [&d] { d.first.request(); });
    d.later.notify(sc_core::sc_time::from_value(200));
  });
  simulation.kernel.run_to_end();
  REQUIRE(desk.happened.size() == 6);
  // SystemC gives the processes of one delta cycle no order.
  CHECK(desk.happened[0] == std::pair<std::uint64_t, std::uint64_t>{100, 10});
  CHECK(std::count(desk.happened.begin() + 1, desk.happened.begin() + 3, std::make_pair(100ul, 1ul)) == 1);
  CHECK(desk.happened.back() == std::pair<std::uint64_t, std::uint64_t>{200, 1});  // behind both, in whatever order
}

TEST_CASE("delta call: asked for from the host or a call, it comes all the same", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  desk.on_call = [&desk](std::uint64_t id) {
    if (id == 1 && desk.deltas.size() < 5) desk.second.request();
    if (id == 2) desk.first.request();
  };
  simulation.enter([](Desk& d) { d.first.request(); });
  simulation.kernel.run_to_end();
  CHECK(desk.happened == Happened{{0, 1}, {0, 2}, {0, 1}, {0, 2}, {0, 1}});
}

TEST_CASE("delta call: what it throws reaches who runs the kernel, and others still come", "[sim]") {
  KernelOf<Desk> simulation;
  Desk& desk = simulation.top();
  desk.on_call = [](std::uint64_t id) {
    if (id == 1) throw std::runtime_error("first");
  };
  simulation.enter([](Desk& d) {
    d.at(100, [&d] {
      d.first.request();
      d.second.request();
    });
  });
  CHECK_THROWS_WITH(simulation.kernel.run_to_end(), "first");
  simulation.kernel.run_to_end();
  CHECK(desk.happened == Happened{{100, 10}, {100, 1}, {100, 2}});
}
