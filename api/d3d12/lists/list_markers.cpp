// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the family of functions that mark places for tools: here, for breadcrumbs.
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/lists/removal_record.hpp"

#include <algorithm>
#include <cstring>

namespace fenceline::d3d12 {
namespace {

// What PIX's headers say with the metadata.
constexpr UINT wide_text = 0;
constexpr UINT narrow_text = 1;

template <class Char>
std::wstring text_in(const void* data, UINT bytes) {
  std::basic_string<Char> text(bytes / sizeof(Char), Char{});
  if (bytes > 0) std::memcpy(text.data(), data, text.size() * sizeof(Char));
  return {text.begin(), std::find(text.begin(), text.end(), Char{})};
}

}  // namespace

void GraphicsCommandList::mark(const char* method, UINT metadata, const void* data, UINT bytes) {
  Breadcrumbs* const breadcrumbs = recording_now_ ? recording_->breadcrumbs() : nullptr;
  if (breadcrumbs == nullptr) return;
  breadcrumbs->add(method, recording_->stream().commands.size());
  if (data == nullptr || !device().removal_record().settings().contexts) return;
  if (metadata == wide_text) breadcrumbs->add_context(text_in<wchar_t>(data, bytes));
  if (metadata == narrow_text) breadcrumbs->add_context(text_in<char>(data, bytes));
}

void GraphicsCommandList::SetMarker(UINT metadata, const void* data, UINT bytes) {
  mark("SetMarker", metadata, data, bytes);
}
void GraphicsCommandList::BeginEvent(UINT metadata, const void* data, UINT bytes) {
  mark("BeginEvent", metadata, data, bytes);
}
void GraphicsCommandList::EndEvent() { mark("EndEvent", 0, nullptr, 0); }

}  // namespace fenceline::d3d12
