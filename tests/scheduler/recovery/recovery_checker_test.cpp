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
  tdr.dependent_wait_us = 500;
  tdr.limit_count = 2;
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
  void tell(Kind kind, std::uint64_t at_ps, std::uint64_t episode = 1) { checker.recovery(step(kind, at_ps, episode)); }
  void of_packet(Kind kind, std::uint64_t at_ps, std::uint64_t packet, std::uint64_t fence_id) {
    RecoveryRecord record = step(kind, at_ps);
    record.packet = packet;
    record.fence_id = fence_id;
    checker.recovery(record);
  }
  void request(std::uint64_t at_ps) { checker.request({node, 0, 3, at_ps}); }
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
  void submits(const char* context, std::uint64_t packet, std::uint64_t fence_id, std::uint64_t at_ps) {
    checker.submission({node, 0, log.name(context), packet, fence_id, PacketType::render, 0, at_ps});
  }
  void faults(std::uint64_t fence_id, std::uint64_t known_ps) {
    checker.interrupt({node, 0, InterruptType::dma_page_faulted, fence_id, 0, known_ps - 1, known_ps});
  }
  /// Packet 1 of A and packet 3 of B are there, and the first is not answered.
  void times_out() {
    submits("a", 1, 1, 0);
    submits("b", 3, 2, 0);
    request(1 * ms);
    tell(Kind::timeout, 3 * ms);
    tell(Kind::held, 3 * ms);
  }
  /// Up to the reset's end.
  void reset() {
    times_out();
    tell(Kind::engine_reset, 3 * ms);
    of_packet(Kind::engine_reset_done, 4 * ms, 0, 1);
  }
  void whole() {
    reset();
    of_packet(Kind::returned, 4 * ms, 3, 0);
    of_packet(Kind::aborted, 4 * ms, 1, 1);
    ends("a", 1, PacketStatus::timed_out, 4 * ms);
    removed(4 * ms, "A", "device_hung");
    ends("a", 2, PacketStatus::discarded, 4 * ms);
    tell(Kind::working, 4 * ms);
    submits("b", 3, 4, 4 * ms);
    checker.interrupt({node, 0, InterruptType::dma_completed, 4, 4, 5 * ms, 5 * ms});
    ends("b", 3, PacketStatus::completed, 5 * ms);
  }
  /// A's device is there again, and hangs again.
  void second() {
    whole();
    tell(Kind::device_created, 5 * ms, 0);
    submits("a", 5, 5, 5 * ms);
    request(6 * ms);
    tell(Kind::timeout, 8 * ms, 2);
    tell(Kind::held, 8 * ms, 2);
    tell(Kind::engine_reset, 8 * ms, 2);
    tell(Kind::engine_reset_done, 9 * ms, 2);
    RecoveryRecord aborted = step(Kind::aborted, 9 * ms, 2);
    aborted.packet = 5;
    checker.recovery(aborted);
    removed(9 * ms, "A", "device_hung", 2);
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
          s.tell(Kind::device_created, 5 * ms, 0);
          s.submits("a", 5, 5, 5 * ms);
        })
            .empty());
  CHECK(told_of([](Hangs& s) {  // a page fault
          s.submits("a", 1, 1, 0);
          s.faults(1, 3 * ms);
          s.of_packet(Kind::page_fault, 3 * ms, 1, 1);
          s.tell(Kind::held, 3 * ms);
          s.tell(Kind::engine_reset, 3 * ms);
          s.checker.rests(9 * ms);
        })
            .empty());
}

TEST_CASE("recovery checker: a timeout is the delay after a request without an answer", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) { s.tell(Kind::timeout, 3 * ms); }), "(rule 2)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.request(1 * ms);
                   s.tell(Kind::timeout, 3 * ms - 1);
                 }),
                 "(rule 2)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.request(1 * ms);
                   s.checker.interrupt({s.node, 0, InterruptType::dma_preempted, 3, 0, 2 * ms, 2 * ms});
                   s.tell(Kind::timeout, 3 * ms);
                 }),
                 "without a request"));
}

TEST_CASE("recovery checker: a reset begins at once, or when dependents have had their time", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.times_out();
                   s.tell(Kind::engine_reset, 3 * ms + 1);
                 }),
                 "(rules 7 and 18)"));
  const auto asks = [](std::uint64_t reset_ps) {
    return told_of([reset_ps](Hangs& s) {
      s.times_out();
      s.tell(Kind::dependent_asked, 3 * ms);
      s.tell(Kind::engine_reset, reset_ps);
    });
  };
  CHECK(asks(3 * ms + 500 * us).empty());
  CHECK(tells_of(asks(3 * ms + 500 * us + 1), "(rules 7 and 18)"));
}

TEST_CASE("recovery checker: a reset takes its time, and nothing comes meanwhile", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.times_out();
                   s.tell(Kind::engine_reset, 3 * ms);
                   s.tell(Kind::engine_reset_done, 4 * ms - 1);
                 }),
                 "(rules 8 and 12)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.times_out();
                   s.tell(Kind::engine_reset, 3 * ms);
                   s.request(3 * ms);
                 }),
                 "(rules 8 and 12)"));
  for (const Kind kind : {Kind::held, Kind::engine_reset, Kind::adapter_reset}) {
    CHECK(tells_of(told_of([kind](Hangs& s) {
                     s.tell(kind, 3 * ms);
                     s.submits("b", 3, 9, 3 * ms);
                   }),
                   "(rules 7 and 12)"));
  }
}

TEST_CASE("recovery checker: who is aborted has timed out, and nobody else", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) { s.ends("a", 1, PacketStatus::timed_out, 4 * ms); }), "(rule 9)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.reset();
                   s.of_packet(Kind::aborted, 4 * ms, 1, 1);
                   s.ends("a", 1, PacketStatus::completed, 4 * ms);
                 }),
                 "(rule 9)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.whole();
                   s.ends("b", 4, PacketStatus::discarded, 5 * ms);
                 }),
                 "(rule 11)"));
  CHECK(tells_of(told_of([](Hangs& s) {  // it is behind the one that ran
                   s.reset();
                   s.of_packet(Kind::aborted, 4 * ms, 1, 1);
                   s.of_packet(Kind::aborted, 4 * ms, 3, 2);
                 }),
                 "none behind submission 1"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.reset();
                   s.of_packet(Kind::aborted, 4 * ms, 3, 2);
                 }),
                 "the first of its hardware queue"));
}

TEST_CASE("recovery checker: no innocent packet is lost in a reset, and their order is kept", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.reset();
                   s.of_packet(Kind::aborted, 4 * ms, 1, 1);
                   s.tell(Kind::working, 4 * ms);
                 }),
                 "no packet to be lost in a reset"));
  CHECK(tells_of(told_of([](Hangs& s) {  // the guilty one
                   s.reset();
                   s.of_packet(Kind::returned, 4 * ms, 3, 0);
                   s.of_packet(Kind::returned, 4 * ms, 1, 0);
                 }),
                 "submissions up to 1 to be aborted"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.reset();
                   s.of_packet(Kind::returned, 4 * ms, 1, 0);
                 }),
                 "the last of its hardware queue"));
}

TEST_CASE("recovery checker: an innocent packet is submitted with a new id", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.reset();
                   s.of_packet(Kind::returned, 4 * ms, 3, 0);
                   s.of_packet(Kind::aborted, 4 * ms, 1, 1);
                   s.tell(Kind::working, 4 * ms);
                   s.submits("b", 3, 2, 4 * ms);
                 }),
                 "a new id, above 2"));
}

TEST_CASE("recovery checker: an innocent paging packet is submitted with its old id", "[scheduler]") {
  const auto again_as = [](std::uint64_t fence_id) {
    return told_of([fence_id](Hangs& s) {
      s.reset();
      s.of_packet(Kind::returned, 4 * ms, 3, 0);
      s.of_packet(Kind::aborted, 4 * ms, 1, 1);
      s.tell(Kind::working, 4 * ms);
      s.checker.submission({s.node, 0, s.log.name("b"), 3, fence_id, PacketType::paging, 0, 4 * ms});
    });
  };
  CHECK(again_as(2).empty());
  CHECK(tells_of(again_as(4), "its old id, 2"));
}

TEST_CASE("recovery checker: devices are removed for their own packets, or with the adapter", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.reset();
                   s.of_packet(Kind::aborted, 4 * ms, 1, 1);
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
                   s.submits("a", 5, 5, 5 * ms);
                 }),
                 "(rule 16)"));
}

TEST_CASE("recovery checker: no more resets of the adapter than are borne", "[scheduler]") {
  const auto resets = [](std::uint64_t many) {
    return told_of([many](Hangs& s) {
      for (std::uint64_t episode = 1; episode <= many; ++episode) {
        s.request(episode * 10 * ms);
        s.tell(Kind::timeout, (episode * 10 + 2) * ms, episode);
        s.tell(Kind::adapter_reset, (episode * 10 + 2) * ms, episode);
        s.tell(Kind::adapter_reset_done, (episode * 10 + 3) * ms, episode);
      }
    });
  };
  CHECK(resets(2).empty());
  CHECK(tells_of(resets(3), "(rule 14)"));
}

TEST_CASE("recovery checker: a process is blocked when it has caused too many resets, and gets no device then",
          "[scheduler]") {
  const auto blocked = [](bool has_device) {
    return told_of([has_device](Hangs& s) {
      s.second();
      s.tell(Kind::process_blocked, 9 * ms, 2);
      s.tell(Kind::working, 9 * ms, 2);
      if (has_device) s.tell(Kind::device_created, 10 * ms, 0);
    });
  };
  CHECK(blocked(false).empty());
  CHECK(tells_of(blocked(true), "(rule 15)"));
  CHECK(tells_of(told_of([](Hangs& s) {  // too late
                   s.second();
                   s.tell(Kind::working, 9 * ms, 2);
                 }),
                 "it blocked: it has caused 2 resets of engines"));
  CHECK(tells_of(told_of([](Hangs& s) {  // too early
                   s.whole();
                   s.tell(Kind::process_blocked, 5 * ms);
                 }),
                 "none blocked before it has caused 2 resets of engines"));
}

TEST_CASE("recovery checker: a page fault is what the engine has told of, and is dealt with at once", "[scheduler]") {
  CHECK(tells_of(told_of([](Hangs& s) { s.of_packet(Kind::page_fault, 3 * ms, 1, 1); }), "(rule 18)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.faults(1, 3 * ms);
                   s.of_packet(Kind::page_fault, 3 * ms + 1, 1, 1);
                 }),
                 "(rule 18)"));
  CHECK(tells_of(told_of([](Hangs& s) {
                   s.faults(1, 3 * ms);
                   s.of_packet(Kind::page_fault, 3 * ms, 1, 1);
                   s.tell(Kind::engine_reset, 3 * ms + 1);
                 }),
                 "(rules 7 and 18)"));
  CHECK(tells_of(told_of([](Hangs& s) {  // nobody has dealt with it
                   s.faults(1, 3 * ms);
                   s.checker.rests(9 * ms);
                 }),
                 "(rule 18)"));
}
