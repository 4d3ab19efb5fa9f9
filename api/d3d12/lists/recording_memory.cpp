// SPDX-License-Identifier: Apache-2.0
// Recording, what its commands use of video memory (docs/residency.md, rule 2): worked out from what they do to bytes.
#include "api/d3d12/bytes/pageable_memory.hpp"
#include "api/d3d12/lists/recording.hpp"
#include "api/d3d12/resources/acted_effect.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

namespace fenceline::d3d12 {
namespace {

using As = AllocationUse::As;

/// The allocation in which the bytes lie; nothing: they are in no heap of the adapter's own memory.
std::optional<std::uint32_t> allocation_of(const Bytes& bytes) {
  if (bytes.memory == nullptr || bytes.memory->pageable() == nullptr) return std::nullopt;
  return bytes.memory->pageable()->allocation();
}

class Uses {
 public:
  /// `tiles` tells in what reserved resources lie.
  Uses(StreamMemory& memory, UsedMemory& tiles) : memory_(memory), tiles_(tiles) {}

  void add(std::size_t command, const Bytes& bytes, As as) {
    if (const auto allocation = allocation_of(bytes)) memory_.uses.push_back({command, *allocation, as, false});
    if (bytes.memory == nullptr || !bytes.reserved()) return;
    for (const UsedAllocation& one : tiles_.of(bytes.memory)) {
      memory_.uses.push_back({command, one.number, as, one.in_tiles});
    }
  }
  void add(std::size_t command, const Effect& effect) {
    std::visit(
        [&](const auto& one) {
          using Kind = std::decay_t<decltype(one)>;
          if constexpr (std::is_same_v<Kind, CopyTileParts>) {
            add(command, one.to_buffer ? one.tiles : one.buffer, As::source);
            add(command, one.to_buffer ? one.buffer : one.tiles, As::destination);
          } else {
            if constexpr (!std::is_same_v<Kind, FillTexels> && !std::is_same_v<Kind, WriteWord>) {
              add(command, one.from, As::source);
            }
            add(command, one.to, As::destination);
          }
        },
        effect);
  }
  void add(const std::vector<AllocationUse>& uses) {
    memory_.uses.insert(memory_.uses.end(), uses.begin(), uses.end());
  }
  /// All are there.
  void finish() {
    const auto earlier = [](const AllocationUse& a, const AllocationUse& b) { return a.command < b.command; };
    if (!std::is_sorted(memory_.uses.begin(), memory_.uses.end(), earlier)) {
      std::stable_sort(memory_.uses.begin(), memory_.uses.end(), earlier);
    }
    for (const AllocationUse& use : memory_.uses) {
      memory_.allocations_end = std::max(memory_.allocations_end, use.allocation + 1);
    }
    std::vector<bool> seen(memory_.allocations_end);
    for (const AllocationUse& use : memory_.uses) {
      if (!seen[use.allocation]) memory_.allocations.push_back(use.allocation);
      seen[use.allocation] = true;
    }
  }

 private:
  StreamMemory& memory_;
  UsedMemory& tiles_;
};

}  // namespace

void Recording::for_each_memory(const std::function<void(const std::shared_ptr<HeapMemory>&)>& visit) const {
  const auto one = [&](const Bytes& bytes) {
    if (bytes.memory != nullptr && !bytes.reserved()) visit(bytes.memory);
  };
  for (const At<Effect>& effect : effects_) d3d12::for_each_memory(effect.what, visit);
  for (const At<Indirect>& indirect : indirects_) {
    one(indirect.what.arguments);
    one(indirect.what.count);
  }
  for (const At<Predicate>& predicate : predicates_) one(predicate.what.at);
  std::shared_ptr<HeapMemory> last;  // draws often bind one memory again and again
  memory_bindings_.for_each_address([&](std::uint64_t address) {
    const bool again = last != nullptr && address - last->address() < last->bytes();
    if (again) return;
    last = memory_at(address);
    one({last, 0});
  });
}

void Recording::find_uses(bool each, const DescriptorHeaps& descriptors) {
  each = each || !discards_.empty();
  const bool may_change = each && (memory_bindings_.has_tables() || uses_tiles_);
  if (uses_found_ == each && !may_change) return;  // what it uses keeps its number
  uses_found_ = each;
  StreamMemory& memory = stream_.memory;
  memory.uses.clear();
  memory.allocations.clear();
  memory.allocations_end = 0;
  memory.discards = !discards_.empty();
  std::vector<std::shared_ptr<PageableMemory>> kept;
  UsedMemory used(descriptors, each, kept);
  Uses uses(memory, used);
  for (const At<Effect>& one : effects_) uses.add(one.command, one.what);
  for (const At<Bytes>& one : discards_) uses.add(one.command, one.what, As::discard);
  for (const At<Indirect>& one : indirects_) {
    uses.add(one.command, one.what.arguments, As::other);
    uses.add(one.command, one.what.count, As::other);
  }
  for (const At<Predicate>& one : predicates_) uses.add(one.command, one.what.at, As::other);
  uses.add(memory_bindings_.uses(stream_, table_reads_, each, used));
  used_memory_.swap(kept);
  uses_tiles_ = used.found_tiles();
  uses.finish();
}

}  // namespace fenceline::d3d12
