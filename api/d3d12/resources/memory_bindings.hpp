// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/pageable_memory.hpp"
#include "api/d3d12/d3d12.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fenceline::d3d12 {

/// What a list binds for its draws and dispatches, as GPU virtual addresses: targets, vertex and index buffers, root
/// descriptors. What descriptor tables show is not known. Recording appends and looks nothing up.
class MemoryBindings {
 public:
  // Slots.
  static constexpr std::uint32_t depth_stencil = D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT;  ///< targets are before it
  static constexpr std::uint32_t index_buffer = depth_stencil + 1;
  static constexpr std::uint32_t vertex_buffers = index_buffer + 1;  ///< the first
  static constexpr std::uint32_t graphics_root = vertex_buffers + D3D12_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT;
  static constexpr std::uint32_t compute_root = graphics_root + D3D12_MAX_ROOT_COST;
  static constexpr std::uint32_t slots = compute_root + D3D12_MAX_ROOT_COST;

  void clear() { changes_.clear(); }
  /// From the command at that index on; address 0: nothing is bound there.
  void bind(std::size_t command, std::uint32_t slot, std::uint64_t address) {
    if (slot < slots) changes_.push_back({command, slot, slot + 1, address});
  }
  /// Nothing is bound in the slots from `first` to before `end`.
  void unbind(std::size_t command, std::uint32_t first, std::uint32_t end) {
    changes_.push_back({command, first, end, 0});
  }
  /// What a list binds whose commands begin at that index.
  void append(const MemoryBindings& other, std::size_t first);

  /// What the stream's draws and dispatches use, in order of commands: `each` of them, or the first one of each
  /// binding. `kept` are told of, and live as long as the answer is of use. With the host's lock.
  std::vector<AllocationUse> uses(const CommandStream& stream, bool each,
                                  std::vector<std::shared_ptr<PageableMemory>>& kept) const;

 private:
  struct Change {
    std::size_t command;
    std::uint32_t first, end;  // slots
    std::uint64_t address;
  };
  std::vector<Change> changes_;
};

}  // namespace fenceline::d3d12
