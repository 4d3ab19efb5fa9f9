// SPDX-License-Identifier: Apache-2.0
#include "api/machine.hpp"
#include "sim/log.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

struct Timeouts final : LogSink {
  void recovery(const EventLog&, const RecoveryRecord& record) override {
    if (record.step == RecoveryRecord::Step::timeout) at_ps.push_back(record.at_ps);
  }
  std::vector<std::uint64_t> at_ps;
};

}  // namespace

TEST_CASE("recovery: a request that a program makes times out, too, though nothing else happens then", "[scheduler]") {
  MachineConfig config;
  config.engines = {ComputeEngineConfig()};
  config.tdr.level = TdrLevel::recover;
  config.tdr.delay_us = 100;
  config.tdr.too_long_us = 1e6;
  Timeouts timeouts;
  Machine machine(config, InvariantChecks::on);
  machine.log().attach(timeouts, EventLog::Detail::packets);
  QueueConfig queue_config;
  queue_config.name = "hangs";
  queue_config.type = QueueType::compute;
  const ContextId queue = machine.create_queue(queue_config);
  auto list = std::make_shared<CommandStream>();
  list->commands.emplace_back(Hang{});
  machine.execute(queue, list);
  machine.advance_to(10 * us);
  REQUIRE(machine.preempt(queue));
  machine.advance_to(1 * ms);
  CHECK(timeouts.at_ps == std::vector<std::uint64_t>{110 * us});
  machine.log().detach(timeouts);
}
