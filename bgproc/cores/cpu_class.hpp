// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/cores/cpu_places.hpp"
#include "sim/callback.hpp"

#include <cstdint>
#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace fenceline {

class CpuClass;

/// Work in picoseconds x full_cpu_rate.
using RatedWork = unsigned __int128;

/// A thread that computes.
struct CpuThread {
  std::uint64_t id = 0;
  std::uint64_t order = 0;
  CpuPriority priority = CpuPriority::normal;  ///< the class that it will be in
  Callback done;
  RatedWork left = 0;  ///< when its class has it: its class knows (CpuClass::left_of)
  std::uint64_t since_ps = 0;
  std::uint64_t rate = 0;
  RatedWork end = 0;
  CpuClass* placed = nullptr;  ///< the class that has it; null: it has just begun

  std::pair<std::uint64_t, std::uint64_t> key() const { return {order, id}; }
};

/// Threads of one priority, and what each has left: where all have one rate, that rate alone passes, and a change costs
/// the logarithm of their number; else each has a processor.
class CpuClass {
 public:
  using Key = std::pair<std::uint64_t, std::uint64_t>;  // CpuThread::key, by which threads are numbered

  /// Where all have one rate it has that, else none before the next `set_own`.
  void add(CpuThread& thread, std::uint64_t now_ps);
  /// It has computed so far, and passes nothing from now on. Its number stays taken until `forget`.
  void stop(CpuThread& thread, std::uint64_t now_ps);
  void forget(const Key& key) { order_.erase(key); }
  /// All have this rate from now on.
  void set_shared(std::uint64_t rate, std::uint64_t now_ps);
  /// Each has what `rate_of` says, by its number.
  void set_own(const std::function<std::uint64_t(std::uint64_t)>& rate_of, std::uint64_t now_ps);

  std::uint64_t size() const { return order_.size(); }
  /// Threads before it.
  std::uint64_t number_of(const Key& key) const { return order_.order_of_key(key); }
  RatedWork left_of(const CpuThread& thread, std::uint64_t now_ps) const;
  /// Those that have nothing left.
  void add_ready(std::uint64_t now_ps, std::vector<CpuThread*>& ready) const;
  /// From now on, until the first has nothing left, picoseconds; unset: nobody will.
  std::optional<RatedWork> next_end(std::uint64_t now_ps) const;

 private:
  using Order = __gnu_pbds::tree<Key, CpuThread*, std::less<Key>, __gnu_pbds::rb_tree_tag,
                                 __gnu_pbds::tree_order_statistics_node_update>;
  RatedWork passed(std::uint64_t now_ps) const { return passed_ + RatedWork{rate_} * (now_ps - since_ps_); }

  Order order_;  // null: it has stopped
  bool shared_ = false;
  // Where all have one rate:
  std::uint64_t rate_ = 0;
  RatedWork passed_ = 0;  // at since_ps_, of each
  std::uint64_t since_ps_ = 0;
  std::set<std::pair<RatedWork, std::pair<Key, CpuThread*>>> ends_;  // by what will have passed then
};

}  // namespace fenceline
