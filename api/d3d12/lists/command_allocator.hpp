// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/lists/recording.hpp"

#include <memory>
#include <vector>

namespace fenceline::d3d12 {

class GraphicsCommandList;

/// ID3D12CommandAllocator: the recordings of its lists, any number of closed ones and one that is open. It grows and
/// never shrinks: after Reset their memory is used again, as soon as no packet needs it.
class CommandAllocator final
    : public DeviceChild<Face<ID3D12CommandAllocator, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  CommandAllocator(DeviceCore& device, D3D12_COMMAND_LIST_TYPE type) : DeviceChild(device), type_(type) {}

  HRESULT STDMETHODCALLTYPE Reset() override;

  D3D12_COMMAND_LIST_TYPE type() const { return type_; }
  /// The list that is recording into it; null: none.
  const GraphicsCommandList* recording_list() const { return recording_list_; }
  /// Resets so far: what was recorded before one is not there any more.
  std::uint64_t resets() const { return resets_; }
  /// An empty region for the list, which is open until `end`.
  std::shared_ptr<Recording> begin(const GraphicsCommandList& list);
  void end(const GraphicsCommandList& list);

 private:
  ~CommandAllocator() override = default;
  D3D12_COMMAND_LIST_TYPE type_;
  const GraphicsCommandList* recording_list_ = nullptr;
  std::uint64_t resets_ = 0;
  std::size_t used_ = 0;  // of the recordings, since the last reset
  std::vector<std::shared_ptr<Recording>> recordings_;
};

}  // namespace fenceline::d3d12
