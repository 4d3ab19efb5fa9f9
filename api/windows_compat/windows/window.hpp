// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that Windows' headers have

// Windows that are never shown, and the message loop of a program that paints in them. Nobody touches keys or mouse.
//
// A turn of the loop is a frame: a WM_PAINT that it gets, or no message (PeekMessage's FALSE; GetMessage then waits for
// a sixtieth of a second of simulated time). After FENCELINE_FRAMES of them, 60 where the environment does not say, the
// windows get WM_CLOSE, which DefWindowProc turns into WM_DESTROY; a program that goes on gets WM_QUIT at the next
// turn.
#include "api/windows_compat/error.hpp"

typedef struct tagWNDCLASSEXW {
  UINT cbSize;
  UINT style;
  WNDPROC lpfnWndProc;
  int cbClsExtra;
  int cbWndExtra;
  HINSTANCE hInstance;
  HICON hIcon;
  HCURSOR hCursor;
  HBRUSH hbrBackground;
  LPCWSTR lpszMenuName;
  LPCWSTR lpszClassName;
  HICON hIconSm;
} WNDCLASSEXW;
typedef struct tagWNDCLASSEXA {
  UINT cbSize;
  UINT style;
  WNDPROC lpfnWndProc;
  int cbClsExtra;
  int cbWndExtra;
  HINSTANCE hInstance;
  HICON hIcon;
  HCURSOR hCursor;
  HBRUSH hbrBackground;
  LPCSTR lpszMenuName;
  LPCSTR lpszClassName;
  HICON hIconSm;
} WNDCLASSEXA;
typedef struct tagWNDCLASSW {
  UINT style;
  WNDPROC lpfnWndProc;
  int cbClsExtra;
  int cbWndExtra;
  HINSTANCE hInstance;
  HICON hIcon;
  HCURSOR hCursor;
  HBRUSH hbrBackground;
  LPCWSTR lpszMenuName;
  LPCWSTR lpszClassName;
} WNDCLASSW;
typedef struct tagCREATESTRUCTW {
  LPVOID lpCreateParams;
  HINSTANCE hInstance;
  HMENU hMenu;
  HWND hwndParent;
  int cy;
  int cx;
  int y;
  int x;
  LONG style;
  LPCWSTR lpszName;
  LPCWSTR lpszClass;
  DWORD dwExStyle;
} CREATESTRUCTW, *LPCREATESTRUCTW;
typedef CREATESTRUCTW CREATESTRUCT, *LPCREATESTRUCT;
typedef struct tagMSG {
  HWND hwnd;
  UINT message;
  WPARAM wParam;
  LPARAM lParam;
  DWORD time;
  POINT pt;
} MSG, *PMSG, *LPMSG;
typedef struct tagPAINTSTRUCT {
  HDC hdc;
  BOOL fErase;
  RECT rcPaint;
  BOOL fRestore;
  BOOL fIncUpdate;
  BYTE rgbReserved[32];
} PAINTSTRUCT, *LPPAINTSTRUCT;
typedef struct _devicemodeW {
  WCHAR dmDeviceName[32];
  WORD dmSpecVersion;
  WORD dmDriverVersion;
  WORD dmSize;
  WORD dmDriverExtra;
  DWORD dmFields;
  POINT dmPosition;
  DWORD dmDisplayOrientation;
  DWORD dmBitsPerPel;
  DWORD dmPelsWidth;
  DWORD dmPelsHeight;
  DWORD dmDisplayFlags;
  DWORD dmDisplayFrequency;
} DEVMODEW, DEVMODE;

#define WM_NULL 0x0000
#define WM_CREATE 0x0001
#define WM_DESTROY 0x0002
#define WM_MOVE 0x0003
#define WM_SIZE 0x0005
#define WM_ACTIVATE 0x0006
#define WM_SETFOCUS 0x0007
#define WM_KILLFOCUS 0x0008
#define WM_PAINT 0x000F
#define WM_CLOSE 0x0010
#define WM_QUIT 0x0012
#define WM_ERASEBKGND 0x0014
#define WM_SHOWWINDOW 0x0018
#define WM_ACTIVATEAPP 0x001C
#define WM_SETCURSOR 0x0020
#define WM_GETMINMAXINFO 0x0024
#define WM_DISPLAYCHANGE 0x007E
#define WM_NCCREATE 0x0081
#define WM_NCDESTROY 0x0082
#define WM_INPUT 0x00FF
#define WM_KEYDOWN 0x0100
#define WM_KEYUP 0x0101
#define WM_CHAR 0x0102
#define WM_SYSKEYDOWN 0x0104
#define WM_SYSKEYUP 0x0105
#define WM_SYSCHAR 0x0106
#define WM_COMMAND 0x0111
#define WM_SYSCOMMAND 0x0112
#define WM_TIMER 0x0113
#define WM_MENUCHAR 0x0120
#define WM_MOUSEMOVE 0x0200
#define WM_LBUTTONDOWN 0x0201
#define WM_LBUTTONUP 0x0202
#define WM_RBUTTONDOWN 0x0204
#define WM_RBUTTONUP 0x0205
#define WM_MBUTTONDOWN 0x0207
#define WM_MBUTTONUP 0x0208
#define WM_MOUSEWHEEL 0x020A
#define WM_ENTERSIZEMOVE 0x0231
#define WM_EXITSIZEMOVE 0x0232
#define WM_DPICHANGED 0x02E0
#define WM_USER 0x0400
#define WM_APP 0x8000

#define WS_OVERLAPPED 0x00000000U
#define WS_MAXIMIZEBOX 0x00010000U
#define WS_MINIMIZEBOX 0x00020000U
#define WS_THICKFRAME 0x00040000U
#define WS_SYSMENU 0x00080000U
#define WS_BORDER 0x00800000U
#define WS_CAPTION 0x00C00000U
#define WS_VISIBLE 0x10000000U
#define WS_POPUP 0x80000000U
#define WS_OVERLAPPEDWINDOW (WS_OVERLAPPED | WS_CAPTION | WS_SYSMENU | WS_THICKFRAME | WS_MINIMIZEBOX | WS_MAXIMIZEBOX)
#define WS_EX_TOPMOST 0x00000008U
#define WS_EX_APPWINDOW 0x00040000U
#define WS_EX_NOREDIRECTIONBITMAP 0x00200000U
#define CS_VREDRAW 0x0001
#define CS_HREDRAW 0x0002
#define CS_DBLCLKS 0x0008
#define CS_OWNDC 0x0020
#define CW_USEDEFAULT ((int)0x80000000)
#define GWL_STYLE (-16)
#define GWL_EXSTYLE (-20)
#define GWLP_WNDPROC (-4)
#define GWLP_HINSTANCE (-6)
#define GWLP_USERDATA (-21)
#define SW_HIDE 0
#define SW_SHOWNORMAL 1
#define SW_NORMAL 1
#define SW_SHOWMINIMIZED 2
#define SW_MAXIMIZE 3
#define SW_SHOWMAXIMIZED 3
#define SW_SHOW 5
#define SW_MINIMIZE 6
#define SW_RESTORE 9
#define SW_SHOWDEFAULT 10
#define SIZE_RESTORED 0
#define SIZE_MINIMIZED 1
#define SIZE_MAXIMIZED 2
#define SWP_NOSIZE 0x0001
#define SWP_NOMOVE 0x0002
#define SWP_NOZORDER 0x0004
#define SWP_NOACTIVATE 0x0010
#define SWP_FRAMECHANGED 0x0020
#define SWP_SHOWWINDOW 0x0040
#define HWND_TOP ((HWND)0)
#define HWND_TOPMOST ((HWND)-1)
#define HWND_NOTOPMOST ((HWND)-2)
#define PM_NOREMOVE 0
#define PM_REMOVE 1
#define QS_ALLINPUT 0x04FF
#define MK_LBUTTON 0x0001
#define MK_RBUTTON 0x0002
#define MK_SHIFT 0x0004
#define MK_CONTROL 0x0008
#define MK_MBUTTON 0x0010
#define IDC_ARROW ((LPCWSTR)(ULONG_PTR)32512)
#define IDI_APPLICATION ((LPCWSTR)(ULONG_PTR)32512)
#define COLOR_WINDOW 5
#define SM_CXSCREEN 0
#define SM_CYSCREEN 1
#define ENUM_CURRENT_SETTINGS 0xFFFFFFFFU
#define MB_OK 0x0U
#define MB_OKCANCEL 0x1U
#define MB_YESNO 0x4U
#define MB_ICONERROR 0x10U
#define MB_ICONWARNING 0x30U
#define MB_ICONINFORMATION 0x40U
#define IDOK 1
#define IDCANCEL 2
#define IDYES 6
#define IDNO 7

#define VK_LBUTTON 0x01
#define VK_RBUTTON 0x02
#define VK_MBUTTON 0x04
#define VK_BACK 0x08
#define VK_TAB 0x09
#define VK_RETURN 0x0D
#define VK_SHIFT 0x10
#define VK_CONTROL 0x11
#define VK_MENU 0x12
#define VK_PAUSE 0x13
#define VK_CAPITAL 0x14
#define VK_ESCAPE 0x1B
#define VK_SPACE 0x20
#define VK_PRIOR 0x21
#define VK_NEXT 0x22
#define VK_END 0x23
#define VK_HOME 0x24
#define VK_LEFT 0x25
#define VK_UP 0x26
#define VK_RIGHT 0x27
#define VK_DOWN 0x28
#define VK_SNAPSHOT 0x2C
#define VK_INSERT 0x2D
#define VK_DELETE 0x2E
#define VK_NUMPAD0 0x60
#define VK_MULTIPLY 0x6A
#define VK_ADD 0x6B
#define VK_SUBTRACT 0x6D
#define VK_DIVIDE 0x6F
#define VK_F1 0x70
#define VK_F2 0x71
#define VK_F3 0x72
#define VK_F4 0x73
#define VK_F5 0x74
#define VK_F6 0x75
#define VK_F7 0x76
#define VK_F8 0x77
#define VK_F9 0x78
#define VK_F10 0x79
#define VK_F11 0x7A
#define VK_F12 0x7B
#define VK_LSHIFT 0xA0
#define VK_LCONTROL 0xA2
#define VK_OEM_PLUS 0xBB
#define VK_OEM_COMMA 0xBC
#define VK_OEM_MINUS 0xBD
#define VK_OEM_PERIOD 0xBE

#ifdef __cplusplus
extern "C" {
#endif

ATOM RegisterClassExW(const WNDCLASSEXW* window_class);
ATOM RegisterClassExA(const WNDCLASSEXA* window_class);
ATOM RegisterClassW(const WNDCLASSW* window_class);
BOOL UnregisterClassW(LPCWSTR name, HINSTANCE instance);
/// WM_NCCREATE and WM_CREATE come from within. 640 x 480 at 0, 0 where CW_USEDEFAULT leaves it open.
HWND CreateWindowExW(DWORD extended_style, LPCWSTR class_name, LPCWSTR title, DWORD style, int x, int y, int width,
                     int height, HWND parent, HMENU menu, HINSTANCE instance, LPVOID parameter);
HWND CreateWindowExA(DWORD extended_style, LPCSTR class_name, LPCSTR title, DWORD style, int x, int y, int width,
                     int height, HWND parent, HMENU menu, HINSTANCE instance, LPVOID parameter);
BOOL DestroyWindow(HWND window);
BOOL IsWindow(HWND window);
/// WM_SHOWWINDOW, WM_SIZE and WM_MOVE the first time; from now on the window wants to be painted.
BOOL ShowWindow(HWND window, int how);
BOOL UpdateWindow(HWND window);
BOOL IsIconic(HWND window);
LONG_PTR SetWindowLongPtrW(HWND window, int what, LONG_PTR value);
LONG_PTR GetWindowLongPtrW(HWND window, int what);
LONG SetWindowLongW(HWND window, int what, LONG value);
LONG GetWindowLongW(HWND window, int what);
BOOL SetWindowTextW(HWND window, LPCWSTR title);
BOOL SetWindowTextA(HWND window, LPCSTR title);
int GetWindowTextW(HWND window, LPWSTR title, int letters);
/// Windows have no frame: a window's rectangle is its client area's.
BOOL AdjustWindowRect(LPRECT rect, DWORD style, BOOL menu);
BOOL AdjustWindowRectEx(LPRECT rect, DWORD style, BOOL menu, DWORD extended_style);
BOOL GetClientRect(HWND window, LPRECT rect);
BOOL GetWindowRect(HWND window, LPRECT rect);
BOOL SetWindowPos(HWND window, HWND after, int x, int y, int width, int height, UINT flags);
BOOL InvalidateRect(HWND window, const RECT* rect, BOOL erase);
BOOL ValidateRect(HWND window, const RECT* rect);
HDC BeginPaint(HWND window, LPPAINTSTRUCT paint);
BOOL EndPaint(HWND window, const PAINTSTRUCT* paint);

BOOL PeekMessageW(LPMSG message, HWND window, UINT first, UINT last, UINT remove);
BOOL GetMessageW(LPMSG message, HWND window, UINT first, UINT last);
BOOL TranslateMessage(const MSG* message);
LRESULT DispatchMessageW(const MSG* message);
LRESULT SendMessageW(HWND window, UINT message, WPARAM w, LPARAM l);
BOOL PostMessageW(HWND window, UINT message, WPARAM w, LPARAM l);
void PostQuitMessage(int exit_code);
LRESULT DefWindowProcW(HWND window, UINT message, WPARAM w, LPARAM l);

/// Said on stderr; IDYES where there is that choice, or IDOK.
int MessageBoxW(HWND window, LPCWSTR text, LPCWSTR title, UINT type);
int MessageBoxA(HWND window, LPCSTR text, LPCSTR title, UINT type);
/// Nothing is pressed.
SHORT GetAsyncKeyState(int key);
SHORT GetKeyState(int key);
BOOL GetCursorPos(LPPOINT point);
/// There are no cursors, icons, display modes or metrics: null, FALSE, 0.
HCURSOR LoadCursorW(HINSTANCE instance, LPCWSTR name);
HICON LoadIconW(HINSTANCE instance, LPCWSTR name);
HCURSOR SetCursor(HCURSOR cursor);
int ShowCursor(BOOL show);
BOOL EnumDisplaySettingsW(LPCWSTR device, DWORD mode, DEVMODEW* settings);
int GetSystemMetrics(int what);
HWND SetCapture(HWND window);
BOOL ReleaseCapture(void);
BOOL SetForegroundWindow(HWND window);
HWND SetFocus(HWND window);

#ifdef __cplusplus
}
#endif

#define WNDCLASSEX FENCELINE_NARROW_OR_WIDE(WNDCLASSEX)
#define WNDCLASS WNDCLASSW
#define RegisterClassEx FENCELINE_NARROW_OR_WIDE(RegisterClassEx)
#define RegisterClass RegisterClassW
#define UnregisterClass UnregisterClassW
#define CreateWindowEx FENCELINE_NARROW_OR_WIDE(CreateWindowEx)
#define CreateWindowW(...) CreateWindowExW(0, __VA_ARGS__)
#define CreateWindowA(...) CreateWindowExA(0, __VA_ARGS__)
#define CreateWindow FENCELINE_NARROW_OR_WIDE(CreateWindow)
#define SetWindowLongPtr SetWindowLongPtrW
#define GetWindowLongPtr GetWindowLongPtrW
#define SetWindowLong SetWindowLongW
#define GetWindowLong GetWindowLongW
#define SetWindowText FENCELINE_NARROW_OR_WIDE(SetWindowText)
#define GetWindowText GetWindowTextW
#define PeekMessage PeekMessageW
#define PeekMessageA PeekMessageW
#define GetMessage GetMessageW
#define GetMessageA GetMessageW
#define DispatchMessage DispatchMessageW
#define DispatchMessageA DispatchMessageW
#define SendMessage SendMessageW
#define PostMessage PostMessageW
#define PostMessageA PostMessageW
#define DefWindowProc DefWindowProcW
#define DefWindowProcA DefWindowProcW
#define MessageBox FENCELINE_NARROW_OR_WIDE(MessageBox)
#define LoadCursor LoadCursorW
#define LoadCursorA(instance, name) LoadCursorW(instance, NULL)
#define LoadIcon LoadIconW
#define EnumDisplaySettings EnumDisplaySettingsW
