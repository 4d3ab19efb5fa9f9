// SPDX-License-Identifier: Apache-2.0
// Lists that are split, and the checker's rules for their pieces: each is broken here.
#include "tests/scheduler/bench.hpp"
#include "tests/scheduler/record_stream.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Two commands to a piece.
SchedulerConfig small_buffers() {
  SchedulerConfig config;
  config.bands.normal.quantum_us = 3;
  config.dma_buffer_kib = 1;
  config.dma_command_bytes = 512;
  config.dpc_us = 1;
  return config;
}

EngineConfig node_with_state() {
  EngineConfig node = plain_node(1);
  node.context_state.bytes = 64;
  node.context_state.save_us = 2;
  node.context_state.restore_us = 3;
  return node;
}

/// One context splits a list of five commands in three pieces, between which another one runs once.
struct Split {
  Split() : bench({node_with_state()}, small_buffers()) {
    bench.log().attach(recorder, EventLog::Detail::packets);
    const ContextId split = bench.context(0);
    const ContextId high = bench.context(0, 100);
    list = bench.execute(split, 10 * us, 5);
    bench.at(5 * us, [this, high] { short_one = bench.execute(high, 4 * us); });
    if (!bench.run()) FAIL("the run did not end");
    bench.log().detach(recorder);
  }
  std::size_t violations(const Records& records, bool back_to_back = false) {
    std::optional<SchedulingRules> rules;
    if (back_to_back) {
      rules.emplace();
      rules->preempts = false;
      rules->back_to_back = true;
    }
    return violations_of(bench.log(), {limits_of(bench.engine(0))}, records, bench.now(), rules).size();
  }
  /// With the first record of a kind for which `change` returns true.
  template <class T>
  std::size_t changed(const std::function<bool(T&)>& change) {
    Records records = recorder.records;
    for (Record& record : records) {
      T* const one = std::get_if<T>(&record);
      if (one != nullptr && change(*one)) return violations(records);
    }
    FAIL("nothing to change");
    return 0;
  }
  Recorder recorder;  // outlives the bench's log
  Bench bench;
  std::uint64_t list = 0;
  std::uint64_t short_one = 0;
};

}  // namespace

TEST_CASE("splitting: pieces are submissions, saved and restored where another context comes between", "[scheduler]") {
  Split run;
  const PacketRecord& record = run.bench.record(run.list);
  CHECK(record.pieces == 3);
  CHECK(record.preemptions == 0);
  CHECK(run.bench.record(run.short_one).pieces == 1);
  CHECK(run.violations(run.recorder.records) == 0);
}

TEST_CASE("checker: pieces of a list", "[scheduler]") {
  Split run;
  const auto number = [](SubmissionRecord& record) {
    ++record.piece;
    return true;
  };
  CHECK(run.changed<SubmissionRecord>(number) > 0);
  const auto last = [](SubmissionRecord& record) {
    record.last = !record.last;
    return true;
  };
  CHECK(run.changed<SubmissionRecord>(last) > 0);
  const auto count = [&](PacketRecord& record) {
    if (record.id != run.list) return false;
    ++record.pieces;
    return true;
  };
  CHECK(run.changed<PacketRecord>(count) > 0);
}

TEST_CASE("checker: state is restored before a piece exactly where something else has run in between", "[scheduler]") {
  Split run;
  Records records;
  std::size_t restores = 0;
  for (const Record& record : run.recorder.records) {
    const Span* span = std::get_if<Span>(&record);
    if (span != nullptr && span->kind == SpanKind::restore) {
      ++restores;
    } else {
      records.push_back(record);
    }
  }
  CHECK(restores == 1);
  CHECK(run.violations(records) > 0);
  // Before each run of the list: also where nothing else has come between.
  records.clear();
  for (const Record& record : run.recorder.records) {
    const Span* span = std::get_if<Span>(&record);
    if (span != nullptr && span->kind == SpanKind::packet && span->id == run.list) {
      Span restore = *span;
      restore.kind = SpanKind::restore;
      records.emplace_back(restore);
    }
    records.push_back(record);
  }
  CHECK(run.violations(records) > 0);
}

TEST_CASE("checker: nothing of another context between the pieces of a list in the Windows 7 model", "[scheduler]") {
  SchedulerConfig config = small_buffers();
  config.bands.normal.quantum_us = 1000;  // it comes between two pieces, and nothing is stopped
  Recorder recorder;
  Bench bench({plain_node(1)}, config);
  bench.log().attach(recorder, EventLog::Detail::packets);
  const ContextId split = bench.context(0);
  const ContextId other = bench.context(0);
  bench.execute(split, 10 * us, 4);
  bench.wait(split, bench.fence(1), 1);
  bench.at(5 * us, [&] { bench.scheduler().suspend(split); });
  bench.at(6 * us, [&] { bench.execute(other, 4 * us); });
  bench.at(90 * us, [&] { bench.scheduler().resume(split); });
  REQUIRE(bench.run());
  bench.log().detach(recorder);
  SchedulingRules rules;
  rules.preempts = false;
  const auto found = [&] {
    return violations_of(bench.log(), {limits_of(bench.engine(0))}, recorder.records, bench.now(), rules).size();
  };
  const std::size_t before = found();
  rules.back_to_back = true;
  CHECK(found() > before);
}

TEST_CASE("checker: nothing of another context runs between two pieces in the Windows 7 model", "[scheduler]") {
  SchedulerConfig config = small_buffers();
  config.bands.normal.quantum_us = 1000;
  Recorder recorder;
  Bench bench({plain_node(2)}, config);
  bench.log().attach(recorder, EventLog::Detail::packets);
  const ContextId split = bench.context(0);
  const ContextId other = bench.context(0);
  bench.execute(split, 10 * us, 4);
  bench.at(5 * us, [&] { bench.execute(other, 4 * us); });  // put behind the first piece while that runs
  REQUIRE(bench.run());
  bench.log().detach(recorder);
  SchedulingRules rules;
  rules.preempts = false;
  rules.back_to_back = true;
  const auto found = violations_of(bench.log(), {limits_of(bench.engine(0))}, recorder.records, bench.now(), rules);
  const auto between = [](const std::string& text) { return text.find("between the pieces") != std::string::npos; };
  CHECK(std::any_of(found.begin(), found.end(), between));
}
