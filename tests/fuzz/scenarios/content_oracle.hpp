// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/segment.hpp"
#include "sim/log.hpp"
#include "tests/fuzz/random_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline::testing {

/// Holds moves against docs/residency.md, rule 31: bytes move where content is needed, and only there. What lists that
/// overlap in time, end early or predicate something come to is open.
class ContentOracle {
 public:
  explicit ContentOracle(const Scenario& scenario) : scenario_(scenario) {}

  void moved(std::uint32_t allocation, const PagingRecord& record) { moves_.push_back({allocation, record}); }
  /// A packet of the system's has ended.
  void paged(const PacketRecord& record) {
    decided_ps_[record.id] = record.submitted_ps;
    switches_ = switches_ || record.type == PacketType::context_switch;
  }
  void ran(std::size_t list, const PacketRecord& record) {
    for (const std::uint32_t one : scenario_.lists[list]->memory.allocations) {
      if (const auto effect = effect_of(*scenario_.lists[list], one)) touched_[one].push_back({record, *effect});
    }
  }

  /// The adapter was reset, and it had been in video memory, or had not: then it may have been on its way.
  void purged(std::uint32_t allocation, std::uint64_t at_ps, bool was_there) {
    const AllocationConfig& one = scenario_.allocations[allocation];
    purges_[allocation].emplace_back(at_ps, was_there && (one.written || one.fill) ? Needed::no : Needed::open);
  }

  /// What is wrong; empty: nothing.
  std::string mistake() const {
    if (switches_) return {};  // when it was decided what moves is open
    for (const auto& [allocation, record] : moves_) {
      const auto decided = decided_ps_.find(record.packet);
      if (decided == decided_ps_.end()) continue;
      const bool linked = scenario_.machine.linked_adapters > 1;  // nothing is discarded there
      const Needed kept = purges_.count(allocation) > 0 ? Needed::open : Needed::yes;
      const Needed needed = linked ? kept : needed_at(allocation, decided->second);
      const bool carries = record.operation == PagingOperation::in || record.operation == PagingOperation::promote ||
                           record.operation == PagingOperation::out;
      const bool leaves_out = record.operation == PagingOperation::place ||
                              (record.operation == PagingOperation::drop && scenario_.allocations[allocation].written);
      if ((carries && needed == Needed::no) || (leaves_out && needed == Needed::yes)) {
        return fmt::format("{} of allocation {} at {} ps, whose content is {}needed", name_of(record.operation),
                           allocation, record.start_ps, needed == Needed::no ? "not " : "");
      }
    }
    return {};
  }

 private:
  enum class Needed : std::uint8_t { yes, no, open };
  struct Touch {
    PacketRecord record;
    Needed after;
  };

  /// What one execution of it leaves; nothing: no command uses the allocation.
  static std::optional<Needed> effect_of(const CommandStream& list, std::uint32_t allocation) {
    std::optional<Needed> effect;
    for (const AllocationUse& use : list.memory.uses) {
      if (use.allocation != allocation || use.command == AllocationUse::of_list) continue;
      effect = use.as == AllocationUse::As::discard ? Needed::no : Needed::yes;
    }
    const auto predicates = [](const Command& one) { return std::holds_alternative<SetPredication>(one); };
    if (effect && std::any_of(list.commands.begin(), list.commands.end(), predicates)) effect = Needed::open;
    return effect;
  }

  /// Nobody had done anything to it, or the last packet that has says so, with none beside it.
  Needed needed_at(std::uint32_t allocation, std::uint64_t at_ps) const {
    std::uint64_t purged_ps = 0;
    Needed untouched = Needed::yes;
    if (const auto purges = purges_.find(allocation); purges != purges_.end()) {
      for (const auto& [purge_ps, after] : purges->second) {
        if (purge_ps > at_ps) break;
        purged_ps = purge_ps;
        untouched = after;
      }
    }
    const auto known = touched_.find(allocation);
    if (known == touched_.end()) return untouched;
    const Touch* last = nullptr;
    for (const Touch& one : known->second) {
      const std::uint64_t began_ps = std::min(one.record.started_ps, one.record.hardware_ps);
      if (began_ps > at_ps || one.record.finished_ps < purged_ps) continue;
      if (began_ps <= purged_ps && purged_ps > 0) return Needed::open;
      if (one.record.status != PacketStatus::completed || one.record.finished_ps >= at_ps) return Needed::open;
      if (last == nullptr || last->record.finished_ps < one.record.finished_ps) last = &one;
    }
    if (last == nullptr) return untouched;
    for (const Touch& one : known->second) {
      if (&one == last || one.record.started_ps > at_ps) continue;
      if (one.record.completed_ps >= last->record.started_ps && one.after != last->after) return Needed::open;
    }
    return last->after;
  }

  const Scenario& scenario_;
  std::vector<std::pair<std::uint32_t, PagingRecord>> moves_;
  std::map<std::uint64_t, std::uint64_t> decided_ps_;  // by paging packet
  bool switches_ = false;
  std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, Needed>>> purges_;  // by allocation
  std::map<std::uint32_t, std::vector<Touch>> touched_;                            // by allocation
};

}  // namespace fenceline::testing
