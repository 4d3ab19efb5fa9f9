// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/debug/allocation_record.hpp"
#include "api/d3d12/debug/breadcrumbs.hpp"
#include "api/d3d12/debug/removal_settings.hpp"
#include "engines/command/command.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

class Execution;

/// What a device knows of lists that its queues have not completed, and what of that the program may ask for once the
/// device is removed. Guarded by the host's lock.
class RemovalRecord {
 public:
  RemovalRecord() : settings_(RemovalSettings::values()) {
    if (settings_.page_faults) allocations_ = std::make_unique<AllocationRecord>();
  }

  const RemovalSettings::Values& settings() const { return settings_; }
  /// For a list that begins to record; null where breadcrumbs are off.
  std::unique_ptr<Breadcrumbs> new_breadcrumbs() const;
  /// The queue has been given the list. Names are the program's, as UTF-8; empty without one.
  void add(ID3D12GraphicsCommandList* list, const std::string& list_name, ID3D12CommandQueue* queue,
           const std::string& queue_name, const std::shared_ptr<const Execution>& execution);
  /// Where resources are told of; null: page faults are not recorded.
  AllocationRecord* allocations() { return allocations_.get(); }
  /// The device is removed, for a page fault of its own or not: from now on the record is what it is at this moment.
  void close(const std::optional<FaultingAccess>& fault);
  /// It was removed for a page fault.
  bool faulted() const { return faulted_; }

  /// A node for each list under way, in the order of their submission; null without any. They live as long as the
  /// record.
  const D3D12_AUTO_BREADCRUMB_NODE* nodes() const { return nodes_.empty() ? nullptr : &nodes_.front(); }
  const D3D12_AUTO_BREADCRUMB_NODE1* nodes1() const { return nodes1_.empty() ? nullptr : &nodes1_.front(); }

 private:
  struct Submission {
    ID3D12GraphicsCommandList* list;
    ID3D12CommandQueue* queue;
    std::wstring list_name;
    std::string list_name_utf8;
    std::wstring queue_name;
    std::string queue_name_utf8;
    std::weak_ptr<const Execution> execution;
  };
  /// What a node points to.
  struct Picture {
    Submission of;
    Breadcrumbs breadcrumbs;
    UINT completed;
    std::vector<D3D12_DRED_BREADCRUMB_CONTEXT> contexts;
  };
  void forget_completed();

  RemovalSettings::Values settings_;
  std::unique_ptr<AllocationRecord> allocations_;
  bool faulted_ = false;
  std::vector<Submission> submissions_;
  std::deque<Picture> pictures_;
  std::deque<D3D12_AUTO_BREADCRUMB_NODE> nodes_;
  std::deque<D3D12_AUTO_BREADCRUMB_NODE1> nodes1_;
};

}  // namespace fenceline::d3d12
