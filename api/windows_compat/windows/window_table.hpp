// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/windows_compat/types.hpp"

#include <map>
#include <string>

namespace fenceline::windows_compat {

struct Window {
  WNDPROC procedure = nullptr;
  HINSTANCE instance = nullptr;
  std::wstring title;
  RECT place{};  ///< on the screen; the client area's, too
  LONG_PTR style = 0;
  LONG_PTR extended_style = 0;
  LONG_PTR user_data = 0;
  bool shown = false;
  bool wants_paint = false;

  LONG width() const { return place.right - place.left; }
  LONG height() const { return place.bottom - place.top; }
};

/// The process's windows, by the number that is their handle, and their classes. With the host's lock.
class WindowTable {
 public:
  static WindowTable& instance();

  /// 0: there is a class of that name.
  ATOM add_class(const std::wstring& name, WNDPROC procedure);
  bool remove_class(const std::wstring& name);
  /// Null: there is no such class. `name` may be an ATOM, as programs pass it.
  WNDPROC procedure_of_class(LPCWSTR name) const;

  int add(const Window& window);
  void remove(int handle) { windows_.erase(handle); }
  /// Null: no window has that handle, or has it any more.
  Window* find(int handle);
  const std::map<int, Window>& windows() const { return windows_; }
  /// 0: none wants to be painted.
  int window_to_paint() const;

 private:
  struct Class {
    ATOM atom;
    WNDPROC procedure;
  };
  std::map<std::wstring, Class> classes_;
  std::map<int, Window> windows_;
  ATOM last_atom_ = 0xbfff;  // Windows' own lie below 0xc000
  int last_handle_ = 0;
};

}  // namespace fenceline::windows_compat
