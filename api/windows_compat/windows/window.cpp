// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/windows/window.hpp"

#include "api/windows_compat/call.hpp"
#include "api/windows_compat/path.hpp"
#include "api/windows_compat/system_error.hpp"
#include "api/windows_compat/windows/window_table.hpp"

#include <algorithm>
#include <cwchar>
#include <string>

using fenceline::d3d12::Host;
using fenceline::windows_compat::enter_call;
using fenceline::windows_compat::fail_with;
using fenceline::windows_compat::widen;
using fenceline::windows_compat::Window;
using fenceline::windows_compat::WindowTable;

namespace {

std::wstring text_of(LPCSTR text) { return widen(text != nullptr ? text : ""); }

ATOM register_class(const std::wstring& name, WNDPROC procedure) {
  const Host::Lock lock = enter_call();
  const ATOM atom = WindowTable::instance().add_class(name, procedure);
  if (atom == 0) fail_with(ERROR_CLASS_ALREADY_EXISTS);
  return atom;
}

/// Calls `use` with the window, locked; FALSE and the error where there is none.
template <class Use>
BOOL with_window(int handle, Use use) {
  const Host::Lock lock = enter_call();
  Window* const window = WindowTable::instance().find(handle);
  if (window == nullptr) return fail_with(ERROR_INVALID_WINDOW_HANDLE);
  use(*window);
  return TRUE;
}

LONG_PTR* value_of(Window& window, int what) {
  switch (what) {
    case GWL_STYLE: return &window.style;
    case GWL_EXSTYLE: return &window.extended_style;
    case GWLP_USERDATA: return &window.user_data;
    default: return nullptr;
  }
}

void tell_size(HWND window) {
  RECT size{};
  if (!GetClientRect(window, &size)) return;
  SendMessageW(window, WM_SIZE, SIZE_RESTORED, MAKELPARAM(size.right, size.bottom));
}

void tell_place(HWND window) {
  RECT place{};
  if (!GetWindowRect(window, &place)) return;
  SendMessageW(window, WM_MOVE, 0, MAKELPARAM(place.left, place.top));
}

}  // namespace

ATOM RegisterClassExW(const WNDCLASSEXW* made) { return register_class(made->lpszClassName, made->lpfnWndProc); }

ATOM RegisterClassExA(const WNDCLASSEXA* made) {
  return register_class(text_of(made->lpszClassName), made->lpfnWndProc);
}

ATOM RegisterClassW(const WNDCLASSW* made) { return register_class(made->lpszClassName, made->lpfnWndProc); }

BOOL UnregisterClassW(LPCWSTR name, HINSTANCE) {
  const Host::Lock lock = enter_call();
  return WindowTable::instance().remove_class(name) ? TRUE : fail_with(ERROR_CANNOT_FIND_WND_CLASS);
}

HWND CreateWindowExW(DWORD extended_style, LPCWSTR class_name, LPCWSTR title, DWORD style, int x, int y, int width,
                     int height, HWND parent, HMENU menu, HINSTANCE instance, LPVOID parameter) {
  constexpr int usual_width = 640;
  constexpr int usual_height = 480;
  Window window;
  int handle = 0;
  {
    const Host::Lock lock = enter_call();
    window.procedure = WindowTable::instance().procedure_of_class(class_name);
    if (window.procedure == nullptr) {
      fail_with(ERROR_CANNOT_FIND_WND_CLASS);
      return {};
    }
    window.instance = instance;
    window.title = title != nullptr ? title : L"";
    window.style = style;
    window.extended_style = extended_style;
    window.place.left = x != CW_USEDEFAULT ? x : 0;
    window.place.top = x != CW_USEDEFAULT && y != CW_USEDEFAULT ? y : 0;
    window.place.right = window.place.left + (width != CW_USEDEFAULT ? width : usual_width);
    window.place.bottom =
        window.place.top + (width != CW_USEDEFAULT && height != CW_USEDEFAULT ? height : usual_height);
    handle = WindowTable::instance().add(window);
  }
  CREATESTRUCTW told{};
  told.lpCreateParams = parameter;
  told.hInstance = instance;
  told.hMenu = menu;
  told.hwndParent = parent;
  told.cx = window.width();
  told.cy = window.height();
  told.x = window.place.left;
  told.y = window.place.top;
  told.style = static_cast<LONG>(style);
  told.lpszName = title;
  told.lpszClass = class_name;
  told.dwExStyle = extended_style;
  const auto at = reinterpret_cast<LPARAM>(&told);
  if (SendMessageW(handle, WM_NCCREATE, 0, at) == FALSE || SendMessageW(handle, WM_CREATE, 0, at) == -1) {
    DestroyWindow(handle);
    return {};
  }
  if ((style & WS_VISIBLE) != 0) ShowWindow(handle, SW_SHOW);
  return handle;
}

HWND CreateWindowExA(DWORD extended_style, LPCSTR class_name, LPCSTR title, DWORD style, int x, int y, int width,
                     int height, HWND parent, HMENU menu, HINSTANCE instance, LPVOID parameter) {
  constexpr std::uintptr_t atoms_end = 0x10000;
  const bool atom = reinterpret_cast<std::uintptr_t>(class_name) < atoms_end;
  const std::wstring wide_name = atom ? L"" : text_of(class_name);
  const LPCWSTR name = atom ? reinterpret_cast<LPCWSTR>(class_name) : wide_name.c_str();
  return CreateWindowExW(extended_style, name, text_of(title).c_str(), style, x, y, width, height, parent, menu,
                         instance, parameter);
}

BOOL DestroyWindow(HWND handle) {
  if (!IsWindow(handle)) return fail_with(ERROR_INVALID_WINDOW_HANDLE);
  SendMessageW(handle, WM_DESTROY, 0, 0);
  SendMessageW(handle, WM_NCDESTROY, 0, 0);
  const Host::Lock lock = enter_call();
  WindowTable::instance().remove(handle);
  return TRUE;
}

BOOL IsWindow(HWND handle) {
  const Host::Lock lock = enter_call();
  return WindowTable::instance().find(handle) != nullptr;
}

BOOL ShowWindow(HWND handle, int how) {
  bool was_shown = false;
  with_window(handle, [&](Window& window) {
    was_shown = window.shown;
    window.shown = how != SW_HIDE;
    window.wants_paint = window.shown;
  });
  if (!was_shown && how != SW_HIDE) {
    SendMessageW(handle, WM_SHOWWINDOW, TRUE, 0);
    tell_size(handle);
    tell_place(handle);
  }
  return was_shown;
}

BOOL UpdateWindow(HWND handle) {
  bool paints = false;
  if (!with_window(handle, [&](const Window& window) { paints = window.wants_paint; })) return FALSE;
  if (paints) SendMessageW(handle, WM_PAINT, 0, 0);
  return TRUE;
}

BOOL IsIconic(HWND) { return FALSE; }

LONG_PTR SetWindowLongPtrW(HWND handle, int what, LONG_PTR value) {
  LONG_PTR before = 0;
  with_window(handle, [&](Window& window) {
    if (what == GWLP_WNDPROC) {
      before = reinterpret_cast<LONG_PTR>(window.procedure);
      window.procedure = reinterpret_cast<WNDPROC>(value);
    } else if (LONG_PTR* const kept = value_of(window, what)) {
      before = *kept;
      *kept = value;
    } else {
      fail_with(ERROR_INVALID_PARAMETER);
    }
  });
  return before;
}

LONG_PTR GetWindowLongPtrW(HWND handle, int what) {
  LONG_PTR found = 0;
  with_window(handle, [&](Window& window) {
    if (what == GWLP_WNDPROC) {
      found = reinterpret_cast<LONG_PTR>(window.procedure);
    } else if (what == GWLP_HINSTANCE) {
      found = reinterpret_cast<LONG_PTR>(window.instance);
    } else if (const LONG_PTR* const kept = value_of(window, what)) {
      found = *kept;
    } else {
      fail_with(ERROR_INVALID_PARAMETER);
    }
  });
  return found;
}

LONG SetWindowLongW(HWND handle, int what, LONG value) {
  return static_cast<LONG>(SetWindowLongPtrW(handle, what, value));
}

LONG GetWindowLongW(HWND handle, int what) { return static_cast<LONG>(GetWindowLongPtrW(handle, what)); }

BOOL SetWindowTextW(HWND handle, LPCWSTR title) {
  return with_window(handle, [&](Window& window) { window.title = title != nullptr ? title : L""; });
}

BOOL SetWindowTextA(HWND handle, LPCSTR title) { return SetWindowTextW(handle, text_of(title).c_str()); }

int GetWindowTextW(HWND handle, LPWSTR title, int letters) {
  int copied = 0;
  with_window(handle, [&](const Window& window) {
    if (letters <= 0) return;
    copied = static_cast<int>(std::min<std::size_t>(window.title.size(), static_cast<std::size_t>(letters) - 1));
    std::wmemcpy(title, window.title.c_str(), static_cast<std::size_t>(copied));
    title[copied] = L'\0';
  });
  return copied;
}

BOOL AdjustWindowRect(LPRECT, DWORD, BOOL) { return TRUE; }

BOOL AdjustWindowRectEx(LPRECT, DWORD, BOOL, DWORD) { return TRUE; }

BOOL GetClientRect(HWND handle, LPRECT rect) {
  return with_window(handle, [&](const Window& window) { *rect = {0, 0, window.width(), window.height()}; });
}

BOOL GetWindowRect(HWND handle, LPRECT rect) {
  return with_window(handle, [&](const Window& window) { *rect = window.place; });
}

BOOL SetWindowPos(HWND handle, HWND, int x, int y, int width, int height, UINT flags) {
  bool moved = false;
  bool sized = false;
  const BOOL done = with_window(handle, [&](Window& window) {
    const RECT before = window.place;
    if ((flags & SWP_NOMOVE) != 0) x = before.left, y = before.top;
    if ((flags & SWP_NOSIZE) != 0) width = window.width(), height = window.height();
    moved = x != before.left || y != before.top;
    sized = width != window.width() || height != window.height();
    window.place = {x, y, x + width, y + height};
  });
  if (moved) tell_place(handle);
  if (sized) tell_size(handle);
  if (done && (flags & SWP_SHOWWINDOW) != 0) ShowWindow(handle, SW_SHOW);
  return done;
}

BOOL InvalidateRect(HWND handle, const RECT*, BOOL) {
  return with_window(handle, [](Window& window) { window.wants_paint = window.shown; });
}

BOOL ValidateRect(HWND handle, const RECT*) {
  return with_window(handle, [](Window& window) { window.wants_paint = false; });
}

HDC BeginPaint(HWND handle, LPPAINTSTRUCT paint) {
  *paint = {};
  GetClientRect(handle, &paint->rcPaint);
  ValidateRect(handle, nullptr);
  return 0;
}

BOOL EndPaint(HWND, const PAINTSTRUCT*) { return TRUE; }

HWND SetCapture(HWND) { return {}; }

BOOL ReleaseCapture() { return TRUE; }

BOOL SetForegroundWindow(HWND handle) { return IsWindow(handle); }

HWND SetFocus(HWND) { return {}; }

SHORT GetAsyncKeyState(int) { return 0; }

SHORT GetKeyState(int) { return 0; }

BOOL GetCursorPos(LPPOINT point) {
  *point = {0, 0};
  return TRUE;
}

HCURSOR LoadCursorW(HINSTANCE, LPCWSTR) { return nullptr; }

HICON LoadIconW(HINSTANCE, LPCWSTR) { return nullptr; }

HCURSOR SetCursor(HCURSOR) { return nullptr; }

int ShowCursor(BOOL show) { return show ? 0 : -1; }

BOOL EnumDisplaySettingsW(LPCWSTR, DWORD, DEVMODEW*) { return fail_with(ERROR_NOT_SUPPORTED); }

int GetSystemMetrics(int) { return 0; }
