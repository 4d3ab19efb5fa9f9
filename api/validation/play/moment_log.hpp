// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/play/planned_case.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// Remembers the moments of a play: when lists and their commands ran, when fences moved.
class MomentLog final : public LogSink {
 public:
  void span(const EventLog& log, const Span& span) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void counter(const EventLog& log, const Counter& counter) override;

  /// std::logic_error for a list or fence that was not seen.
  double us_of(const Moment& moment) const;
  /// Time that a packet had its engine without interruption.
  struct Run {
    std::uint64_t start_ps;
    std::uint64_t end_ps;
    std::string list;
  };
  /// All runs, in the order of their ends.
  const std::vector<Run>& runs() const { return runs_; }

 private:
  struct Times {
    std::uint64_t start_ps = ~std::uint64_t{0};
    std::uint64_t end_ps = 0;
    void add(std::uint64_t start, std::uint64_t end);
  };
  std::vector<Run> runs_;
  std::map<std::string, std::uint64_t> submitted_;  // first time, ps, by list
  std::map<std::uint64_t, Times> commands_;         // by packet that has not completed
  Times all_commands_;
  std::map<std::uint64_t, Times> groups_;        // of its thread groups, by packet that has not completed
  std::map<std::string, Times> lists_;           // by list
  std::map<std::string, Times> work_;            // of its thread groups, else of its commands, by list
  std::map<std::string, std::uint64_t> fences_;  // first value, ps
};

}  // namespace fenceline
