// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_lists.hpp"
#include "api/import/kineto_work.hpp"
#include "api/workload/workload.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// The queues of one trace and the CPU threads that feed them.
///
/// Ranges of the program become regions of queues (begin_event, end_event): a queue is in those in which its list was
/// launched, from before the list's waits until behind its signal. A range that is left for a list and comes back
/// is two regions. A call of the host ends at either end of a region.
class KinetoHost {
 public:
  /// All must outlive the object; `work` has recorded the lists.
  KinetoHost(const KinetoTrace& trace, const KinetoSchedule& schedule, const KinetoWork& work,
             const std::string& context, const std::string& prefix, Workload& workload);
  void write();

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// When a list is handed to its queue.
  enum class Submission : std::uint8_t {
    at_once,          ///< with what was submitted before it
    at_its_time,      ///< the host was busy until then
    after_its_anchor  ///< the host waited for a list to end, and was busy for a while
  };
  /// A CPU thread's timeline as it is written, with the moment it has come to, counted from the trace's first start.
  struct Thread {
    CpuInfo cpu;
    std::string queue;
    CpuExecute pending;
    std::int64_t at_ps = 0;
    std::uint32_t region = 0;  // that the queue is in
  };

  void plan();
  void number_signals();
  void submit(std::uint32_t list, Thread& thread);
  void flush(Thread& thread, std::int64_t call_ps) const;
  void go_to(std::uint32_t region, Thread& thread, std::int64_t call_ps) const;
  std::uint32_t common(std::uint32_t region, std::uint32_t other) const;
  std::string stream_name(std::uint32_t stream) const;
  std::int64_t start_ps(std::uint32_t list) const { return (schedule_.lists[list].start_ns - base_ns_) * 1000; }
  /// On the machine, if the list starts when it did.
  std::int64_t end_ps(std::uint32_t list) const { return start_ps(list) + work_.length_ps(list); }

  const KinetoTrace& trace_;
  const KinetoSchedule& schedule_;
  const KinetoWork& work_;
  const std::string& context_;
  const std::string& prefix_;
  Workload& workload_;
  std::int64_t base_ns_;
  bool several_contexts_ = false;
  std::vector<Submission> submission_;  // by list
  std::vector<std::uint32_t> anchor_;   // by list
  std::vector<std::uint32_t> next_;     // by list: that of its stream
  std::vector<std::uint64_t> signal_;   // by list: fence value after it; 0: none
  std::vector<std::uint64_t> signals_;  // by stream: how many
};

}  // namespace fenceline
