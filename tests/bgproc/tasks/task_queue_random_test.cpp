// SPDX-License-Identifier: Apache-2.0
// The task queue at random, held against a small model of what the specification says.
#include "bgproc/tasks/task_queue.hpp"
#include "tests/bgproc/tasks/manual_executor.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <random>
#include <set>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Does something to a queue and to the model of it, and compares.
class RandomQueue {
 public:
  RandomQueue(std::uint32_t seed, const TaskQueueConfig& config, std::uint32_t processor_count)
      : bench_(config, processor_count), random_(seed), config_(config), processors_(processor_count) {}

  void step() {
    switch (random_() % 16) {
      case 0: commit(false); break;
      case 1: commit(true); break;
      case 2: set_disabled(random_() % 2 == 0); break;
      case 3: settle(); break;
      case 4:
      case 5:
      case 6:
      case 7:
      case 8: ask(); break;
      case 9:
      case 10:
      case 11: end(); break;
      default: add(); break;
    }
    check();
  }
  void close() {
    bench_.queue->close();
    while (!waiting_.empty()) cancel_front();
    for (const std::uint64_t id : running_) ended(id);
    finished_ += running_.size();
    running_.clear();
    check();
    REQUIRE(bench_.all_ended_once());
  }

 private:
  struct ModelCommit {
    std::set<std::uint64_t> left;
    bool high_priority;
  };

  void add() {
    bench_.add();
    ++queued_;
    waiting_.push_back(queued_);
    if (disabled_) cancel_back();
  }
  void commit(bool high_priority) {
    bench_.commit(high_priority);
    std::set<std::uint64_t> left(waiting_.begin(), waiting_.end());
    left.insert(running_.begin(), running_.end());
    commits_.push_back({left, high_priority});
  }
  void set_disabled(bool disabled) {
    bench_.queue->set_disabled(disabled);
    if (disabled && !disabled_ && config_.disabling_cancels) {
      while (!waiting_.empty()) cancel_front();
    }
    disabled_ = disabled;
  }
  /// One worker that was woken asks.
  void ask() {
    const std::size_t asking = bench_.executor.asking();
    if (asking == 0) return;
    const std::size_t begun = bench_.executor.starts().size();
    bench_.executor.ask_nth(random_() % asking);
    if (bench_.executor.starts().size() == begun) return;
    const std::uint64_t id = bench_.executor.starts().back();
    REQUIRE_FALSE(waiting_.empty());
    REQUIRE(id == waiting_.front());
    REQUIRE(running_.size() < limit());
    REQUIRE(bench_.ledger.entries[id].priority == (boosted() ? TaskPriority::boosted : TaskPriority::idle));
    waiting_.pop_front();
    running_.insert(id);
  }
  /// All of them: then as much runs as may.
  void settle() {
    while (bench_.executor.asking() > 0) ask();
    REQUIRE((waiting_.empty() || running_.size() >= limit()));
  }
  void end() {
    if (running_.empty()) return;
    auto which = running_.begin();
    std::advance(which, static_cast<std::ptrdiff_t>(random_() % running_.size()));
    const std::uint64_t id = *which;
    bench_.executor.end_task(id);
    running_.erase(which);
    ++finished_;
    ended(id);
  }
  void cancel_front() {
    const std::uint64_t id = waiting_.front();
    waiting_.pop_front();
    cancelled(id);
  }
  void cancel_back() {
    const std::uint64_t id = waiting_.back();
    waiting_.pop_back();
    cancelled(id);
  }
  void cancelled(std::uint64_t id) {
    REQUIRE(bench_.job(id).cancelled == 1);
    ++cancelled_;
    ended(id);
  }
  void ended(std::uint64_t id) {
    for (ModelCommit& one : commits_) one.left.erase(id);
  }
  bool boosted() const {
    for (const ModelCommit& one : commits_) {
      if (one.high_priority && !one.left.empty()) return true;
    }
    return false;
  }
  std::size_t limit() const { return boosted() ? processors_ : config_.parallel_tasks; }

  void check() {
    const TaskPriority priority = boosted() ? TaskPriority::boosted : TaskPriority::idle;
    REQUIRE(bench_.queue->priority() == priority);
    REQUIRE(bench_.executor.priority() == priority);
    REQUIRE(bench_.executor.running() == TaskIds(running_.begin(), running_.end()));
    REQUIRE(bench_.queue->queued() == queued_);
    REQUIRE(bench_.queue->finished() == finished_);
    REQUIRE(bench_.queue->cancelled() == cancelled_);
    REQUIRE(bench_.queue->idle() == (waiting_.empty() && running_.empty()));
    std::deque<int> completed;
    for (const ModelCommit& one : commits_) completed.push_back(one.left.empty() ? 1 : 0);
    REQUIRE(bench_.completed == completed);
    REQUIRE(bench_.commit_ids == ids_from(1, commits_.size()));
  }

  QueueBench bench_;
  std::mt19937 random_;
  TaskQueueConfig config_;
  std::size_t processors_;
  std::deque<std::uint64_t> waiting_;
  std::set<std::uint64_t> running_;
  std::vector<ModelCommit> commits_;
  std::uint64_t queued_ = 0;
  std::uint64_t finished_ = 0;
  std::uint64_t cancelled_ = 0;
  bool disabled_ = false;
};

}  // namespace

TEST_CASE("task queue: at random, it does what the specification says", "[bgproc]") {
  for (std::uint32_t seed = 0; seed < 240; ++seed) {
    CAPTURE(seed);
    const std::uint32_t parallel = 1 + seed % 3;
    const bool disabling_cancels = seed / 3 % 2 == 1;
    const std::uint32_t processor_count = parallel + seed / 6 % 4;
    RandomQueue queue(seed, {parallel, disabling_cancels}, processor_count);
    for (int i = 0; i < 120; ++i) queue.step();
    queue.close();
  }
}
