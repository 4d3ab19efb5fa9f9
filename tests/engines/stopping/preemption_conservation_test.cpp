// SPDX-License-Identifier: Apache-2.0
// Whatever is stopped however often: every command completes once, and no group, byte or cycle is lost or done twice.
#include "engines/shader_array/shortcuts/shortcut_dispatcher.hpp"
#include "sim/kernel/now.hpp"
#include "tests/engines/random_engines.hpp"
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// When each draw and dispatch ran: by packet and name.
struct CommandSpans : LogSink {
  struct Times {
    std::uint64_t first_ps = ~std::uint64_t{0};
    std::uint64_t last_ps = 0;
  };
  void span(const EventLog& log, const Span& span) override {
    if (span.kind != SpanKind::command) return;
    Times& times = by_name[{span.id, std::string(log.text(span.name))}];
    times.first_ps = std::min(times.first_ps, span.start_ps);
    times.last_ps = std::max(times.last_ps, span.end_ps);
  }
  std::map<std::pair<std::uint64_t, std::string>, Times> by_name;
};

/// Packets of several hardware queues that are stopped at any time and submitted again after a pause.
class Turmoil : public PreemptionBench {
 public:
  Turmoil(const BoardConfig& config, const Board::MakeEngine& make) : PreemptionBench(config, make) {
    enter([&](Board& board) { board.log.attach(spans); });
    top().on_completed = [this] { fill(top().completed.back().queue); };
    top().on_preempted = [this](Board::Preempted& answer) {
      state_bytes += answer.report.saved_bytes;
      stops += answer.report.saved_bytes > 0 ? 1 : 0;
      auto& queue = waiting_[answer.queue];
      for (auto packet = answer.packets.rbegin(); packet != answer.packets.rend(); ++packet) queue.push_front(*packet);
      ++paused_[answer.queue];
      const std::uint32_t index = answer.queue;
      top().script.at(now_ps() + pauses_ps_[answered_++ % pauses_ps_.size()], [this, index] {
        if (--paused_[index] == 0) fill(index);
      });
    };
  }
  void add(std::uint32_t queue, DmaPacket packet) { waiting_[queue].push_back(std::move(packet)); }
  void run(std::vector<std::uint64_t> pauses_ps) {
    pauses_ps_ = std::move(pauses_ps);
    enter([&](Board&) {
      for (const auto& [queue, packets] : waiting_) fill(queue);
    });
    kernel.run_to_end();
  }

  CommandSpans spans;
  std::uint64_t state_bytes = 0;  ///< saved and restored
  int stops = 0;                  ///< inside a packet

 private:
  void fill(std::uint32_t index) {
    auto& queue = waiting_[index];
    Engine& engine = *top().engine;
    while (paused_[index] == 0 && !queue.empty() && engine.has_room(index)) {
      DmaPacket packet = std::move(queue.front());
      queue.pop_front();
      if (packet.begun()) state_bytes += engine.engine_config().context_state.bytes + packet.state().total();
      engine.submit(index, std::move(packet));
    }
  }
  std::map<std::uint32_t, std::deque<DmaPacket>> waiting_;
  std::map<std::uint32_t, int> paused_;
  std::vector<std::uint64_t> pauses_ps_;
  std::size_t answered_ = 0;
};

struct Request {
  std::uint64_t at_ps;
  std::uint32_t queue;
};

/// Everything that a run of the same inputs must give again.
std::vector<std::uint64_t> digest_of(const Board& board) {
  std::vector<std::uint64_t> digest;
  for (const Board::Completed& done : board.completed) {
    digest.insert(digest.end(), {done.packet.id, done.at_ps, done.packet.finished_ps, done.packet.preempted_ps});
    for (const auto& [slot, at_ps] : done.packet.timestamps) digest.insert(digest.end(), {slot, at_ps});
  }
  for (const Board::Preempted& answer : board.preempted) {
    const PreemptionReport& report = answer.report;
    digest.insert(digest.end(), {report.requested_ps, report.stopped_ps, report.free_ps, report.saved_bytes});
  }
  return digest;
}

void check_packet(const DmaPacket& packet, const CommandSpans& spans) {
  const CommandStream& stream = *packet.stream;
  REQUIRE(packet.cursor.command == stream.commands.size());
  REQUIRE(packet.cursor.inner == 0);
  REQUIRE_FALSE(packet.cursor.entered);
  REQUIRE(packet.halted.empty());
  REQUIRE(packet.pending_timestamps.empty());
  // Time stamps come in the order of the list; none is lost.
  std::vector<std::uint32_t> slots;
  std::uint64_t last_ps = packet.started_ps;
  for (const auto& [slot, at_ps] : packet.timestamps) {
    slots.push_back(slot);
    REQUIRE(at_ps >= last_ps);
    last_ps = at_ps;
  }
  REQUIRE(last_ps <= std::max(packet.started_ps, packet.finished_ps));
  // What is behind a barrier or a stamp's commands begins no sooner than what is before it ends.
  std::uint64_t before_ps = 0;
  std::uint64_t so_far_ps = 0;
  std::size_t stamp = 0;
  bool skip = false;
  for (std::size_t i = 0; i < stream.commands.size(); ++i) {
    const Command& command = stream.commands[i];
    if (const auto* predication = std::get_if<SetPredication>(&command)) skip = predication->skip;
    if (std::holds_alternative<Barrier>(command)) before_ps = so_far_ps;
    if (std::holds_alternative<Timestamp>(command)) {
      REQUIRE(slots.at(stamp) == i);
      REQUIRE(packet.timestamps[stamp++].second >= so_far_ps);
    }
    const auto found = spans.by_name.find({packet.id, "c" + std::to_string(i)});
    if (found == spans.by_name.end()) continue;
    REQUIRE_FALSE(skip);
    REQUIRE(found->second.first_ps >= before_ps);
    so_far_ps = std::max(so_far_ps, found->second.last_ps);
  }
  REQUIRE(stamp == slots.size());
}

/// How often packets were stopped inside.
template <class Kind, class Config>
int check_conservation(std::uint64_t seed, RandomLists::Kind kind, int rounds) {
  RandomLists random(seed, kind);
  int stops = 0;
  for (int round = 0; round < rounds; ++round) {
    INFO("round " << round);
    const BoardConfig board = random_board(random);
    const Config config = random_engine<Config>(random);
    RasterRates rates;
    if constexpr (std::is_same_v<Config, GraphicsEngineConfig>) rates = config.rates;
    std::vector<std::pair<std::uint32_t, DmaPacket>> packets;
    Demand demand;
    for (std::uint64_t count = 1 + random.below(5); count > 0; --count) {
      const SubmissionCost cost{random.below(3) * 500'000, random.below(3) * 1000, random.below(3) * 100'000};
      DmaPacket packet = packet_of(packets.size() + 1, random.list(random.below(16)), cost);
      packet.context = random.below32(2);
      const Demand its = demand_of(*packet.stream, rates);
      demand.groups += its.groups;
      demand.device_bytes += its.device_bytes;
      demand.to_device_bytes += its.to_device_bytes;
      demand.to_host_bytes += its.to_host_bytes;
      packets.emplace_back(random.below32(config.hardware_queues), std::move(packet));
    }
    std::vector<Request> requests;
    for (std::uint64_t count = random.below(25); count > 0; --count) {
      requests.push_back(
          {random.below(random.one_in(2) ? 5'000'000 : 30'000'000), random.below32(config.hardware_queues)});
    }
    std::vector<std::uint64_t> pauses_ps(5);
    for (std::uint64_t& pause_ps : pauses_ps) pause_ps = random.below(3) * random.below(1'000'000);
    const auto run = [&] {
      auto bench = std::make_unique<Turmoil>(board, engine_of<Kind>(config));
      for (const auto& [queue, packet] : packets) bench->add(queue, packet);
      for (const Request& request : requests) bench->preempt(request.at_ps, request.queue);
      bench->run(pauses_ps);
      return bench;
    };
    const auto bench = run();
    REQUIRE(bench->top().completed.size() == packets.size());
    for (const auto& [queue, packet] : packets) check_packet(bench->completed(packet.id), bench->spans);
    const Board& end = bench->top();
    REQUIRE(end.array.dispatcher().groups_run() == demand.groups);
    const Memory& memory = end.memory;
    REQUIRE(memory.pcie_to_device().moved_bytes() == demand.to_device_bytes);
    REQUIRE(memory.pcie_to_host().moved_bytes() == demand.to_host_bytes);
    REQUIRE(memory.levels().moved_bytes() == demand.device_bytes + bench->state_bytes);
    stops += bench->stops;
    if (round % 8 == 0) REQUIRE(digest_of(run()->top()) == digest_of(bench->top()));
  }
  return stops;
}

}  // namespace

TEST_CASE("preemption: a copy engine neither loses nor repeats work", "[engines]") {
  CHECK(check_conservation<CopyEngine, CopyEngineConfig>(41, RandomLists::Kind::copy, 500) > 250);
}

TEST_CASE("preemption: a compute engine neither loses nor repeats work", "[engines]") {
  CHECK(check_conservation<ComputeEngine, ComputeEngineConfig>(42, RandomLists::Kind::compute, 500) > 700);
}

TEST_CASE("preemption: the 3D engine neither loses nor repeats work", "[engines]") {
  CHECK(check_conservation<GraphicsEngine, GraphicsEngineConfig>(43, RandomLists::Kind::graphics, 500) > 700);
}
