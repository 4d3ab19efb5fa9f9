// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/resources/used_memory.hpp"
#include "api/d3d12/root/table_reads.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

/// What a list binds for its draws and dispatches: targets, vertex and index buffers and root descriptors as GPU
/// virtual addresses, descriptor tables as handles. Recording appends and looks nothing up.
class MemoryBindings {
 public:
  // Slots.
  static constexpr std::uint32_t depth_stencil = D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT;  ///< targets are before it
  static constexpr std::uint32_t index_buffer = depth_stencil + 1;
  static constexpr std::uint32_t vertex_buffers = index_buffer + 1;  ///< the first
  static constexpr std::uint32_t graphics_root = vertex_buffers + D3D12_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT;
  static constexpr std::uint32_t compute_root = graphics_root + D3D12_MAX_ROOT_COST;
  static constexpr std::uint32_t slots = compute_root + D3D12_MAX_ROOT_COST;

  void clear() {
    changes_.clear();
    has_tables_ = false;
  }
  /// From the command at that index on; address 0: nothing is bound there.
  void bind(std::size_t command, std::uint32_t slot, std::uint64_t address) {
    if (slot < slots) changes_.push_back({command, slot, slot + 1, address, false});
  }
  /// The same of a descriptor table. What its descriptors show is asked when the list is executed.
  void bind_table(std::size_t command, std::uint32_t slot, std::uint64_t handle) {
    if (slot < slots) changes_.push_back({command, slot, slot + 1, handle, true});
    has_tables_ = true;
  }
  /// Nothing is bound in the slots from `first` to before `end`.
  void unbind(std::size_t command, std::uint32_t first, std::uint32_t end) {
    changes_.push_back({command, first, end, 0, false});
  }
  /// What a list binds whose commands begin at that index.
  void append(const MemoryBindings& other, std::size_t first);

  bool has_tables() const { return has_tables_; }
  /// The addresses that are bound, in order; one may come again and again.
  template <class Visit>
  void for_each_address(const Visit& visit) const {
    for (const Change& change : changes_) {
      if (!change.is_table && change.address != 0) visit(change.address);
    }
  }
  /// What the stream's draws and dispatches use, in order of commands: `each` of them, or the first one of each
  /// binding, for which what tables show is not asked.
  std::vector<AllocationUse> uses(const CommandStream& stream, const StreamTableReads& reads, bool each,
                                  UsedMemory& memory) const;

 private:
  struct Change {
    std::size_t command;
    std::uint32_t first, end;  // slots
    std::uint64_t address;     // or handle of a table
    bool is_table;
  };
  std::vector<Change> changes_;
  bool has_tables_ = false;
};

}  // namespace fenceline::d3d12
