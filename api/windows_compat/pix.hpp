// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that PIX's header has

// PIX's captures and markers, whose formats are Microsoft's.
#include "api/windows_compat/text.hpp"

#ifdef __cplusplus
#include <cstddef>

namespace fenceline::windows_compat {

/// A marker's text, in the words of Microsoft's printf.
struct PixPrinting {
  template <std::size_t Room, class... Values>
  static void print(char (&text)[Room], const char* format, Values... values) {
    _snprintf_s(text, Room, _TRUNCATE, format, values...);
  }
  template <std::size_t Room, class... Values>
  static void print(WCHAR (&text)[Room], const WCHAR* format, Values... values) {
    _snwprintf_s(text, Room, _TRUNCATE, format, values...);
  }
};

}  // namespace fenceline::windows_compat

#ifndef FENCELINE_PIX_PRINTING
#define FENCELINE_PIX_PRINTING fenceline::windows_compat::PixPrinting
#endif
#endif

#include "api/d3d12/pix_markers.hpp"
