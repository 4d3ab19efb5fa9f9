// SPDX-License-Identifier: Apache-2.0
#include "scheduler/display/display.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "tests/scheduler/bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::size_t queue_count = 6;
constexpr std::size_t fence_count = 4;
constexpr std::uint64_t highest_value = 12;

struct Operation {
  PacketType type = PacketType::render;
  std::size_t queue = 0;
  std::size_t fence = 0;
  std::uint64_t value = 0;
  std::uint64_t duration_ps = 0;
};

/// The rules without time: which packet may complete next, and what fences are worth. It follows a run step by step and
/// says where the run left it. Any step that is enabled is right; in the end nothing enabled may be left over.
class Specification {
 public:
  void submit(const Operation& operation) {
    packets_.push_back({operation, false, value_[operation.fence]});
    queues_[operation.queue].push_back(packets_.size() - 1);
  }
  void fence_moves(std::size_t fence, std::uint64_t value) {
    value_[fence] = value;
    rewinds_ += value < highest_[fence];
    highest_[fence] = std::max(highest_[fence], value);
    // A wait counts from the moment it is queued: the best value since then decides.
    for (Packet& packet : packets_) {
      if (packet.operation.fence == fence) packet.best_value = std::max(packet.best_value, value);
    }
  }
  void completes(std::uint64_t id) {
    if (id == 0 || id > packets_.size()) return mistake("packet %: was never submitted", id);
    Packet& packet = packets_[id - 1];
    if (packet.done) return mistake("packet % completed twice", id);
    if (!enabled(id - 1)) return mistake("packet % completed before what it has to come after", id);
    packet.done = true;
    ++done_;
    if (packet.operation.type == PacketType::signal) fence_moves(packet.operation.fence, packet.operation.value);
    if (packet.operation.type == PacketType::wait) {
      tickets_ += value_[packet.operation.fence] < packet.operation.value;
    }
  }
  /// Nothing more will happen.
  void rests() {
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      if (!packets_[i].done && enabled(i)) mistake("packet % could have completed and did not", i + 1);
    }
  }

  std::uint64_t value(std::size_t fence) const { return value_[fence]; }
  bool all_done() const { return done_ == packets_.size(); }
  const std::vector<std::string>& mistakes() const { return mistakes_; }
  std::size_t tickets() const { return tickets_; }
  std::size_t rewinds() const { return rewinds_; }
  void mistake(std::string text, std::uint64_t id) {
    text.replace(text.find('%'), 1, std::to_string(id));
    mistakes_.push_back(text);
  }

 private:
  struct Packet {
    Operation operation;
    bool done;
    std::uint64_t best_value;  ///< of its fence, since it was queued
  };
  bool enabled(std::size_t index) const {
    const Operation& operation = packets_[index].operation;
    for (const std::size_t earlier : queues_[operation.queue]) {
      if (earlier == index) break;
      if (packets_[earlier].done) continue;
      const PacketType type = packets_[earlier].operation.type;
      // A wait holds back everything; work is held back by work; a signal or present comes after everything.
      if (type == PacketType::wait || takes_a_moment(operation.type)) return false;
      if (type == PacketType::render && operation.type == PacketType::render) return false;
    }
    return operation.type != PacketType::wait || packets_[index].best_value >= operation.value;
  }

  std::vector<Packet> packets_;
  std::vector<std::size_t> queues_[queue_count];
  std::uint64_t value_[fence_count] = {};
  std::uint64_t highest_[fence_count] = {};
  std::size_t done_ = 0;
  std::size_t tickets_ = 0;
  std::size_t rewinds_ = 0;
  std::vector<std::string> mistakes_;
};

/// What one random program showed.
struct Coverage {
  std::size_t operations = 0;
  std::size_t stuck_programs = 0;
  std::size_t tickets = 0;
  std::size_t rewinds = 0;
  std::size_t preemptions = 0;
};

void play(std::uint64_t seed, std::size_t operations, Coverage& coverage) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };

  // Three nodes of different kinds for six queues of mixed priorities; hops that cost and hops that do not.
  EngineConfig no_preemption = plain_node(4);
  no_preemption.copy_preemption.granularity = CopyPreemption::none;
  SchedulerConfig config;
  for (BandConfig* band : {&config.bands.normal, &config.bands.realtime}) {
    band->quantum_us = band->process_quantum_us = 1;
  }
  Bench bench({plain_node(1 + static_cast<std::uint32_t>(below(4))), plain_node(2, 3), no_preemption}, config);
  std::vector<ContextId> queues;
  std::vector<FenceId> fences;
  for (std::size_t i = 0; i < queue_count; ++i) {
    NodePath path;
    if (below(2) == 0) {
      path.launch_ns = 1;
      path.retire_ns = 2;
      path.follow_ns = 1;
      path.fence_same_node_ns = 3;
      path.fence_cross_node_ns = 5;
      path.fence_from_cpu_ns = 7;
    }
    queues.push_back(bench.context(static_cast<std::uint32_t>(i % 3), static_cast<int>(below(3)), path, 1));
  }
  for (std::size_t i = 0; i < fence_count; ++i) fences.push_back(bench.fence());
  const SwapChainId swap_chain = bench.display().create("frames", nullptr);

  Specification specification;
  bench.on_packet = [&](const PacketRecord& packet) { specification.completes(packet.id); };
  bench.on_fence = [&](std::string_view fence, std::uint64_t value) {
    if (fence == "adapter.fences.frames") return;
    const std::size_t index = static_cast<std::size_t>(fence.back() - '0');
    if (specification.value(index) != value) specification.mistake("a fence moved to % for no reason", value);
  };
  const auto submit = [&](const Operation& operation) {
    specification.submit(operation);
    switch (operation.type) {
      case PacketType::render: bench.execute(queues[operation.queue], operation.duration_ps, 1 + below(3)); break;
      case PacketType::signal: bench.signal(queues[operation.queue], fences[operation.fence], operation.value); break;
      case PacketType::wait: bench.wait(queues[operation.queue], fences[operation.fence], operation.value); break;
      case PacketType::paging:
      case PacketType::context_switch: break;  // nobody submits one
      case PacketType::present: bench.present(queues[operation.queue], swap_chain, {}); break;
    }
  };
  const auto cpu_signal = [&](std::size_t fence, std::uint64_t value) {
    specification.fence_moves(fence, value);
    bench.cpu_signal(fences[fence], value);
  };

  // Bursts of submissions at random times, some while work runs, with CPU signals in between, up and down.
  std::uint64_t at_ps = 0;
  for (std::size_t left = operations; left > 0;) {
    const std::size_t burst = std::min<std::size_t>(left, 1 + below(40));
    left -= burst;
    bench.at(at_ps, [&, burst] {
      for (std::size_t i = 0; i < burst; ++i) {
        Operation operation;
        const std::uint64_t kind = below(10);
        operation.type = kind < 4 ? PacketType::render : kind < 8 ? PacketType::signal : PacketType::wait;
        if (operation.type == PacketType::signal && below(8) == 0) operation.type = PacketType::present;
        operation.queue = below(queue_count);
        operation.fence = below(fence_count);
        operation.value = below(highest_value + 1);
        operation.duration_ps = below(3) * 500'000;
        submit(operation);
      }
      if (below(3) == 0) cpu_signal(below(fence_count), below(highest_value + 1));
    });
    at_ps += below(4) * 700'000;
  }
  bench.run();
  specification.rests();
  const bool rests = specification.mistakes().empty();
  coverage.stuck_programs += !specification.all_done();
  CHECK(bench.scheduler().stuck().empty() == specification.all_done());

  // The highest value frees every wait, whatever it is behind.
  for (std::size_t fence = 0; fence < fence_count; ++fence) cpu_signal(fence, highest_value);
  CHECK(bench.run());
  specification.rests();
  CHECK(specification.all_done());
  for (std::size_t fence = 0; fence < fence_count; ++fence) {
    CHECK(bench.fences().value(fences[fence]) == specification.value(fence));
  }
  INFO("seed " << seed << (rests ? "" : ", before the last signals"));
  CHECK(specification.mistakes() == std::vector<std::string>{});

  coverage.operations += operations;
  coverage.tickets += specification.tickets();
  coverage.rewinds += specification.rewinds();
  for (const auto& [id, packet] : bench.records()) {
    coverage.preemptions += packet.preemptions;
    reasons_of(bench.log(), packet);  // throws where the stamps are out of order
  }
}

}  // namespace

TEST_CASE("random fence programs: every order of completion is one that the rules allow", "[scheduler]") {
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) play(seed, 50, coverage);
  for (std::uint64_t seed = 100; seed < 140; ++seed) play(seed, 250, coverage);
  CHECK(coverage.operations == 12000);
  // The programs reach the corners of the rules.
  CHECK(coverage.stuck_programs > 5);
  CHECK(coverage.tickets > 20);
  CHECK(coverage.rewinds > 500);
  CHECK(coverage.preemptions > 40);
}
