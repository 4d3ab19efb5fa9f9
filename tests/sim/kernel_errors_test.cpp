// SPDX-License-Identifier: Apache-2.0
// What goes wrong in a kernel: exceptions keep their type, threads are unwound, and nobody enters from inside.
#include "sim/kernel/kernel.hpp"
#include "tests/sim/kernel_modules.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

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
