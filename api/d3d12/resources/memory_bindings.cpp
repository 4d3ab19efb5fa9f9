// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/memory_bindings.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

namespace fenceline::d3d12 {
namespace {

/// The slots that a command reads: from the first to before the second; none for what neither draws nor dispatches.
std::pair<std::uint32_t, std::uint32_t> slots_of(const CommandStream& stream, const Command& command) {
  const auto* const indirect = std::get_if<ExecuteIndirect>(&command);
  const Command& real = indirect != nullptr ? stream.indirect_calls[indirect->call].command : command;
  if (std::holds_alternative<Dispatch>(real)) return {MemoryBindings::compute_root, MemoryBindings::slots};
  const bool draws = std::holds_alternative<Draw>(real) || std::holds_alternative<DrawIndexed>(real);
  return {0, draws ? MemoryBindings::compute_root : 0};
}

/// What the command's shaders read of tables; null: nothing is known.
const TableReads* reads_of(const CommandStream& stream, const Command& command, const StreamTableReads& reads) {
  const auto* const indirect = std::get_if<ExecuteIndirect>(&command);
  const Command& real = indirect != nullptr ? stream.indirect_calls[indirect->call].command : command;
  if (const auto* const dispatch = std::get_if<Dispatch>(&real)) return reads.compute[dispatch->pipeline].get();
  const auto* const indexed = std::get_if<DrawIndexed>(&real);
  const auto* const draw = indexed != nullptr ? &indexed->draw : std::get_if<Draw>(&real);
  return draw != nullptr ? reads.graphics[draw->pipeline].get() : nullptr;
}

/// The root parameter of a slot.
UINT parameter_of(std::uint32_t slot) {
  return slot - (slot < MemoryBindings::compute_root ? MemoryBindings::graphics_root : MemoryBindings::compute_root);
}

struct Bound {
  const UsedMemory::Allocations* allocations;  // null: those that a table shows
  std::uint64_t table;
  bool used;
};

}  // namespace

void MemoryBindings::append(const MemoryBindings& other, std::size_t first) {
  for (Change change : other.changes_) {
    change.command += first;
    changes_.push_back(change);
  }
  has_tables_ = has_tables_ || other.has_tables_;
}

std::vector<AllocationUse> MemoryBindings::uses(const CommandStream& stream, const StreamTableReads& reads, bool each,
                                                UsedMemory& memory) const {
  std::vector<AllocationUse> uses;
  std::map<std::uint32_t, Bound> bound;  // by slot
  std::size_t unused = 0;                // of them
  const auto unbind = [&](std::uint32_t first, std::uint32_t end) {
    for (auto at = bound.lower_bound(first); at != bound.end() && at->first < end; at = bound.erase(at)) {
      unused -= at->second.used ? 0 : 1;
    }
  };
  auto change = changes_.begin();
  for (std::size_t command = 0; command < stream.commands.size(); ++command) {
    for (; change != changes_.end() && change->command <= command; ++change) {
      unbind(change->first, change->end);
      if (change->address == 0 || (change->is_table && !each)) continue;
      const auto* const allocations = change->is_table ? nullptr : &memory.at(change->address);
      if (allocations != nullptr && allocations->empty()) continue;
      bound[change->first] = {allocations, change->address, false};
      ++unused;
    }
    if (!each && unused == 0) {
      if (change == changes_.end()) break;
      command = std::max(command, change->command - 1);
      continue;
    }
    const auto [first, end] = slots_of(stream, stream.commands[command]);
    if (first == end) continue;
    const TableReads* const read = has_tables_ ? reads_of(stream, stream.commands[command], reads) : nullptr;
    for (auto at = bound.lower_bound(first); at != bound.end() && at->first < end; ++at) {
      auto& [slot, here] = *at;
      if (here.used && !each) continue;
      if (here.allocations == nullptr && read == nullptr) continue;
      const auto& used =
          here.allocations != nullptr ? *here.allocations : memory.shown(here.table, parameter_of(slot), *read);
      const auto as = slot <= depth_stencil ? AllocationUse::As::destination : AllocationUse::As::other;
      for (const UsedAllocation& one : used) uses.push_back({command, one.number, as, one.in_tiles});
      unused -= here.used ? 0 : 1;
      here.used = true;
    }
  }
  return uses;
}

}  // namespace fenceline::d3d12
