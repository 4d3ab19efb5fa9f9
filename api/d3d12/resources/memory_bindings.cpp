// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/memory_bindings.hpp"

#include "api/d3d12/bytes/heap_memory.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

namespace fenceline::d3d12 {
namespace {

/// What lies where, of addresses that have been asked for: many are in one heap.
class Neighbourhood {
 public:
  explicit Neighbourhood(std::vector<std::shared_ptr<PageableMemory>>& kept) : kept_(kept) {}
  /// Nothing: no allocation is there.
  std::optional<std::uint32_t> allocation_at(std::uint64_t address) {
    const auto after = known_.upper_bound(address);
    if (after != known_.begin()) {
      const auto& [begin, known] = *std::prev(after);
      if (address - begin < known.bytes) return known.allocation;
    }
    const std::shared_ptr<HeapMemory> memory = memory_at(address);
    if (memory == nullptr) return std::nullopt;
    Known found{memory->bytes(), std::nullopt};
    if (memory->pageable() != nullptr && memory->pageable()->allocation()) {
      found.allocation = memory->pageable()->allocation();
      kept_.push_back(memory->pageable());
    }
    known_.emplace(memory->address(), found);
    return found.allocation;
  }

 private:
  struct Known {
    std::uint64_t bytes;
    std::optional<std::uint32_t> allocation;
  };
  std::map<std::uint64_t, Known> known_;  // by first address
  std::vector<std::shared_ptr<PageableMemory>>& kept_;
};

/// The slots that a command reads: from the first to before the second; none for what neither draws nor dispatches.
std::pair<std::uint32_t, std::uint32_t> slots_of(const CommandStream& stream, const Command& command) {
  const auto* const indirect = std::get_if<ExecuteIndirect>(&command);
  const Command& real = indirect != nullptr ? stream.indirect_calls[indirect->call].command : command;
  if (std::holds_alternative<Dispatch>(real)) return {MemoryBindings::compute_root, MemoryBindings::slots};
  const bool draws = std::holds_alternative<Draw>(real) || std::holds_alternative<DrawIndexed>(real);
  return {0, draws ? MemoryBindings::compute_root : 0};
}

struct Bound {
  std::uint32_t allocation;
  bool used;
};

}  // namespace

void MemoryBindings::append(const MemoryBindings& other, std::size_t first) {
  for (Change change : other.changes_) {
    change.command += first;
    changes_.push_back(change);
  }
}

std::vector<AllocationUse> MemoryBindings::uses(const CommandStream& stream, bool each,
                                                std::vector<std::shared_ptr<PageableMemory>>& kept) const {
  std::vector<AllocationUse> uses;
  Neighbourhood memory(kept);
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
      const auto allocation = change->address != 0 ? memory.allocation_at(change->address) : std::nullopt;
      if (!allocation) continue;
      bound[change->first] = {*allocation, false};
      ++unused;
    }
    if (!each && unused == 0) {
      if (change == changes_.end()) break;
      command = std::max(command, change->command - 1);
      continue;
    }
    const auto [first, end] = slots_of(stream, stream.commands[command]);
    for (auto at = bound.lower_bound(first); at != bound.end() && at->first < end; ++at) {
      if (at->second.used && !each) continue;
      const bool written = at->first <= depth_stencil;
      uses.push_back(
          {command, at->second.allocation, written ? AllocationUse::As::destination : AllocationUse::As::other});
      unused -= at->second.used ? 0 : 1;
      at->second.used = true;
    }
  }
  return uses;
}

}  // namespace fenceline::d3d12
