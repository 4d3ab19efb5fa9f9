// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/command_allocator.hpp"

#include <algorithm>

namespace fenceline::d3d12 {

HRESULT CommandAllocator::Reset() {
  if (recording_list_ != nullptr) {
    device().message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CANNOT_RESET,
                     "ID3D12CommandAllocator::Reset: a command list is recording into it");
    return E_FAIL;
  }
  const bool executing = std::any_of(recordings_.begin(), recordings_.begin() + static_cast<std::ptrdiff_t>(used_),
                                     [](const auto& recording) { return recording->executions() > 0; });
  if (executing) {
    device().message(D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC,
                     "ID3D12CommandAllocator::Reset: the GPU has not finished what was recorded into it");
  }
  used_ = 0;
  ++resets_;
  return S_OK;
}

std::shared_ptr<Recording> CommandAllocator::begin(const GraphicsCommandList& list) {
  recording_list_ = &list;
  const auto from = recordings_.begin() + static_cast<std::ptrdiff_t>(used_);
  // One that neither a list nor a packet holds any more. The end of its last execution happens before its number is 0;
  // a count of owners alone orders nothing.
  auto free = std::find_if(from, recordings_.end(),
                           [](const auto& one) { return one->executions() == 0 && one.use_count() == 1; });
  if (free == recordings_.end()) {
    recordings_.push_back(std::make_shared<Recording>());
    free = recordings_.end() - 1;
  }
  std::iter_swap(recordings_.begin() + static_cast<std::ptrdiff_t>(used_), free);
  const std::shared_ptr<Recording>& recording = recordings_[used_++];
  recording->clear();
  return recording;
}

void CommandAllocator::end(const GraphicsCommandList& list) {
  if (recording_list_ == &list) recording_list_ = nullptr;
}

}  // namespace fenceline::d3d12
