// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/kernel.hpp"

#include "sim/sanitizers.hpp"
#include "tests/sim/kernel_modules.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <array>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  REQUIRE(resident > 0);
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("kernel: time starts at 0 for each, whatever others have simulated", "[sim]") {
  KernelOf<Ticker> first(std::uint64_t{10});
  first.kernel.advance_to(1'000'000);
  CHECK(first.kernel.now_ps() == 1'000'000);
  KernelOf<Ticker> second(std::uint64_t{10});
  CHECK(second.kernel.now_ps() == 0);
  CHECK(second.top().method_ticks == 0);
  second.kernel.advance_to(25);
  CHECK(second.kernel.now_ps() == 25);
  CHECK(second.top().method_ticks == 2);
  CHECK(first.kernel.now_ps() == 1'000'000);
}

#if !defined(FENCELINE_ADDRESS_SANITIZER) && !defined(FENCELINE_THREAD_SANITIZER)
TEST_CASE("kernel: 500 kernels created, run and destroyed leave the process no larger", "[sim]") {
  const auto one = [](std::uint64_t period) {
    KernelOf<Ticker> simulation(period);
    simulation.kernel.advance_to(100 * period);
    if (simulation.top().method_ticks != 100 || simulation.top().thread_ticks != 100) FAIL("a kernel lost ticks");
  };
  for (std::uint64_t i = 1; i <= 100; ++i) one(i);  // SystemC's free lists and the heap reach their size
  const std::size_t before = resident_bytes();
  for (std::uint64_t i = 1; i <= 500; ++i) one(i);
  const std::size_t after = resident_bytes();
  // A kernel of this kind holds about 8 KiB (one touched stack page, module, context): keeping a quarter of each would
  // be 1 MiB. Less than that is the heap's own unrest.
  const std::size_t slack = 1 << 20;
  INFO("resident before " << before << ", after " << after);
  CHECK(after < before + slack);
}
#endif

TEST_CASE("kernel: notifications still pending at destruction are not leaked", "[sim]") {
  // Without sanitizers the growth shows: 16 bytes a notification and kernel, 3 MiB in all; with them the leak is fatal.
  struct Pending : sc_core::sc_module {
    explicit Pending(sc_core::sc_module_name module_name) : sc_module(module_name), events(10'000) {
      for (std::size_t i = 0; i < events.size(); ++i) events[i].notify(ps(i + 1));
    }
    std::vector<sc_core::sc_event> events;
  };
  const auto round = [] { const Kernel kernel([] { return std::make_unique<Pending>("top"); }); };
  for (int i = 0; i < 5; ++i) round();
  const std::size_t before = resident_bytes();
  for (int i = 0; i < 20; ++i) round();
  const std::size_t after = resident_bytes();
  INFO("resident before " << before << ", after " << after);
#if !defined(FENCELINE_ADDRESS_SANITIZER) && !defined(FENCELINE_THREAD_SANITIZER)
  CHECK(after < before + 1024 * 1024);
#endif
}

TEST_CASE("kernel: four alive at once run interleaved without disturbing each other", "[sim]") {
  const std::array<std::uint64_t, 4> periods = {7, 10, 13, 100};
  std::vector<std::unique_ptr<KernelOf<Ticker>>> all;
  all.reserve(periods.size());
  for (const std::uint64_t period : periods) all.push_back(std::make_unique<KernelOf<Ticker>>(period));
  std::array<std::uint64_t, 4> reached{};
  for (std::uint64_t round = 0; round < 200; ++round) {
    const std::size_t i = round * 3 % 4;
    reached[i] += 11 + round % 17 * i;
    all[i]->kernel.advance_to(reached[i]);
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(all[k]->kernel.now_ps() == reached[k]);
      CHECK(all[k]->top().method_ticks == reached[k] / periods[k]);
      CHECK(all[k]->top().thread_ticks == reached[k] / periods[k]);
    }
  }
  all.erase(all.begin() + 1);  // the death of one leaves the others alone
  all[2]->kernel.advance_to(reached[3] + 1000);
  CHECK(all[2]->top().method_ticks == (reached[3] + 1000) / periods[3]);
}

TEST_CASE("kernel: SystemC's current context is the same before and after every call", "[sim]") {
  KernelOf<Ticker> first(std::uint64_t{10});
  KernelOf<Ticker> second(std::uint64_t{10});
  const auto* current = sc_core::sc_curr_simcontext;
  const auto* standard = sc_core::sc_default_global_context;
  for (auto* simulation : {&first, &second}) {
    simulation->kernel.advance_to(100);
    CHECK(sc_core::sc_curr_simcontext == current);
    CHECK(sc_core::sc_default_global_context == standard);
    simulation->kernel.enter([&] { CHECK(sc_core::sc_curr_simcontext != current); });
    CHECK(sc_core::sc_curr_simcontext == current);
    CHECK(sc_core::sc_default_global_context == standard);
  }
}

TEST_CASE("kernel: advance_to includes its last moment and every delta cycle of it", "[sim]") {
  struct Top : sc_core::sc_module {
    explicit Top(sc_core::sc_module_name module_name) : sc_module(module_name), script("script") {}
    Script script;
  };
  KernelOf<Top> simulation;
  std::vector<int> done;
  simulation.enter([&](Top& top) {
    top.script.at(100, [&] {
      done.push_back(1);
      top.script.at(100, [&] { done.push_back(2); });
    });
    top.script.at(101, [&] { done.push_back(3); });
  });
  simulation.kernel.advance_to(99);
  CHECK(done.empty());
  simulation.kernel.advance_to(100);
  CHECK(done == std::vector<int>{1, 2});
  simulation.kernel.advance_to(50);  // has passed
  CHECK(simulation.kernel.now_ps() == 100);
  simulation.kernel.advance_to(100);
  CHECK(done == std::vector<int>{1, 2});
  simulation.kernel.advance_to(5000);  // nothing to do after 101, time passes all the same
  CHECK(done == std::vector<int>{1, 2, 3});
  CHECK(simulation.kernel.now_ps() == 5000);
  int late = 0;
  simulation.enter([&](Top& top) { top.script.at(5000, [&] { ++late; }); });
  simulation.kernel.advance_to(5000);  // work for the present moment is done without time passing
  CHECK(late == 1);
}

TEST_CASE("kernel: run asks first, then after every pause, and stops where it was paused", "[sim]") {
  KernelOf<Ticker> simulation(std::uint64_t{10});
  Kernel& kernel = simulation.kernel;
  Ticker& ticker = simulation.top();
  int asked = 0;
  CHECK(kernel.run([&] {
    ++asked;
    return true;
  }));
  CHECK(asked == 1);
  CHECK(kernel.now_ps() == 0);

  ticker.on_tick = [&] {
    if (ticker.method_ticks % 4 == 0) Kernel::pause_running();
  };
  asked = 0;
  CHECK(kernel.run([&] {
    ++asked;
    return ticker.method_ticks >= 12;
  }));
  CHECK(asked == 1 + 3);
  CHECK(kernel.now_ps() == 120);
  CHECK(ticker.thread_ticks == 12);  // the delta cycle of the pause was finished
  kernel.advance_to(333);            // pauses do not cut it short
  CHECK(kernel.now_ps() == 333);
  CHECK(ticker.method_ticks == 33);
}

TEST_CASE("kernel: run returns false when nothing is left to do", "[sim]") {
  int ran = 0;
  Kernel kernel([&] {
    return std::make_unique<Process>(
        "top", [&] { sc_core::wait(ps(70)), ++ran; }, true);
  });
  CHECK_FALSE(kernel.run([] { return false; }));
  CHECK(ran == 1);
  CHECK(kernel.now_ps() == 70);
  kernel.run_to_end();
  CHECK(kernel.now_ps() == 70);  // the end of work, not the end of time
}

TEST_CASE("kernel: two host threads with a kernel each take turns", "[sim]") {
  const std::uint64_t steps = 2000;
  std::array<std::uint64_t, 2> method_ticks{};
  std::array<std::uint64_t, 2> thread_ticks{};
  std::array<int, 2> caught{};
  const auto host = [&](std::size_t i, std::uint64_t period) {
    KernelOf<Ticker> simulation(period);
    simulation.top().on_tick = [&, i] {
      simulation.top().next.notify(ps(simulation.top().period));
      if (simulation.top().method_ticks % 100 == 0) throw Odd{static_cast<int>(i)};
    };
    for (std::uint64_t step = 1; step <= steps; ++step) {
      try {
        simulation.kernel.advance_to(step * period);
      } catch (const Odd& odd) {
        if (odd.value == static_cast<int>(i)) ++caught[i];
        simulation.kernel.advance_to(step * period);
      }
    }
    method_ticks[i] = simulation.top().method_ticks;
    thread_ticks[i] = simulation.top().thread_ticks;
  };
  std::thread first(host, 0, 7);
  std::thread second(host, 1, 1000);
  first.join();
  second.join();
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(method_ticks[i] == steps);
    CHECK(thread_ticks[i] == steps);
    CHECK(caught[i] == static_cast<int>(steps / 100));
  }
}

TEST_CASE("kernel: a kernel made on one host thread may be run and destroyed on another", "[sim]") {
  int alive = 0;
  auto kernel = std::make_unique<Kernel>([&] {
    return std::make_unique<Process>(
        "top",
        [&] {
          const Local local(alive);
          for (;;) sc_core::wait(ps(10));
        },
        true);
  });
  std::thread([&] { kernel->advance_to(100); }).join();
  CHECK(kernel->now_ps() == 100);
  kernel->advance_to(200);
  CHECK(alive == 1);
  std::thread([&] { kernel.reset(); }).join();
  CHECK(alive == 0);
}
