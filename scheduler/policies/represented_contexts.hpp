// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/policy.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace fenceline {

/// A context whose next packet may run, and what its place in the order depends on.
struct ReadyContext {
  std::uint32_t context = 0;
  std::uint32_t process = 0;
  Rank rank;
  bool waits = false;                 ///< its next packet is a wait whose fence is not there
  Arrival arrival;                    ///< among the contexts of its process
  Arrival process_arrival;            ///< of its process, among those of this height
  std::uint64_t packet = 0;           ///< id of its next packet
  std::uint64_t last_submission = 0;  ///< number of its last submission on the node; 0: none yet
  std::uint64_t ready_ps = 0;         ///< when that packet became ready
};

/// Many ready contexts of a node, in the orders in which a policy looks at them. Those that differ in nothing but their
/// place in the order and how long they have waited are represented by the first and by the one that has waited
/// longest: no other of them can be next, nor have anything stopped that these cannot. What a decision costs does not
/// grow with their number.
class RepresentedContexts {
 public:
  explicit RepresentedContexts(const PolicyTraits& policy) : policy_(&policy) {}

  void add(const ReadyContext& one);
  void remove(std::uint32_t context);
  /// One whose place, or whose process's place, in the order is another now.
  void update(const ReadyContext& one);
  /// The process has another place among those of that height.
  void move_process(std::uint32_t process, std::uint32_t height, const Arrival& arrival);

  std::size_t size() const { return known_.size(); }
  bool contains(std::uint32_t context) const { return known_.count(context) > 0; }
  /// Processes with ready contexts, and how many.
  const std::map<std::uint32_t, std::uint32_t>& processes() const { return processes_; }
  /// All, in the order in which they came.
  std::vector<ReadyContext> all() const;

  /// Who is represented by nobody.
  struct Named {
    std::vector<std::uint32_t> contexts;   ///< of which something is on the node
    std::vector<std::uint32_t> processes;  ///< of these contexts, and whose turn on a runlist it is
    /// Appends whose turn among these it is, on each hardware queue.
    std::function<void(const Peers&, std::vector<std::uint32_t>&)> owners;
  };
  /// Each once, in the order in which they came: between equals a policy takes the first.
  std::vector<std::uint32_t> representatives(const Named& named) const;

 private:
  using Order = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  struct Known {
    ReadyContext one;
    std::uint64_t sequence;  // of its coming
  };
  /// The ready contexts of one process, height and in-process priority.
  struct Group {
    std::set<std::pair<Order, std::uint32_t>> by_order;
    std::set<std::pair<std::uint64_t, std::uint32_t>> by_wait;  // ready_ps
  };
  struct OfProcess {
    std::map<int, Group, std::greater<>> groups;  // by in-process priority
    Arrival arrival;
    bool stands = false;  // in both orders of Height, with these keys
    std::pair<Order, std::uint32_t> in_order;
    std::pair<std::uint64_t, std::uint32_t> waiting;
  };
  struct Height {
    std::map<std::uint32_t, OfProcess> processes;
    std::set<std::pair<Order, std::uint32_t>> by_order;  // processes
    std::set<std::pair<std::uint64_t, std::uint32_t>> by_wait;
  };
  /// Waits apart: they have nobody stopped, and so cannot stand for what does.
  using HeightKey = std::pair<std::uint32_t, bool>;

  bool counts_processes() const;
  HeightKey height_key(const ReadyContext& one) const;
  std::uint32_t process_key(const ReadyContext& one) const { return counts_processes() ? one.process : 0; }
  int group_key(const ReadyContext& one) const;
  Order order_of(const Known& known) const;
  void insert(const Known& known);
  void erase(const Known& known);
  void stand(Height& height, std::uint32_t process);
  void represent(const OfProcess& one, const HeightKey& height, std::uint32_t process, const Named& named,
                 std::vector<std::uint32_t>& out) const;

  const PolicyTraits* policy_;
  std::map<std::uint32_t, Known> known_;  // by context
  std::map<std::uint32_t, std::uint32_t> processes_;
  std::map<HeightKey, Height, std::greater<>> heights_;
  std::uint64_t next_sequence_ = 0;
};

}  // namespace fenceline
