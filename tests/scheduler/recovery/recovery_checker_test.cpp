// SPDX-License-Identifier: Apache-2.0
// Each promise of docs/recovery.md broken by itself: the checker says so.
#include "scheduler/checker/recovery_checker.hpp"

#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <functional>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Kind = RecoveryRecord::Step;

TdrRules short_tdr() {
  TdrConfig tdr;
  tdr.delay_us = 2000;
  tdr.engine_reset_us = 1000;
  tdr.adapter_reset_us = 1000;
  tdr.limit_count = 1;
  return {tdr, SchedulerConfig{}};
}

/// A hangs and is reset, B is on the engine behind it.
struct Hangs {
  Hangs() : checker(log, short_tdr(), violations) {
    checker.context({log.name("a"), node, log.name("process A"), 1, 0, 0, 0, 0, 0, 0});
    checker.context({log.name("b"), node, log.name("process B"), 1, 0, 0, 0, 0, 0, 0});
  }
  RecoveryRecord step(Kind kind, std::uint64_t at_ps, std::uint64_t episode = 1) {
    RecoveryRecord record{kind, episode, at_ps};
    if (kind != Kind::adapter_reset && kind != Kind::adapter_reset_done) record.node = node;
    record.hardware_queue = 0;
    record.process = log.name("A");
    return record;
  }
  void request(std::uint64_t at_ps) { checker.request({node, 0, 3, at_ps}); }
  void aborted(std::uint64_t at_ps, std::uint64_t packet = 1) {
    RecoveryRecord record = step(Kind::aborted, at_ps);
    record.packet = packet;
    checker.recovery(record);
  }
  void removed(std::uint64_t at_ps, const char* process, const char* reason, std::uint64_t episode = 1) {
    RecoveryRecord record = step(Kind::device_removed, at_ps, episode);
    record.process = log.name(process);
    record.reason = log.name(reason);
    checker.recovery(record);
  }
  void ends(const char* context, std::uint64_t id, PacketStatus status, std::uint64_t at_ps) {
    PacketRecord record{};
    record.id = id;
    record.context = log.name(context);
    record.status = status;
    record.completed_ps = at_ps;
    checker.packet(record);
  }
  void submits(const char* context, std::uint64_t at_ps) {
    checker.submission({node, 0, log.name(context), 9, 9, PacketType::render, 0, at_ps});
  }
  /// Up to the reset's end.
  void reset() {
    request(1 * ms);
    checker.recovery(step(Kind::timeout, 3 * ms));
    checker.recovery(step(Kind::engine_reset, 3 * ms));
    checker.recovery(step(Kind::engine_reset_done, 4 * ms));
  }
  void whole() {
    reset();
    aborted(4 * ms);
    ends("a", 1, PacketStatus::timed_out, 4 * ms);
    removed(4 * ms, "A", "device_hung");
    ends("a", 2, PacketStatus::discarded, 4 * ms);
    submits("b", 4 * ms);
    ends("b", 3, PacketStatus::completed, 5 * ms);
  }
  EventLog log;
  Violations violations;
  LogName node = log.name("3d0");
  RecoveryChecker checker;
};

std::string told_of(const std::function<void(Hangs&)>& tells) {
  Hangs story;
  tells(story);
  return story.violations.report();
}

bool tells_of(const std::string& report, const char* text) { return report.find(text) != std::string::npos; }

}  // namespace

TEST_CASE("recovery checker: what keeps the rules passes", "[scheduler]") {
  CHECK(told_of([](Hangs& s) { s.whole(); }).empty());
  CHECK(told_of([](Hangs& s) {  // the device is there again
          s.whole();
          s.checker.recovery(s.step(Kind::device_created, 5 * ms, 0));
          s.submits("a", 5 * ms);
        })
            .empty());
}

TEST_CASE("recovery checker: a timeout is the delay after a request without an answer", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) { s.checker.recovery(s.step(Kind::timeout, 3 * ms)); }), "(rule 2)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.request(1 * ms);
                   s.checker.recovery(s.step(Kind::timeout, 3 * ms - 1));
                 }),
                 "(rule 2)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.request(1 * ms);
                   s.checker.interrupt({s.node, 0, InterruptType::dma_preempted, 3, 0, 2 * ms, 2 * ms});
                   s.checker.recovery(s.step(Kind::timeout, 3 * ms));
                 }),
                 "without a request"));
}

TEST_CASE("recovery checker: a reset takes its time, and nothing comes meanwhile", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.request(1 * ms);
                   s.checker.recovery(s.step(Kind::timeout, 3 * ms));
                   s.checker.recovery(s.step(Kind::engine_reset, 3 * ms));
                   s.checker.recovery(s.step(Kind::engine_reset_done, 4 * ms - 1));
                 }),
                 "(rules 8 and 12)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.checker.recovery(s.step(Kind::engine_reset, 3 * ms));
                   s.submits("b", 3 * ms);
                 }),
                 "(rules 7 and 12)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.checker.recovery(s.step(Kind::adapter_reset, 3 * ms));
                   s.submits("b", 3 * ms);
                 }),
                 "(rules 7 and 12)"));
}

TEST_CASE("recovery checker: who is aborted has timed out, and nobody else", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) { s.ends("a", 1, PacketStatus::timed_out, 4 * ms); }), "(rule 9)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.aborted(4 * ms);
                   s.ends("a", 1, PacketStatus::completed, 4 * ms);
                 }),
                 "(rule 9)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.whole();
                   s.ends("b", 4, PacketStatus::discarded, 5 * ms);
                 }),
                 "(rule 11)"));
}

TEST_CASE("recovery checker: devices are removed for their own packets, or with the adapter", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.reset();
                   s.aborted(4 * ms);
                   s.removed(4 * ms, "B", "device_hung");
                 }),
                 "(rule 10)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.whole();
                   s.removed(4 * ms, "B", "device_reset");
                 }),
                 "(rule 13)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.whole();
                   s.removed(4 * ms, "A", "device_hung");
                 }),
                 "a device that there is"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.whole();
                   s.submits("a", 5 * ms);
                 }),
                 "(rule 16)"));
}

TEST_CASE("recovery checker: no more resets of the adapter than are borne", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) {
                   for (std::uint64_t episode = 1; episode <= 2; ++episode) {
                     s.request(episode * 10 * ms);
                     s.checker.recovery(s.step(Kind::timeout, (episode * 10 + 2) * ms, episode));
                     s.checker.recovery(s.step(Kind::adapter_reset, (episode * 10 + 2) * ms, episode));
                     s.checker.recovery(s.step(Kind::adapter_reset_done, (episode * 10 + 3) * ms, episode));
                   }
                 }),
                 "(rule 14)"));
}
