// SPDX-License-Identifier: Apache-2.0
// What background processing tells the log of the computer that simulates.
#include "bgproc/background_processing.hpp"
#include "tests/support/script.hpp"

#include <catch2/catch.hpp>
#include <systemc>

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

struct Top : sc_core::sc_module {
  explicit Top(sc_core::sc_module_name module_name) : sc_module(module_name), cores("cores", CpuConfig{}) {}
  CpuCores cores;
};

struct Lines final : LogSink {
  void message(const EventLog& log, const Message& message) override {
    CHECK(message.severity == Severity::warning);
    CHECK(log.text(message.track) == "adapter.background");
    said.push_back(message.text);
  }
  std::vector<std::string> said;
};

/// Warnings of three tasks on host threads that become idle so.
std::vector<std::string> warnings(const IdleCalls& calls, TaskExecution executor = TaskExecution::host) {
  KernelOf<Top> bench;
  EventLog log;
  Lines lines;
  log.attach(lines);
  bench.enter([&](Top& top) {
    BackgroundConfig config;
    config.executor = executor;
    BackgroundProcessing background(config, top.cores, log, "adapter.background", {}, calls);
    for (int i = 0; i < 3; ++i) background.tasks().queue_processing_work([](void*) {}, nullptr, nullptr);
    while (background.working()) background.wait_for_news();
    background.end();
  });
  return lines.said;
}

int refuse(int) {
  errno = EPERM;
  return -1;
}
int grant(int) { return 0; }

}  // namespace

TEST_CASE("background log: what the system refused to host threads is said once", "[bgproc]") {
  const std::vector<std::string> nice = warnings({refuse, grant});
  REQUIRE(nice.size() == 1);
  CHECK_THAT(nice[0], Contains("host threads of background tasks") && Contains("SCHED_IDLE is refused") &&
                          Contains("they have nice 19"));
  const std::vector<std::string> none = warnings({refuse, refuse});
  REQUIRE(none.size() == 1);
  CHECK_THAT(none[0], Contains("and nice 19, too") && Contains("they have the program's own priority"));
}

TEST_CASE("background log: nothing is said where nothing was refused, or no host thread runs tasks", "[bgproc]") {
  CHECK(warnings({grant, grant}).empty());
  CHECK(warnings({refuse, refuse}, TaskExecution::simulated).empty());
}
