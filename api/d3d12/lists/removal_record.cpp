// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/removal_record.hpp"

#include "api/d3d12/debug/object_name.hpp"
#include "api/d3d12/lists/execution.hpp"

#include <algorithm>

namespace fenceline::d3d12 {
namespace {

/// The members that both kinds of node have.
template <class Node>
Node node_of(ID3D12GraphicsCommandList* list, ID3D12CommandQueue* queue) {
  Node node{};
  node.pCommandList = list;
  node.pCommandQueue = queue;
  return node;
}

}  // namespace

std::unique_ptr<Breadcrumbs> RemovalRecord::new_breadcrumbs() const {
  return settings_.breadcrumbs ? std::make_unique<Breadcrumbs>(settings_.markers_only) : nullptr;
}

void RemovalRecord::add(ID3D12GraphicsCommandList* list, const std::string& list_name, ID3D12CommandQueue* queue,
                        const std::string& queue_name, const std::shared_ptr<const Execution>& execution) {
  forget_completed();
  submissions_.push_back({list, queue, wide_name(*list), list_name, wide_name(*queue), queue_name, execution});
}

void RemovalRecord::forget_completed() {
  const auto is_over = [](const Submission& one) { return one.execution.expired(); };
  submissions_.erase(std::remove_if(submissions_.begin(), submissions_.end(), is_over), submissions_.end());
}

void RemovalRecord::close(const std::optional<FaultingAccess>& fault) {
  faulted_ = fault.has_value();
  if (fault && allocations_ != nullptr) allocations_->close(fault->address);
  if (!settings_.breadcrumbs) return;
  forget_completed();
  for (const Submission& one : submissions_) {
    const auto execution = one.execution.lock();
    const BreadcrumbProgress* const progress = execution != nullptr ? execution->breadcrumbs() : nullptr;
    if (progress == nullptr || progress->completed() == progress->breadcrumbs().operations().size()) continue;
    Picture& picture = pictures_.emplace_back(Picture{one, progress->breadcrumbs(), progress->completed(), {}});
    for (const Breadcrumbs::Context& context : picture.breadcrumbs.contexts()) {
      picture.contexts.push_back({context.operation, context.text.c_str()});
    }
  }
  submissions_.clear();
  const auto fill = [](auto& node, const Picture& picture) {
    node.pCommandListDebugNameA = or_null(picture.of.list_name_utf8);
    node.pCommandListDebugNameW = or_null(picture.of.list_name);
    node.pCommandQueueDebugNameA = or_null(picture.of.queue_name_utf8);
    node.pCommandQueueDebugNameW = or_null(picture.of.queue_name);
    node.BreadcrumbCount = static_cast<UINT>(picture.breadcrumbs.operations().size());
    node.pLastBreadcrumbValue = &picture.completed;
    node.pCommandHistory = picture.breadcrumbs.operations().data();
  };
  for (Picture& picture : pictures_) {
    auto& node = nodes_.emplace_back(node_of<D3D12_AUTO_BREADCRUMB_NODE>(picture.of.list, picture.of.queue));
    auto& node1 = nodes1_.emplace_back(node_of<D3D12_AUTO_BREADCRUMB_NODE1>(picture.of.list, picture.of.queue));
    fill(node, picture);
    fill(node1, picture);
    node1.BreadcrumbContextsCount = static_cast<UINT>(picture.contexts.size());
    node1.pBreadcrumbContexts = picture.contexts.empty() ? nullptr : picture.contexts.data();
  }
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    nodes_[i - 1].pNext = &nodes_[i];
    nodes1_[i - 1].pNext = &nodes1_[i];
  }
}

}  // namespace fenceline::d3d12
