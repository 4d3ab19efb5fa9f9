/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#pragma GCC system_header  // formats of the program's are no literals here

/* PIX's markers, as programs written for WinPixEventRuntime set them: D3D12's on lists and queues, which captures and
 * files of a run have, and breadcrumbs of a removed device tell of; those without one, on the CPU alone, are nothing.
 */
#include "api/d3d12/pix_capture.hpp"
#include "api/d3d12/pix_color.hpp"

/// Of an event or marker: 0 to 255 each.
#define PIX_COLOR(red, green, blue) (0xff000000U | ((BYTE)(red) << 16) | ((BYTE)(green) << 8) | (BYTE)(blue))
/// One of PIX's own colours, 0 to 255.
#define PIX_COLOR_INDEX(index) ((BYTE)(index))
/// The first of them.
#define PIX_COLOR_DEFAULT PIX_COLOR_INDEX(0)

#ifdef __cplusplus
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <cwchar>

#ifndef FENCELINE_PIX_PRINTING
/// How formats are taken, which is up to whoever was included first.
#define FENCELINE_PIX_PRINTING fenceline::pix::Printing
#endif

namespace fenceline::pix {

/// How a marker's text is made of a format and its values: as C's printf does.
struct Printing {
  /// Narrow text.
  template <std::size_t Room, class... Values>
  static void print(char (&text)[Room], const char* format, Values... values) {
    std::snprintf(text, Room, format, values...);
  }
  /// Wide text.
  template <std::size_t Room, class... Values>
  static void print(wchar_t (&text)[Room], const wchar_t* format, Values... values) {
    if (std::swprintf(text, Room, format, values...) < 0) text[Room - 1] = 0;
  }
};

/// Gives `use` a marker's kind, as D3D12's markers say it (1 narrow text, 0 wide text), its text and its bytes.
template <class Print, class Use, class... Values>
void with_text(Use use, const char* format, Values... values) {
  char text[512] = {};
  Print::print(text, format, values...);
  use(UINT{1}, text, static_cast<UINT>(std::strlen(text) + 1));
}
/// The same of wide text.
template <class Print, class Use, class... Values>
void with_text(Use use, const wchar_t* format, Values... values) {
  wchar_t text[512] = {};
  Print::print(text, format, values...);
  use(UINT{0}, text, static_cast<UINT>((std::wcslen(text) + 1) * sizeof(wchar_t)));
}

/// An event begins on a list or a queue.
template <class Context, class Char, class... Values>
void begin_event(Context* context, UINT64 color, const Char* format, Values... values) {
  const auto begin = [=](UINT kind, const void* text, UINT bytes) {
    next_color = color;
    context->BeginEvent(kind, text, bytes);
    next_color = 0;
  };
  with_text<FENCELINE_PIX_PRINTING>(begin, format, values...);
}
/// A marker on a list or a queue.
template <class Context, class Char, class... Values>
void set_marker(Context* context, UINT64 color, const Char* format, Values... values) {
  const auto set = [=](UINT kind, const void* text, UINT bytes) {
    next_color = color;
    context->SetMarker(kind, text, bytes);
    next_color = 0;
  };
  with_text<FENCELINE_PIX_PRINTING>(set, format, values...);
}

/// An event from here to the end of the scope, on a list, on a queue or on nothing.
template <class Context>
class ScopedEvent {
 public:
  /// The event begins.
  template <class Char, class... Values>
  ScopedEvent(Context* context, UINT64 color, const Char* format, Values... values) : context_(context) {
    begin_event(context, color, format, values...);
  }
  ~ScopedEvent() { context_->EndEvent(); }
  ScopedEvent(const ScopedEvent&) = delete;
  ScopedEvent& operator=(const ScopedEvent&) = delete;

 private:
  Context* context_;
};
/// The same on the CPU.
class CpuEvent {
 public:
  /// Nothing takes note.
  template <class Char, class... Values>
  CpuEvent(UINT64, const Char*, Values...) {}
  ~CpuEvent() {}
};
/// Of the context that it is on.
template <class Context, class Char, class... Values>
ScopedEvent(Context*, UINT64, const Char*, Values...) -> ScopedEvent<Context>;
/// Which of them PIXScopedEvent's arguments make.
template <class Context, class Char, class... Values>
ScopedEvent<Context> scoped_event(Context* context, UINT64 color, const Char* format, Values... values) {
  return ScopedEvent<Context>(context, color, format, values...);
}
/// Without a list or queue.
template <class Char, class... Values>
CpuEvent scoped_event(UINT64 color, const Char* format, Values... values) {
  return CpuEvent(color, format, values...);
}

}  // namespace fenceline::pix

/// On a list or a queue.
template <class Context, class Char, class... Values>
void PIXBeginEvent(Context* context, UINT64 color, const Char* format, Values... values) {
  fenceline::pix::begin_event(context, color, format, values...);
}
/// On a list or a queue.
template <class Context, class Char, class... Values>
void PIXSetMarker(Context* context, UINT64 color, const Char* format, Values... values) {
  fenceline::pix::set_marker(context, color, format, values...);
}
/// Of the list's or queue's last event.
template <class Context>
void PIXEndEvent(Context* context) {
  context->EndEvent();
}
/// On the CPU.
template <class Char, class... Values>
void PIXBeginEvent(UINT64, const Char*, Values...) {}
/// On the CPU.
template <class Char, class... Values>
void PIXSetMarker(UINT64, const Char*, Values...) {}
/// Of the CPU's last event.
inline void PIXEndEvent() {}

/// Both as one word; for PIXScopedEvent.
#define FENCELINE_PIX_PASTE(one, other) one##other
/// Of the event on that line; for PIXScopedEvent.
#define FENCELINE_PIX_NAME(line) FENCELINE_PIX_PASTE(fenceline_pix_event_, line)
/// An event to the end of the scope: a list or queue, or none, the colour, a format and its values.
#define PIXScopedEvent(...) const auto FENCELINE_PIX_NAME(__LINE__) = fenceline::pix::scoped_event(__VA_ARGS__)
#endif
