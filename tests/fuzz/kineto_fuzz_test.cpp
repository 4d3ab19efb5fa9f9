// SPDX-License-Identifier: Apache-2.0
#include "tests/support/kineto_sample.hpp"
#include "tests/support/mutator.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// A trace with some of everything: two streams, a graph, launches of their own, copies, a stated wait, CPU work.
std::string sample() {
  Trace trace;
  trace.kernel(7, 0, 40, 5);
  trace.kernel(7, 40.25, 20, 5, "void app::(anonymous namespace)::second<int>(int)", 1000);
  trace.kernel(7, 70, 20, 6);
  trace.memory("Memcpy HtoD (Pinned -> Device)", 9, 20, 30, 1 << 20, 7);
  trace.stream_wait(9, 8, 7, 6);
  trace.kernel(9, 65, 10, 9);
  trace.memory("Memset (Device)", 9, 300, 2, 64, 10);
  trace.events.push_back({{"ph", "X"}, {"cat", "cpu_op"}, {"name", "aten::mm"}, {"ts", 5}, {"args", {{"a", {1}}}}});
  trace.events.push_back({{"ph", "s"}, {"cat", "ac2g"}, {"id", 3}});
  return trace.document().dump();
}

const std::vector<std::string> trace_tokens = {"{",
                                               "}",
                                               "[",
                                               "]",
                                               ",",
                                               "\"",
                                               "null",
                                               "0",
                                               "-1",
                                               "1e999",
                                               "\"7\"",
                                               "{}",
                                               "[]",
                                               "1e15",
                                               "\"-1\"",
                                               "\n",
                                               "\xFF",
                                               "4294967296",
                                               "1e8",
                                               "0.001",
                                               "true",
                                               "65535",
                                               "1024",
                                               "255",
                                               "9e18",
                                               "\x1f",
                                               "-",
                                               "\"cat\":\"kernel\",",
                                               std::string(1, '\0'),
                                               std::string(70, '[')};

}  // namespace

TEST_CASE("kineto fuzz: any bytes are a workload that can be played or a config error", "[kineto][fuzz]") {
  Mutator mutator(20240229, trace_tokens, Mutator::Numbers::often);
  const std::string text = sample();
  std::size_t played = 0;
  constexpr std::size_t rounds = 2500;
  const MachineConfig machine = builtin_machine("h200");
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::string mutated = mutator.mutated(text);
    try {
      const Imported imported = import_text(mutated, machine);
      const json dump = json(dump_config(imported.workload));
      const auto read = read_config<Workload>(dump, "w.json");
      if (json(dump_config(read)) != dump) FAIL("a workload reads back as something else: " << mutated);
      const Program program = make_program(read, "w.json");
      check_waits(program, "w.json");
      check_machine(program, "w.json", machine);
      ++played;
      if (played % 16 != 0) continue;
      if (!Played(imported.workload).completed) FAIL("a workload does not end: " << mutated);
    } catch (const ConfigError& error) {
      if (error.file() == "w.json") FAIL("not a workload: " << error.what() << " of " << mutated);
      if (!has_the_form(error.what(), "trace.json") && !has_the_form(error.what(), ""))
        FAIL("not one line of the form: " << error.what());
    }
  }
  CHECK(played > rounds / 10);
  CHECK(played < rounds);
}
