// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the family of functions that mark places for tools: in what queues run, and for breadcrumbs.
#include "api/d3d12/com/marker_text.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/lists/removal_record.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {
namespace {

template <class Char>
std::wstring text_in(const void* data, UINT bytes) {
  std::basic_string<Char> text(bytes / sizeof(Char), Char{});
  if (bytes > 0) std::memcpy(text.data(), data, text.size() * sizeof(Char));
  return {text.begin(), std::find(text.begin(), text.end(), Char{})};
}

}  // namespace

void GraphicsCommandList::mark(MarkerKind kind, UINT metadata, const void* data, UINT bytes) {
  Marker marker = marker_of_program(kind, metadata, data, bytes);
  if (!recording_now_) return;
  marker.command = recording_->stream().commands.size();
  if (!recording_->add_marker(std::move(marker), type_ == D3D12_COMMAND_LIST_TYPE_BUNDLE)) {
    device().message(D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_UNKNOWN,
                     "ID3D12GraphicsCommandList::EndEvent: no event of the list has begun: nothing ends");
  }
  Breadcrumbs* const breadcrumbs = recording_->breadcrumbs();
  if (breadcrumbs == nullptr) return;
  breadcrumbs->add(name_of(kind), recording_->stream().commands.size());
  if (data == nullptr || !device().removal_record().settings().contexts) return;
  if (metadata == wide_text) breadcrumbs->add_context(text_in<wchar_t>(data, bytes));
  if (metadata == narrow_text) breadcrumbs->add_context(text_in<char>(data, bytes));
}

void GraphicsCommandList::SetMarker(UINT metadata, const void* data, UINT bytes) {
  mark(MarkerKind::set, metadata, data, bytes);
}
void GraphicsCommandList::BeginEvent(UINT metadata, const void* data, UINT bytes) {
  mark(MarkerKind::begin, metadata, data, bytes);
}
void GraphicsCommandList::EndEvent() { mark(MarkerKind::end, 0, nullptr, 0); }

}  // namespace fenceline::d3d12
