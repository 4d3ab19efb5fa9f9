// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/whereabouts.hpp"
#include "api/d3d12/resources/target_view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// ID3D12Device::GetDescriptorHandleIncrementSize: the same for every type.
constexpr UINT descriptor_increment = 32;

/// What is said of a handle that names no descriptor.
std::string no_descriptor(std::uint64_t handle);

/// The descriptors of a device's heaps, and what handles name. A handle is no address: it says which heap, which one of
/// those that had its place, and how far from its first descriptor. So one that is past its heap, of a heap that is
/// gone, or of nothing at all is found out, and no call comes to memory that is not a descriptor's. Free-threaded.
class DescriptorHeaps {
 public:
  static constexpr UINT most_descriptors = 1U << 24;  ///< what no GPU has room for; D3D12 promises a million

  /// The handle of the first descriptor, never 0; 0: there are as many heaps as handles can tell apart. All descriptors
  /// are null.
  std::uint64_t add(UINT descriptors, bool shader_visible);
  void remove(std::uint64_t first);

  /// Whether that is a descriptor of a heap that is there.
  bool names(std::uint64_t handle) const;
  /// Whether that is a descriptor of a heap that is there and that shaders see.
  bool names_visible(std::uint64_t handle) const;

  /// What a descriptor shows, and that the resource of its view is gone, in which case it shows nothing.
  struct Seen {
    TargetView view;
    bool resource_gone = false;
  };
  /// Nothing: the handle names no descriptor.
  std::optional<Seen> view(std::uint64_t handle) const;
  /// What a descriptor shows to shaders. Null: no resource, or none of its own; 0: no address.
  struct Shown {
    std::shared_ptr<Whereabouts<Resource>> resource;
    std::shared_ptr<Whereabouts<Resource>> counter;
    std::uint64_t address = 0;
  };
  /// What so many descriptors from that one of a table's on show. Null ones, and those that are in no heap, are left
  /// out.
  std::vector<Shown> shown(std::uint64_t table, std::uint64_t first, std::uint64_t count) const;
  /// False, and nothing written, when the handle names no descriptor.
  bool set(std::uint64_t handle, const TargetView& view);

  struct Range {
    std::uint64_t first;
    UINT count;
  };
  enum class Copied : std::uint8_t {
    all,
    no_range,        ///< a range is not within a heap
    unequal_counts,  ///< of descriptors on the two sides
  };
  /// ID3D12Device::CopyDescriptors, all or nothing.
  Copied copy(const std::vector<Range>& to, const std::vector<Range>& from);

 private:
  struct Descriptor {
    TargetView view;  // without its resources, which it does not keep
    std::shared_ptr<Whereabouts<Resource>> resource;
    std::shared_ptr<Whereabouts<Resource>> counter;
  };
  /// Most descriptors of large heaps are never written.
  using Page = std::array<Descriptor, 64>;
  struct Slot {
    std::uint64_t generation = 0;  // of the heap that is or was the last one here
    UINT descriptors = 0;
    bool visible = false;
    bool alive = false;
    std::vector<std::unique_ptr<Page>> pages;
    const Descriptor* find(std::size_t index) const;
    void write(std::size_t index, const Descriptor& descriptor);
  };
  struct Place {
    std::size_t slot;
    std::size_t index;
  };
  std::optional<Place> place(std::uint64_t handle, UINT count = 1) const;

  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::deque<std::size_t> free_;
};

}  // namespace fenceline::d3d12
