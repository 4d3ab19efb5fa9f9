// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/violations.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace fenceline {

/// Holds pieces of lists, and what is broadcast, against docs/splitting.md.
///
/// Pieces. The first begins with the list's first command, each other one behind the last of the one before, the last
/// ends with the list: none is lost or doubled (1). One that comes again is the same piece (6). A piece is not
/// submitted where a slot that is bound before it is neither programmed again nor unbound by it, and is rejected for
/// nothing else (8).
///
/// Broadcast. There is one copy on each adapter that was asked for, of the same list, split at the same places (12).
/// What is behind it, a signal or present, takes place with the last of its copies (11).
class PieceChecker {
 public:
  PieceChecker(EventLog& log, Violations& violations) : log_(log), violations_(violations) {}

  void queued(const QueuedRecord& record);
  void patch(const PatchRecord& record);
  void submission(const SubmissionRecord& record);
  void packet(const PacketRecord& record);

 private:
  struct List {
    std::uint64_t commands = 0;
    std::uint64_t broadcast = 0;
    std::uint32_t piece = 0;                // submitted so far
    std::uint64_t from_command = 0;         // of that one
    std::uint64_t end_command = 0;          // of that one
    std::uint32_t patched = 0;              // piece that `patches` are of
    std::map<std::uint32_t, bool> patches;  // by slot: bound at the end of the piece
    std::set<std::uint32_t> bound;          // slots, before that piece
  };
  struct Broadcast {
    QueuedRecord first;
    std::set<LogName> nodes;          // that have a copy
    std::uint32_t ended = 0;          // copies
    std::vector<std::uint64_t> ends;  // of pieces, in order: as far as a copy has come
  };
  void violation(std::uint64_t at_ps, std::uint64_t packet, const std::string& expected, const std::string& found);
  void check_extent(const SubmissionRecord& record, const List& list);
  void check_copy(const SubmissionRecord& record, const List& list);
  static std::vector<std::uint32_t> leaks(const List& list, std::uint32_t piece);

  EventLog& log_;
  Violations& violations_;
  std::unordered_map<std::uint64_t, List> lists_;            // render packets that have not ended
  std::map<std::uint64_t, Broadcast> broadcasts_;            // by the id of the first
  std::unordered_map<std::uint64_t, std::uint64_t> copies_;  // packets that have not ended: of which broadcast
};

}  // namespace fenceline
