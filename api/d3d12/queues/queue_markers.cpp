// SPDX-License-Identifier: Apache-2.0
// CommandQueue, the family of functions that mark places for tools. They take no time.
#include "api/d3d12/com/marker_text.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/queues/command_queue.hpp"

namespace fenceline::d3d12 {

void CommandQueue::mark(MarkerKind kind, UINT metadata, const void* data, UINT bytes) {
  const Marker marker = marker_of_program(kind, metadata, data, bytes);
  const Host::Lock lock = device().enter(0);
  if (device().removed()) return;
  if (device().machine().mark(queue_, marker)) return;
  device().message(D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_UNKNOWN,
                   "ID3D12CommandQueue::EndEvent: no event of the queue has begun: nothing ends");
}

void CommandQueue::SetMarker(UINT metadata, const void* data, UINT bytes) {
  mark(MarkerKind::set, metadata, data, bytes);
}
void CommandQueue::BeginEvent(UINT metadata, const void* data, UINT bytes) {
  mark(MarkerKind::begin, metadata, data, bytes);
}
void CommandQueue::EndEvent() { mark(MarkerKind::end, 0, nullptr, 0); }

}  // namespace fenceline::d3d12
