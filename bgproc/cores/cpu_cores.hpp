// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/cores/cpu_class.hpp"
#include "bgproc/cores/cpu_seats.hpp"
#include "sim/callback.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/timer.hpp"

#include <systemc>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

/// CPU cores in simulated time: threads that compute share them by `cpu_places`, again whenever one begins, ends or
/// changes its priority. That costs what changes and the number of processors, not the number of threads.
class CpuCores : public sc_core::sc_module {
 public:
  CpuCores(sc_core::sc_module_name name, const CpuConfig& config);

  /// A thread computes for `work_ps` (picoseconds at full speed) from now on; `done` is called once, when it has, never
  /// from inside. It competes from the end of this delta cycle on. The answer names it until `done` is called. Of equal
  /// priority a thread of a lower `order` is placed before others, however often it begins anew; then who began first.
  std::uint64_t start(std::uint64_t work_ps, CpuPriority priority, Callback done, std::uint64_t order = last);
  static constexpr std::uint64_t last = ~std::uint64_t{0};
  void set_priority(std::uint64_t thread, CpuPriority priority);
  /// It does not compute any more and is not called back. Of what it had left, picoseconds at full speed; 0 of one that
  /// has ended at this very time and is still to be called back.
  std::uint64_t cancel(std::uint64_t thread);
  /// Where it is now, if it has a processor of its own; from inside its `done`, where it was.
  std::optional<std::uint32_t> processor_of(std::uint64_t thread) const;
  /// Logical ones, all cores; without cores, 8 (assumption: a desktop's).
  std::uint32_t processors() const;

 private:
  /// It has computed, and is called back when those that ended before it have been.
  struct Ended {
    std::uint64_t id;
    std::optional<std::uint32_t> processor;
    Callback done;
  };
  void update(std::uint64_t);
  void end_ready(std::uint64_t now_ps);
  void place(std::uint64_t now_ps);
  std::optional<std::uint32_t> placed_on(const CpuThread& thread) const;
  std::deque<Ended>::iterator ended(std::uint64_t id);
  CpuThread& thread(std::uint64_t id);
  CpuClass& class_of(CpuPriority priority) { return priority == CpuPriority::normal ? normal_ : idle_; }

  CpuConfig config_;
  CpuSeats seats_;
  CpuClass normal_;  // as placed last, as the other
  CpuClass idle_;
  std::map<std::uint64_t, CpuThread> threads_;             // by id
  std::vector<std::uint64_t> changed_;                     // began, or have another priority, since placed last
  std::vector<std::pair<CpuClass*, CpuClass::Key>> gone_;  // cancelled since then
  std::deque<Ended> ended_;
  Ended calling_{};  // the last that was called back
  std::uint64_t next_id_ = 1;
  DeltaCall update_soon_;
  Timer update_later_;
};

}  // namespace fenceline
