// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/piece_checker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fenceline {

void PieceChecker::violation(std::uint64_t at_ps, std::uint64_t packet, const std::string& expected,
                             const std::string& found) {
  violations_.add(at_ps, fmt::format("packet {}", packet), expected, found);
}

void PieceChecker::queued(const QueuedRecord& record) {
  if (record.type == PacketType::render) {
    List list;
    list.commands = record.commands;
    list.broadcast = record.broadcast;
    lists_.insert_or_assign(record.packet, list);
  }
  if (record.broadcast == 0) return;
  copies_[record.packet] = record.broadcast;
  const auto [known, is_first] = broadcasts_.try_emplace(record.broadcast);
  Broadcast& broadcast = known->second;
  if (is_first) broadcast.first = record;
  const QueuedRecord& first = broadcast.first;
  if (record.type != first.type || record.list != first.list || record.commands != first.commands ||
      record.fence != first.fence || record.fence_value != first.fence_value || record.copies != first.copies) {
    violation(record.at_ps, record.packet,
              fmt::format("the same as packet {}, with which it is broadcast", first.packet), "something else");
  }
  if (!broadcast.nodes.insert(record.node).second) {
    violation(record.at_ps, record.packet, "a copy on each of the adapters, none with two",
              "a second one on " + std::string(log_.text(record.node)));
  }
}

void PieceChecker::patch(const PatchRecord& record) {
  const auto found = lists_.find(record.packet);
  if (found == lists_.end()) return;
  List& list = found->second;
  if (record.piece != list.patched) {
    list.patched = record.piece;
    list.patches.clear();
  }
  list.patches[record.slot] = record.bound;
}

/// Slots that are bound before the piece, and that its patches leave alone.
std::vector<std::uint32_t> PieceChecker::leaks(const List& list, std::uint32_t piece) {
  std::vector<std::uint32_t> slots;
  for (const std::uint32_t slot : list.bound) {
    if (list.patched != piece || list.patches.count(slot) == 0) slots.push_back(slot);
  }
  return slots;
}

void PieceChecker::submission(const SubmissionRecord& record) {
  const auto found = lists_.find(record.packet);
  if (found == lists_.end()) return;
  List& list = found->second;
  check_extent(record, list);
  if (record.piece == list.piece) return;
  check_copy(record, list);
  const std::vector<std::uint32_t> leaking = leaks(list, record.piece);
  if (!leaking.empty()) {
    violation(record.at_ps, record.packet,
              fmt::format("piece {} rejected: it neither programs again nor unbinds slot {}", record.piece,
                          fmt::join(leaking, ", ")),
              "it submitted");
  }
  if (list.patched == record.piece) {
    for (const auto& [slot, bound] : list.patches) {
      if (bound) {
        list.bound.insert(slot);
      } else {
        list.bound.erase(slot);
      }
    }
  }
  list.piece = record.piece;
  list.from_command = record.from_command;
  list.end_command = record.end_command;
}

void PieceChecker::check_extent(const SubmissionRecord& record, const List& list) {
  const auto wrong = [&](const std::string& expected, const std::string& found) {
    violation(record.at_ps, record.packet, fmt::format("piece {} {}", record.piece, expected), found);
  };
  if (record.piece == list.piece) {
    if (record.end_command != list.end_command) {
      wrong(fmt::format("up to command {}, as before", list.end_command), std::to_string(record.end_command));
    }
    if (record.from_command < list.from_command) {
      wrong(fmt::format("from command {} on or later, where it began", list.from_command),
            fmt::format("from {} on", record.from_command));
    }
  } else if (record.from_command != list.end_command) {
    wrong(fmt::format("from command {} on, where the one before ends", list.end_command),
          fmt::format("from {} on", record.from_command));
  }
  if (record.from_command > record.end_command) {
    wrong(fmt::format("from command {} to one behind it", record.from_command), std::to_string(record.end_command));
  }
  if (record.end_command > list.commands || record.last != (record.end_command == list.commands)) {
    wrong(fmt::format("to be the last where it ends with the {} commands of its list, and no other", list.commands),
          fmt::format("one up to {} that is {}", record.end_command, record.last ? "the last" : "not the last"));
  }
}

void PieceChecker::check_copy(const SubmissionRecord& record, const List& list) {
  if (list.broadcast == 0) return;
  Broadcast& broadcast = broadcasts_.at(list.broadcast);
  if (broadcast.nodes.size() != broadcast.first.copies) {
    violation(record.at_ps, record.packet, fmt::format("{} copies of what is broadcast", broadcast.first.copies),
              std::to_string(broadcast.nodes.size()));
  }
  if (record.piece == broadcast.ends.size() + 1) broadcast.ends.push_back(record.end_command);
  if (record.piece == 0 || record.piece > broadcast.ends.size()) return;
  const std::uint64_t end = broadcast.ends[record.piece - 1];
  if (record.end_command == end) return;
  violation(record.at_ps, record.packet,
            fmt::format("piece {} up to command {}, as on the other adapters", record.piece, end),
            std::to_string(record.end_command));
}

void PieceChecker::packet(const PacketRecord& record) {
  if (const auto found = lists_.find(record.id); found != lists_.end()) {
    const List& list = found->second;
    if (record.status == PacketStatus::completed && list.end_command != list.commands) {
      violation(record.completed_ps, record.id,
                fmt::format("all {} commands of its list to be submitted", list.commands),
                fmt::format("it complete with {}", list.end_command));
    }
    if (record.rejected && leaks(list, list.piece + 1).empty()) {
      violation(record.completed_ps, record.id, fmt::format("piece {} accepted: it leaks nothing", list.piece + 1),
                "it rejected");
    }
    lists_.erase(found);
  }
  const auto copy = copies_.find(record.id);
  if (copy == copies_.end()) return;
  const auto known = broadcasts_.find(copy->second);
  copies_.erase(copy);
  Broadcast& broadcast = known->second;
  const bool others_to_come = ++broadcast.ended < broadcast.first.copies;
  if (takes_a_moment(record.type) && record.status == PacketStatus::completed &&
      record.awaits_others != others_to_come) {
    violation(record.completed_ps, record.id,
              others_to_come ? "nothing before the others with which it is broadcast are there"
                             : "it to take place: all with which it is broadcast are there",
              record.awaits_others ? "it waiting" : "it taking place");
  }
  if (!others_to_come) broadcasts_.erase(known);
}

}  // namespace fenceline
