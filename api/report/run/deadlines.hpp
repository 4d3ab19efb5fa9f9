// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

struct DeadlineRow;
struct Program;

/// How one deadline of a workload went.
struct DeadlineResult {
  std::string name;           ///< of the deadline in the workload
  std::uint64_t count;        ///< times it was to be kept, before a limit ended the run
  std::uint64_t met;          ///< times it was
  std::uint64_t missed;       ///< too late or not at all
  std::uint64_t not_reached;  ///< not at all
  std::uint64_t worst_ps;     ///< the latest came so much too late; like the mean, of those that came
  std::uint64_t mean_ps;      ///< those too late came so much too late on the average, rounded down
};

/// Watches a program's fences for its deadlines. A fence has reached a value once it has been at or above it, if only
/// for a moment.
class DeadlineWatch final : public LogSink {
 public:
  /// `fences`: names in the log by fence of the program, which must outlive the object and starts at `start_ps`.
  DeadlineWatch(const Program& program, std::vector<LogName> fences, std::uint64_t start_ps);
  void counter(const EventLog& log, const Counter& counter) override;
  /// The program is played again from now on: each deadline is to be kept as often as before, again. `frames`: by fence
  /// of the program, how far it has come by frames of earlier passes, if it counts frames.
  void begin_pass(std::uint64_t start_ps, std::vector<std::uint64_t> frames);

  /// The run was ended there, by a limit: what was due later, and was not reached before, was not to be kept in it.
  void end_at(std::uint64_t at_ps) { end_ps_ = at_ps; }

  /// In the order of the program.
  std::vector<DeadlineResult> results() const;

  /// From now on times are kept, too.
  void keep_rows() { keeps_rows_ = true; }
  /// Those that came, in the order in which they did, then those that did not; the first of them where there are very
  /// many. `names`: of the program's deadlines.
  std::vector<DeadlineRow> rows(const std::vector<LogName>& names) const;

 private:
  static constexpr std::size_t most_rows = 200'000;
  struct Reached {
    std::size_t deadline;
    std::uint64_t value;
    std::uint64_t due_ps;
    std::uint64_t at_ps;
  };
  /// Values grow from one time to the next, so they are reached in order.
  struct Watched {
    std::uint64_t reached = 0;  // how many in this pass
    std::uint64_t before = 0;   // how many in those before
    std::uint64_t late = 0;     // of all those
    std::uint64_t worst_ps = 0;
    __extension__ unsigned __int128 sum_ps = 0;
  };
  void begin();
  void reach(std::size_t deadline, std::uint64_t value, std::uint64_t since_start_ps);
  std::uint64_t to_keep(std::size_t deadline) const;  // in this pass

  const Program& program_;
  std::vector<LogName> fences_;
  std::vector<std::uint64_t> frames_;  // by fence: of earlier passes
  std::uint64_t start_ps_;
  std::uint64_t passes_ = 1;
  std::optional<std::uint64_t> end_ps_;  // of a run that a limit ended
  std::vector<Watched> watched_;         // by deadline
  bool keeps_rows_ = false;
  std::vector<Reached> reached_;  // where rows are kept
};

}  // namespace fenceline
