// SPDX-License-Identifier: Apache-2.0
#include "scheduler/recovery/watchdog.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace fenceline;

namespace {

TdrRules watchdog_rules(const TdrConfig& tdr, const SchedulerConfig& scheduler = {}) { return {tdr, scheduler}; }
constexpr std::uint64_t microsecond = 1'000'000;

WatchedQueue running(std::uint64_t since_ps) {
  WatchedQueue queue;
  queue.running_since_ps = since_ps;
  return queue;
}

}  // namespace

TEST_CASE("watchdog: who is watched is the policy's where the machine leaves it open", "[scheduler]") {
  SchedulerConfig scheduler;
  CHECK(watchdog_rules(TdrConfig(), scheduler).level == TdrLevel::recover);
  scheduler.policy = SchedulingPolicy::time_slice;
  CHECK(watchdog_rules(TdrConfig(), scheduler).level == TdrLevel::off);
  scheduler.policy = SchedulingPolicy::xe;
  CHECK(watchdog_rules(TdrConfig(), scheduler).level == TdrLevel::off);
  CHECK(watchdog_rules(TdrConfig(), scheduler).delay_ps == 640'000 * microsecond);  // its own
}

TEST_CASE("watchdog: a packet that runs too long is asked to stop, unless it has been", "[scheduler]") {
  const TdrRules rules = watchdog_rules(TdrConfig());
  WatchedQueue queue = running(5 * microsecond);
  CHECK(watched_until(rules, queue) == 2'000'005 * microsecond);
  CHECK(watch(rules, queue, 2'000'005 * microsecond - 1) == Watched::nothing);
  CHECK(watch(rules, queue, 2'000'005 * microsecond) == Watched::too_long);
  queue.asked = true;
  CHECK(watch(rules, queue, 3'000'000 * microsecond) == Watched::nothing);
  queue.asked = false;
  queue.exempt = true;
  CHECK(watch(rules, queue, 3'000'000 * microsecond) == Watched::nothing);
  TdrConfig never;
  never.too_long_us = 0;
  CHECK(watched_until(watchdog_rules(never), running(0)) == WatchedQueue::never);
}

TEST_CASE("watchdog: a request that is not answered in time is a timeout, unless the queue is exempt", "[scheduler]") {
  const TdrRules rules = watchdog_rules(TdrConfig());
  WatchedQueue queue = running(0);
  queue.asked = true;
  queue.answer_due_ps = 7 * microsecond;
  CHECK(watched_until(rules, queue) == 7 * microsecond);
  CHECK(watch(rules, queue, 7 * microsecond - 1) == Watched::nothing);
  CHECK(watch(rules, queue, 7 * microsecond) == Watched::timeout);
  queue.exempt = true;
  CHECK(watch(rules, queue, 7 * microsecond) == Watched::let_go);
}

TEST_CASE("watchdog: in the Windows 7 model a packet that runs for the delay is a timeout", "[scheduler]") {
  SchedulerConfig scheduler;
  scheduler.caps.preemption_aware = false;
  const TdrRules rules = watchdog_rules(TdrConfig(), scheduler);
  CHECK(watch(rules, running(0), 2'000'000 * microsecond - 1) == Watched::nothing);
  CHECK(watch(rules, running(0), 2'000'000 * microsecond) == Watched::timeout);
}

TEST_CASE("watchdog: so many in less than the window are within the limit", "[scheduler]") {
  CHECK_FALSE(beyond_limit({}, 10, 1, 5));
  CHECK(beyond_limit({}, 10, 0, 5));
  CHECK(beyond_limit({6}, 10, 1, 5));
  CHECK_FALSE(beyond_limit({5}, 10, 1, 5));
  CHECK_FALSE(beyond_limit({1, 6}, 10, 2, 5));
  CHECK(beyond_limit({6, 7}, 10, 2, 5));
}
