// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/process/process.hpp"

#include "api/windows_compat/call.hpp"
#include "api/windows_compat/path.hpp"
#include "api/windows_compat/process/command_line.hpp"
#include "api/windows_compat/system_error.hpp"
#include "api/windows_compat/windows/window.hpp"
#include "sim/files/console.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

using fenceline::windows_compat::enter_call;
using fenceline::windows_compat::fail_with;
using fenceline::windows_compat::narrow;
using fenceline::windows_compat::program_path;
using fenceline::windows_compat::widen;

namespace {

/// As Windows copies texts: as many letters as there is room for, 0 at the end.
template <class Char>
DWORD copy_text(const std::basic_string<Char>& text, Char* to, DWORD room) {
  if (room == 0) return 0;
  const auto letters = static_cast<DWORD>(std::min<std::size_t>(text.size(), room - 1));
  std::copy_n(text.begin(), letters, to);
  to[letters] = Char{};
  if (letters == text.size()) return letters;
  fail_with(ERROR_INSUFFICIENT_BUFFER);
  return room;
}

std::string own_path() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

std::string text_of(LPCWSTR text) { return text != nullptr ? narrow(text) : std::string(); }

/// The letters that a program means: `letters`, or all with the 0 at the end.
template <class Char>
std::basic_string<Char> counted(const Char* text, int letters) {
  if (letters >= 0) return {text, static_cast<std::size_t>(letters)};
  return {text, std::char_traits<Char>::length(text) + 1};
}

template <class Char>
int copy_counted(const std::basic_string<Char>& text, Char* to, int room) {
  if (room == 0) return static_cast<int>(text.size());
  if (text.size() > static_cast<std::size_t>(room)) return static_cast<int>(fail_with(ERROR_INSUFFICIENT_BUFFER));
  std::copy(text.begin(), text.end(), to);
  return static_cast<int>(text.size());
}

}  // namespace

LPWSTR GetCommandLineW() {
  static std::wstring line = widen(fenceline::windows_compat::command_line());
  return line.data();
}

LPSTR GetCommandLineA() {
  static std::string line = fenceline::windows_compat::command_line();
  return line.data();
}

LPWSTR* CommandLineToArgvW(LPCWSTR command_line, int* count) {
  const std::vector<std::wstring> arguments = fenceline::windows_compat::arguments_of(command_line);
  std::size_t letters = 0;
  for (const std::wstring& one : arguments) letters += one.size() + 1;
  const std::size_t table_bytes = (arguments.size() + 1) * sizeof(LPWSTR);
  auto* const table = static_cast<LPWSTR*>(LocalAlloc(LMEM_FIXED, table_bytes + letters * sizeof(WCHAR)));
  auto* text = reinterpret_cast<LPWSTR>(reinterpret_cast<char*>(table) + table_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    table[i] = text;
    text = std::copy_n(arguments[i].c_str(), arguments[i].size() + 1, text);
  }
  table[arguments.size()] = nullptr;
  *count = static_cast<int>(arguments.size());
  return table;
}

HLOCAL LocalAlloc(UINT, SIZE_T bytes) { return std::calloc(1, std::max<SIZE_T>(bytes, 1)); }

HLOCAL LocalFree(HLOCAL memory) {
  std::free(memory);
  return nullptr;
}

DWORD GetModuleFileNameW(HMODULE, LPWSTR path, DWORD letters) {
  return copy_text(program_path(own_path()), path, letters);
}

DWORD GetModuleFileNameA(HMODULE, LPSTR path, DWORD letters) {
  return copy_text(narrow(program_path(own_path())), path, letters);
}

HMODULE GetModuleHandleW(LPCWSTR name) {
  static char own_module = 0;
  if (name == nullptr) return &own_module;
  fail_with(ERROR_MOD_NOT_FOUND);
  return nullptr;
}

HMODULE GetModuleHandleA(LPCSTR name) { return GetModuleHandleW(name == nullptr ? nullptr : L"?"); }

HMODULE LoadLibraryW(LPCWSTR) {
  fail_with(ERROR_MOD_NOT_FOUND);
  return nullptr;
}

HMODULE LoadLibraryA(LPCSTR) { return LoadLibraryW(nullptr); }

FARPROC GetProcAddress(HMODULE, LPCSTR) {
  fail_with(ERROR_PROC_NOT_FOUND);
  return nullptr;
}

BOOL FreeLibrary(HMODULE) { return fail_with(ERROR_INVALID_HANDLE); }

void OutputDebugStringW(LPCWSTR text) { fenceline::console::tell(text_of(text)); }

void OutputDebugStringA(LPCSTR text) { fenceline::console::tell(text != nullptr ? text : ""); }

BOOL IsDebuggerPresent() { return FALSE; }

void DebugBreak() { std::raise(SIGTRAP); }

BOOL AllocConsole() { return TRUE; }

BOOL FreeConsole() { return TRUE; }

void ExitProcess(UINT code) { std::exit(static_cast<int>(code)); }

HANDLE GetCurrentProcess() { return reinterpret_cast<HANDLE>(static_cast<LONG_PTR>(-1)); }  // as on Windows

DWORD GetCurrentProcessId() { return static_cast<DWORD>(getpid()); }

BOOL AllocateLocallyUniqueId(LUID* id) {
  static ULONG last = 0;
  const fenceline::d3d12::Host::Lock lock = enter_call();
  id->LowPart = ++last;
  id->HighPart = 0;
  return TRUE;
}

void GetSystemInfo(LPSYSTEM_INFO info) {
  constexpr DWORD allocation_granularity = 65536;  // as on Windows
  *info = {static_cast<DWORD>(sysconf(_SC_PAGESIZE)), allocation_granularity, 1};
}

int MessageBoxW(HWND, LPCWSTR text, LPCWSTR title, UINT type) {
  fenceline::console::tell(text_of(title) + ": " + text_of(text) + "\n");
  return (type & 0xf) == MB_YESNO ? IDYES : IDOK;
}

int MessageBoxA(HWND window, LPCSTR text, LPCSTR title, UINT type) {
  return MessageBoxW(window, widen(text != nullptr ? text : "").c_str(), widen(title != nullptr ? title : "").c_str(),
                     type);
}

int MultiByteToWideChar(UINT, DWORD, LPCSTR text, int letters, LPWSTR wide, int room) {
  return copy_counted(widen(counted(text, letters)), wide, room);
}

int WideCharToMultiByte(UINT, DWORD, LPCWSTR text, int letters, LPSTR narrow_text, int room, LPCSTR, LPBOOL used) {
  if (used != nullptr) *used = FALSE;
  return copy_counted(narrow(counted(text, letters)), narrow_text, room);
}
