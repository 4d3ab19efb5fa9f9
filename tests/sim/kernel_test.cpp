// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/kernel.hpp"

#include "sim/sanitizers.hpp"
#include "tests/support/script.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <array>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;

namespace {

sc_core::sc_time ps(std::uint64_t value) { return sc_core::sc_time::from_value(value); }

/// A method and a thread, each counting on its own for ever, the first time after one period.
struct Ticker : sc_core::sc_module {
  Ticker(sc_core::sc_module_name module_name, std::uint64_t period_ps) : sc_module(module_name), period(period_ps) {
    SC_HAS_PROCESS(Ticker);
    SC_METHOD(tick);
    sensitive << next;
    dont_initialize();
    SC_THREAD(loop);
    next.notify(ps(period));
  }
  void tick() {
    guarded([this] {
      ++method_ticks;
      if (on_tick) on_tick();
      next.notify(ps(period));
    });
  }
  void loop() {
    guarded([this] {
      for (;;) {
        wait(ps(period));
        ++thread_ticks;
      }
    });
  }
  std::uint64_t period;
  std::uint64_t method_ticks = 0;
  std::uint64_t thread_ticks = 0;
  std::function<void()> on_tick;
  sc_core::sc_event next;
};

/// Counts its living copies.
struct Local {
  explicit Local(int& count) : alive(count) { ++alive; }
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;
  ~Local() { --alive; }
  int& alive;
};

/// Runs one body as an SC_THREAD or SC_METHOD at time 0.
struct Process : sc_core::sc_module {
  Process(sc_core::sc_module_name module_name, const std::function<void()>& body_of_process, bool thread)
      : sc_module(module_name), body(body_of_process) {
    SC_HAS_PROCESS(Process);
    if (thread) {
      SC_THREAD(run);
    } else {
      SC_METHOD(run);
    }
  }
  void run() { guarded(body); }
  std::function<void()> body;
};

struct Odd {
  int value;
};

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

TEST_CASE("kernel: an exception thrown in a process keeps its type and the kernel stays usable", "[sim]") {
  KernelOf<Ticker> simulation(std::uint64_t{10});
  Ticker& ticker = simulation.top();
  ticker.on_tick = [&] {
    if (ticker.method_ticks != 3) return;
    ticker.next.notify(ps(10));
    throw Odd{42};
  };
  int caught = 0;
  try {
    simulation.kernel.advance_to(1000);
  } catch (const Odd& odd) {
    caught = odd.value;
  }
  CHECK(caught == 42);
  CHECK(simulation.kernel.now_ps() == 30);
  simulation.kernel.advance_to(1000);  // the exception is told once
  CHECK(ticker.method_ticks == 100);
  CHECK(ticker.thread_ticks == 100);
}

TEST_CASE("kernel: exceptions come out of every way to run, from methods and threads", "[sim]") {
  const bool thread = GENERATE(false, true);
  sc_core::sc_event* go = nullptr;
  int after = 0;
  struct Top : sc_core::sc_module {
    Top(sc_core::sc_module_name module_name, bool as_thread, int& count)
        : sc_module(module_name),
          after(count),
          script("script"),
          process(
              "process", [this] { body(); }, as_thread) {
      is_thread = as_thread;
    }
    void body() {
      if (is_thread) {
        sc_core::wait(go);
        throw Odd{1};
      }
      if (armed) throw Odd{1};
      armed = true;
      sc_core::next_trigger(go);
    }
    int& after;
    bool is_thread = false;
    bool armed = false;
    Script script;
    sc_core::sc_event go;
    Process process;
  };
  std::unique_ptr<Kernel> kernel;
  Script* script = nullptr;
  const auto make = [&] {
    kernel.reset();
    kernel = std::make_unique<Kernel>([&] {
      auto top = std::make_unique<Top>("top", thread, after);
      go = &top->go;
      script = &top->script;
      return top;
    });
    kernel->enter([&] {
      go->notify(ps(50));
      script->at(60, [&] { ++after; });
    });
  };
  make();
  CHECK_THROWS_AS(kernel->run_to_end(), Odd);
  CHECK(kernel->now_ps() == 50);
  kernel->run_to_end();
  CHECK(after == 1);
  make();
  CHECK_THROWS_AS(kernel->advance_to(55), Odd);
  kernel->advance_to(55);
  CHECK(kernel->now_ps() == 55);
  make();
  CHECK_THROWS_AS(kernel->run([&] { return after == 2; }), Odd);
  CHECK(kernel->run([&] { return after == 2; }));
  make();
  CHECK_THROWS_AS(kernel->run_to_end(), Odd);
  kernel.reset();  // straight after an exception
}

TEST_CASE("kernel: exceptions of the host's own functions pass through and release the kernel", "[sim]") {
  KernelOf<Ticker> simulation(std::uint64_t{10});
  CHECK_THROWS_AS(simulation.kernel.run([]() -> bool { throw Odd{1}; }), Odd);
  CHECK_THROWS_AS(simulation.kernel.enter([] { throw Odd{1}; }), Odd);
  simulation.kernel.advance_to(100);
  CHECK(simulation.top().method_ticks == 10);
}

TEST_CASE("kernel: an exception in the build function leaves nothing behind", "[sim]") {
  int alive = 0;
  struct Half : sc_core::sc_module {
    Half(sc_core::sc_module_name module_name, int& count, bool fail)
        : sc_module(module_name), local(count), inner("ticker", 10) {
      if (fail) throw Odd{7};
    }
    Local local;
    Ticker inner;
  };
  const auto* current = sc_core::sc_curr_simcontext;
  const auto* standard = sc_core::sc_default_global_context;
  for (int round = 0; round < 3; ++round) {
    CHECK_THROWS_AS(Kernel([&] { return std::make_unique<Half>("top", alive, true); }), Odd);
    CHECK(alive == 0);
    CHECK(sc_core::sc_curr_simcontext == current);
    CHECK(sc_core::sc_default_global_context == standard);
  }
  Half* half = nullptr;
  Kernel kernel([&] {
    auto top = std::make_unique<Half>("top", alive, false);
    half = top.get();
    return top;
  });
  CHECK(std::string(half->name()) == "top");  // the failed ones did not keep the name
  kernel.advance_to(30);
  CHECK(half->inner.thread_ticks == 3);
}

TEST_CASE("kernel: failures of elaboration and of the first moment come out of the constructor", "[sim]") {
  int alive = 0;
  struct Unbound : sc_core::sc_module {
    Unbound(sc_core::sc_module_name module_name, int& count) : sc_module(module_name), local(count), port("port") {}
    Local local;
    sc_core::sc_port<sc_core::sc_signal_in_if<bool>> port;
  };
  CHECK_THROWS_AS(Kernel([&] { return std::make_unique<Unbound>("top", alive); }), sc_core::sc_report);
  CHECK(alive == 0);
  struct Failing : Process {
    Failing(sc_core::sc_module_name module_name, int& count, bool thread)
        : Process(
              module_name, [] { throw Odd{3}; }, thread),
          local(count),
          ticker("ticker", 10) {}
    Local local;
    Ticker ticker;
  };
  const bool thread = GENERATE(false, true);
  CHECK_THROWS_AS(Kernel([&] { return std::make_unique<Failing>("top", alive, thread); }), Odd);
  CHECK(alive == 0);
  KernelOf<Ticker> next(std::uint64_t{10});
  next.kernel.advance_to(10);
  CHECK(next.top().thread_ticks == 1);
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

TEST_CASE("kernel: locals of waiting threads are unwound at destruction", "[sim]") {
  int alive = 0;
  struct Waiting : sc_core::sc_module {
    Waiting(sc_core::sc_module_name module_name, int& count) : sc_module(module_name), alive(count) {
      SC_HAS_PROCESS(Waiting);
      SC_THREAD(on_time);
      SC_THREAD(on_event);
      SC_THREAD(spawns);
    }
    void on_time() {
      guarded([this] {
        const Local local(alive);
        wait(ps(1'000'000));
      });
    }
    void on_event() {
      guarded([this] {
        const Local outer(alive);
        deeper(3);
      });
    }
    void deeper(int depth) {
      const Local local(alive);
      if (depth > 0) {
        deeper(depth - 1);
      } else {
        wait(never);
      }
    }
    void spawns() {
      guarded([this] {
        sc_core::sc_spawn([this] {
          guarded([this] {
            const Local local(alive);
            wait(never);
          });
        });
        const Local local(alive);
        wait(never);
      });
    }
    int& alive;
    sc_core::sc_event never;
  };
  for (int round = 0; round < 3; ++round) {
    Kernel kernel([&] { return std::make_unique<Waiting>("top", alive); });
    kernel.advance_to(10);
    CHECK(alive == 1 + 5 + 2);
  }
  CHECK(alive == 0);
}

TEST_CASE("kernel: entering any kernel from inside a process is refused", "[sim]") {
  const bool thread = GENERATE(false, true);
  KernelOf<Ticker> other(std::uint64_t{10});
  std::unique_ptr<Kernel> kernel;
  bool inside = false;
  int refused = 0;
  bool rethrow = false;
  Script* script = nullptr;
  struct Top : sc_core::sc_module {
    Top(sc_core::sc_module_name module_name, const std::function<void()>& body, bool as_thread)
        : sc_module(module_name), script("script"), process("process", body, as_thread) {}
    Script script;
    Process process;
  };
  const auto refusals = [&] {
    if (!kernel) return;  // the first activation, while the constructor elaborates
    inside = kernel->simulating();
    const std::vector<std::function<void()>> ways = {
        [&] { kernel->run_to_end(); },
        [&] { kernel->advance_to(1'000'000); },
        [&] { kernel->enter([] {}); },
        [&] { kernel->run([] { return true; }); },
        [&] { other.kernel.run_to_end(); },
        [&] { other.kernel.advance_to(1'000'000); },
        [&] { KernelOf<Ticker> nested(std::uint64_t{10}); },
    };
    for (const auto& way : ways) {
      try {
        way();
      } catch (const std::logic_error&) {
        ++refused;
      }
    }
    if (rethrow) kernel->run_to_end();
  };
  kernel = std::make_unique<Kernel>([&] {
    const auto body = [&, thread] {
      if (thread) {
        for (;;) {
          sc_core::wait(ps(10));
          refusals();
        }
      }
      refusals();
      sc_core::next_trigger(ps(10));
    };
    auto top = std::make_unique<Top>("top", body, thread);
    script = &top->script;
    return top;
  });
  kernel->advance_to(15);
  CHECK(inside);
  CHECK_FALSE(kernel->simulating());
  CHECK(refused == 7);
  CHECK(kernel->now_ps() == 15);
  rethrow = true;
  CHECK_THROWS_AS(kernel->advance_to(25), std::logic_error);  // not caught by the process, it reaches the host
  other.kernel.advance_to(100);
  CHECK(other.top().thread_ticks == 10);
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
