// SPDX-License-Identifier: Apache-2.0
// The checker's rules for what pieces hold, for binding leaks and for what is broadcast: each is broken here.
#include "scheduler/checker/piece_checker.hpp"

#include "tests/scheduler/bench.hpp"
#include "tests/scheduler/record_stream.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// A PieceChecker that is told of packets one by one.
class PieceScene {
 public:
  explicit PieceScene(std::uint64_t commands = 5) : commands_(commands) {}

  void queue(std::uint64_t packet = 1) {
    QueuedRecord record{};
    record.packet = packet;
    record.commands = commands_;
    checker_.queued(record);
  }
  void copy(std::uint64_t packet, const char* node, const char* list = "list", std::uint32_t copies = 2) {
    QueuedRecord record{};
    record.packet = packet;
    record.node = log_.name(node);
    record.commands = commands_;
    record.list = log_.name(list);
    record.broadcast = 1;
    record.copies = copies;
    checker_.queued(record);
  }
  void submit(std::uint32_t piece, std::uint64_t from, std::uint64_t end, bool last, std::uint64_t packet = 1) {
    SubmissionRecord record{};
    record.packet = packet;
    record.piece = piece;
    record.from_command = from;
    record.end_command = end;
    record.last = last;
    checker_.submission(record);
  }
  void patch(std::uint32_t piece, std::uint32_t slot, bool bound) { checker_.patch({1, piece, slot, bound, 0}); }
  void end(PacketRecord record = {}) {
    record.id = record.id == 0 ? 1 : record.id;
    checker_.packet(record);
  }
  std::uint64_t broken() const { return violations_.count(); }
  PieceChecker& checker() { return checker_; }
  LogName name(const char* text) { return log_.name(text); }

 private:
  EventLog log_;
  Violations violations_;
  std::uint64_t commands_;
  PieceChecker checker_{log_, violations_};
};

/// A signal that is broadcast to two adapters.
class SignalScene : public PieceScene {
 public:
  SignalScene() {
    for (const std::uint64_t packet : {1, 2}) {
      QueuedRecord record{};
      record.packet = packet;
      record.type = PacketType::signal;
      record.node = name(packet == 1 ? "first" : "second");
      record.broadcast = 1;
      record.copies = 2;
      checker().queued(record);
    }
  }
  void takes_place(std::uint64_t packet, bool awaits_others) {
    PacketRecord record{};
    record.id = packet;
    record.type = PacketType::signal;
    record.awaits_others = awaits_others;
    end(record);
  }
};

/// Two commands to a piece, and patch location lists.
SchedulerConfig patched_buffers() {
  SchedulerConfig config;
  config.dma_buffer_kib = 1;
  config.dma_command_bytes = 512;
  config.caps.no_dma_patching = false;
  return config;
}

std::shared_ptr<const CommandStream> patched_list(std::vector<PatchLocation> patches) {
  auto stream = std::make_shared<CommandStream>(*busy_list(10 * us, 6));
  stream->splits.patches = std::move(patches);
  return stream;
}

/// What a run of one list on one node says.
Records records_of(Bench& bench, const std::shared_ptr<const CommandStream>& list) {
  Recorder recorder;
  bench.log().attach(recorder, EventLog::Detail::packets);
  const ContextId queue = bench.context(0);
  bench.at(0, [&] { bench.scheduler().execute(queue, list); });
  CHECK(bench.run());
  bench.log().detach(recorder);
  return recorder.records;
}

}  // namespace

TEST_CASE("piece checker: pieces that follow each other pass, also one that comes again", "[scheduler]") {
  PieceScene scene;
  scene.queue();
  scene.submit(1, 0, 2, false);
  scene.submit(2, 2, 4, false);
  scene.submit(2, 3, 4, false);
  scene.submit(3, 4, 5, true);
  scene.end();
  CHECK(scene.broken() == 0);
}

TEST_CASE("piece checker: a command that is in no piece is lost", "[scheduler]") {
  PieceScene scene;
  scene.queue();
  scene.submit(1, 0, 2, false);
  scene.submit(2, 3, 5, true);
  CHECK(scene.broken() == 1);
}

TEST_CASE("piece checker: a command that is in two pieces is doubled", "[scheduler]") {
  PieceScene scene;
  scene.queue();
  scene.submit(1, 0, 3, false);
  scene.submit(2, 2, 5, true);
  CHECK(scene.broken() == 1);
}

TEST_CASE("piece checker: the last piece ends with its list, and no other", "[scheduler]") {
  PieceScene early;
  early.queue();
  early.submit(1, 0, 4, true);
  CHECK(early.broken() == 1);
  PieceScene late;
  late.queue();
  late.submit(1, 0, 5, false);
  CHECK(late.broken() == 1);
}

TEST_CASE("piece checker: a list that is complete has had all its commands", "[scheduler]") {
  PieceScene scene;
  scene.queue();
  scene.submit(1, 0, 2, false);
  scene.end();
  CHECK(scene.broken() == 1);
}

TEST_CASE("piece checker: a piece that comes again is the same", "[scheduler]") {
  PieceScene scene;
  scene.queue();
  scene.submit(1, 0, 2, false);
  scene.submit(1, 1, 3, false);
  CHECK(scene.broken() == 1);
  scene.submit(2, 2, 4, false);
  scene.submit(2, 1, 4, false);
  CHECK(scene.broken() == 2);
}

TEST_CASE("piece checker: a piece that leaks is not submitted", "[scheduler]") {
  const auto broken = [](bool bound_before, bool patched_again, bool bound_again) {
    PieceScene scene;
    scene.queue();
    scene.patch(1, 7, true);
    if (!bound_before) scene.patch(1, 7, false);
    scene.submit(1, 0, 2, false);
    if (patched_again) scene.patch(2, 7, bound_again);
    scene.submit(2, 2, 4, false);
    scene.submit(3, 4, 5, true);
    return scene.broken();
  };
  CHECK(broken(true, false, false) == 2);  // in both pieces
  CHECK(broken(true, true, false) == 0);
  CHECK(broken(true, true, true) == 1);  // in the third
  CHECK(broken(false, false, false) == 0);
}

TEST_CASE("piece checker: a piece is rejected for nothing but a leak", "[scheduler]") {
  const auto broken = [](bool patched_again) {
    PieceScene scene;
    scene.queue();
    scene.patch(1, 7, true);
    scene.submit(1, 0, 2, false);
    if (patched_again) scene.patch(2, 7, false);
    PacketRecord record{};
    record.status = PacketStatus::discarded;
    record.rejected = true;
    scene.end(record);
    return scene.broken();
  };
  CHECK(broken(false) == 0);
  CHECK(broken(true) == 1);
}

TEST_CASE("piece checker: what is broadcast is the same on each adapter", "[scheduler]") {
  PieceScene good;
  good.copy(1, "first");
  good.copy(2, "second");
  for (const std::uint64_t packet : {1, 2}) good.submit(1, 0, 2, false, packet);
  for (const std::uint64_t packet : {2, 1}) good.submit(2, 2, 5, true, packet);
  CHECK(good.broken() == 0);

  PieceScene another_list;
  another_list.copy(1, "first");
  another_list.copy(2, "second", "other list");
  CHECK(another_list.broken() == 1);

  PieceScene same_adapter;
  same_adapter.copy(1, "first");
  same_adapter.copy(2, "first");
  CHECK(same_adapter.broken() == 1);

  PieceScene one_is_missing;
  one_is_missing.copy(1, "first", "list", 3);
  one_is_missing.copy(2, "second", "list", 3);
  one_is_missing.submit(1, 0, 5, true);
  CHECK(one_is_missing.broken() == 1);

  PieceScene split_elsewhere;
  split_elsewhere.copy(1, "first");
  split_elsewhere.copy(2, "second");
  split_elsewhere.submit(1, 0, 2, false, 1);
  split_elsewhere.submit(1, 0, 3, false, 2);
  CHECK(split_elsewhere.broken() == 1);
}

TEST_CASE("piece checker: a signal that is broadcast takes place with the last of its copies", "[scheduler]") {
  SignalScene good;
  good.takes_place(2, true);
  good.takes_place(1, false);
  CHECK(good.broken() == 0);

  SignalScene too_early;
  too_early.takes_place(1, false);
  CHECK(too_early.broken() == 1);

  SignalScene never;
  never.takes_place(1, true);
  never.takes_place(2, true);
  CHECK(never.broken() == 1);
}

TEST_CASE("checker: without one of its patches a piece of a run leaks", "[scheduler]") {
  Bench bench({plain_node(1)}, patched_buffers());
  const Records records =
      records_of(bench, patched_list({{0, 3, true}, {2, 3, true}, {3, 9, true}, {4, 3, false}, {5, 9, false}}));
  const auto broken = [&](const Records& of) {
    return violations_of(bench.log(), {limits_of(bench.engine(0))}, of, bench.now()).size();
  };
  CHECK(broken(records) == 0);
  std::size_t patches = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const PatchRecord* const patch = std::get_if<PatchRecord>(&records[i]);
    if (patch == nullptr) continue;
    ++patches;
    Records without = records;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    INFO("piece " << patch->piece << ", slot " << patch->slot);
    CHECK((broken(without) > 0) == (patch->piece > 1 && !(patch->piece == 2 && patch->slot == 9)));
  }
  CHECK(patches == 5);
}

TEST_CASE("checker: a rejected piece of a run leaks", "[scheduler]") {
  Bench bench({plain_node(1)}, patched_buffers());
  Recorder recorder;
  const Records records = records_of(bench, patched_list({{0, 3, true}}));
  std::size_t rejected = 0;
  for (const Record& record : records) {
    const PacketRecord* const packet = std::get_if<PacketRecord>(&record);
    rejected += packet != nullptr && packet->rejected;
  }
  CHECK(rejected == 1);
}

TEST_CASE("checker: a broadcast of a run is held together", "[scheduler]") {
  SchedulerConfig config = patched_buffers();
  Bench bench({plain_node(1), plain_node(2)}, config);
  Recorder recorder;
  bench.log().attach(recorder, EventLog::Detail::packets);
  const std::vector<ContextId> queues = {bench.context(0), bench.context(1)};
  const FenceId fence = bench.fence();
  bench.at(0, [&] {
    bench.scheduler().execute(queues, patched_list({}));
    bench.scheduler().signal(queues, fence, 1);
  });
  bench.execute(queues[1], 25 * us);  // the second adapter comes later
  REQUIRE(bench.run());
  bench.log().detach(recorder);
  const auto broken = [&](const Records& of) {
    return violations_of(bench.log(), {limits_of(bench.engine(0)), limits_of(bench.engine(1))}, of, bench.now()).size();
  };
  CHECK(broken(recorder.records) == 0);
  std::size_t copies = 0;
  for (std::size_t i = 0; i < recorder.records.size(); ++i) {
    Records changed = recorder.records;
    QueuedRecord* const queued = std::get_if<QueuedRecord>(&changed[i]);
    if (queued == nullptr || queued->broadcast == 0) continue;
    ++copies;
    queued->copies = 3;
    CHECK(broken(changed) > 0);
  }
  CHECK(copies == 4);
}
