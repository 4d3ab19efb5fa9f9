// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace fenceline::d3d12 {

/// The resources of a device that have GPU virtual addresses, and those that it has freed lately: what a page fault is
/// said to be of. Source: DirectX-Specs, DeviceRemovedExtendedData. Free-threaded.
class AllocationRecord {
 public:
  /// A resource from `address` on. `name` says what the program calls it, as UTF-8.
  void add(ID3D12Resource* resource, std::uint64_t address, std::uint64_t bytes, std::function<std::string()> name);
  /// The program has released it.
  void free(ID3D12Resource* resource);
  /// From now on it is of a page fault at that address: what lies there, and the freed ones that lay there, the last
  /// one first.
  void close(std::uint64_t address);

  /// 0: it is not closed.
  std::uint64_t address() const { return address_; }
  /// Null without any; they live as long as the record.
  const D3D12_DRED_ALLOCATION_NODE* existing() const { return head(existing_); }
  const D3D12_DRED_ALLOCATION_NODE* freed() const { return head(freed_nodes_); }
  const D3D12_DRED_ALLOCATION_NODE1* existing1() const { return head(existing1_); }
  const D3D12_DRED_ALLOCATION_NODE1* freed1() const { return head(freed_nodes1_); }

 private:
  static constexpr std::size_t most_freed = 65536;
  struct Range {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool has(std::uint64_t one) const { return one >= address && one - address < bytes; }
  };
  struct Existing {
    Range range;
    std::function<std::string()> name;
  };
  struct Freed {
    Range range;
    std::string name;
    std::wstring wide_name;
  };
  template <class Node>
  static const Node* head(const std::deque<Node>& nodes) {
    return nodes.empty() ? nullptr : &nodes.front();
  }

  std::mutex mutex_;
  std::map<ID3D12Resource*, Existing> resources_;
  std::deque<Freed> freed_;     // in their order
  std::deque<Freed> pictures_;  // what nodes point to
  std::deque<D3D12_DRED_ALLOCATION_NODE> existing_;
  std::deque<D3D12_DRED_ALLOCATION_NODE> freed_nodes_;
  std::deque<D3D12_DRED_ALLOCATION_NODE1> existing1_;
  std::deque<D3D12_DRED_ALLOCATION_NODE1> freed_nodes1_;
  std::uint64_t address_ = 0;
};

}  // namespace fenceline::d3d12
