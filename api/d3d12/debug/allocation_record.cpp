// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/allocation_record.hpp"

#include "api/d3d12/debug/object_name.hpp"

#include <utility>

namespace fenceline::d3d12 {
namespace {

template <class Node>
void append(std::deque<Node>& nodes, const Node& node) {
  nodes.push_back(node);
  if (nodes.size() > 1) nodes[nodes.size() - 2].pNext = &nodes.back();
}

}  // namespace

void AllocationRecord::add(ID3D12Resource* resource, std::uint64_t address, std::uint64_t bytes,
                           std::function<std::string()> name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  resources_[resource] = {{address, bytes}, std::move(name)};
}

void AllocationRecord::free(ID3D12Resource* resource) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = resources_.find(resource);
  if (known == resources_.end()) return;
  freed_.push_back({known->second.range, known->second.name(), wide_name(*resource)});
  if (freed_.size() > most_freed) freed_.pop_front();
  resources_.erase(known);
}

void AllocationRecord::close(std::uint64_t address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  address_ = address;
  const auto picture = [&](auto& nodes, auto& nodes1, Freed of, ID3D12Resource* resource) {
    const Freed& kept = pictures_.emplace_back(std::move(of));
    const char* const name = or_null(kept.name);
    const wchar_t* const wide = or_null(kept.wide_name);
    append(nodes, {name, wide, D3D12_DRED_ALLOCATION_TYPE_RESOURCE, nullptr});
    append(nodes1, {name, wide, D3D12_DRED_ALLOCATION_TYPE_RESOURCE, nullptr, resource});
  };
  for (const auto& [resource, one] : resources_) {
    if (!one.range.has(address)) continue;
    picture(existing_, existing1_, {one.range, one.name(), wide_name(*resource)}, resource);
  }
  for (auto one = freed_.rbegin(); one != freed_.rend(); ++one) {
    if (one->range.has(address)) picture(freed_nodes_, freed_nodes1_, *one, nullptr);
  }
}

}  // namespace fenceline::d3d12
