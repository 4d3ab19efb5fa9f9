// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that PIX's header has

// PIX's events as D3D12's markers, which breadcrumbs of a removed device tell of. Those without a list or queue, on the
// CPU alone, are nothing.
#include "api/d3d12/pix_capture.hpp"
#include "api/windows_compat/text.hpp"

#define PIX_COLOR(red, green, blue) (0xff000000U | ((BYTE)(red) << 16) | ((BYTE)(green) << 8) | (BYTE)(blue))
#define PIX_COLOR_INDEX(index) ((BYTE)(index))
#define PIX_COLOR_DEFAULT PIX_COLOR_INDEX(0)

#ifdef __cplusplus
namespace fenceline::windows_compat {

/// A marker's text and its kind, in the words of PIX's headers.
template <class Use, class... Values>
void with_marker_text(Use use, const WCHAR* format, Values... values) {
  constexpr UINT wide_text = 0;
  WCHAR text[512];
  _snwprintf_s(text, 512, _TRUNCATE, format, values...);
  use(wide_text, text, static_cast<UINT>((wcslen(text) + 1) * sizeof(WCHAR)));
}
template <class Use, class... Values>
void with_marker_text(Use use, const char* format, Values... values) {
  constexpr UINT narrow_text = 1;
  char text[512];
  _snprintf_s(text, 512, _TRUNCATE, format, values...);
  use(narrow_text, text, static_cast<UINT>(strlen(text) + 1));
}

}  // namespace fenceline::windows_compat

template <class Context, class Char, class... Values>
void PIXBeginEvent(Context* context, UINT64, const Char* format, Values... values) {
  fenceline::windows_compat::with_marker_text(
      [=](UINT kind, const void* text, UINT bytes) { context->BeginEvent(kind, text, bytes); }, format, values...);
}
template <class Context, class Char, class... Values>
void PIXSetMarker(Context* context, UINT64, const Char* format, Values... values) {
  fenceline::windows_compat::with_marker_text(
      [=](UINT kind, const void* text, UINT bytes) { context->SetMarker(kind, text, bytes); }, format, values...);
}
template <class Context>
void PIXEndEvent(Context* context) {
  context->EndEvent();
}
template <class Char, class... Values>
void PIXBeginEvent(UINT64, const Char*, Values...) {}
template <class Char, class... Values>
void PIXSetMarker(UINT64, const Char*, Values...) {}
inline void PIXEndEvent() {}

template <class Context>
class FencelineScopedPixEvent {
 public:
  template <class Char, class... Values>
  FencelineScopedPixEvent(Context* context, UINT64 color, const Char* format, Values... values) : context_(context) {
    PIXBeginEvent(context, color, format, values...);
  }
  ~FencelineScopedPixEvent() { PIXEndEvent(context_); }

 private:
  Context* context_;
};
#define FENCELINE_PASTE(one, other) one##other
#define FENCELINE_SCOPE(line) FENCELINE_PASTE(fenceline_pix_event_, line)
#define PIXScopedEvent(context, ...) FencelineScopedPixEvent FENCELINE_SCOPE(__LINE__)(context, __VA_ARGS__)
#endif
