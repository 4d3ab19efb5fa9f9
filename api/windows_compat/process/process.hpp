// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that Windows' headers have

// The process: its command line, its file, its entry WinMain, what it says to a debugger.
#include "api/windows_compat/error.hpp"

#define STD_OUTPUT_HANDLE 0xFFFFFFF5U
#define CP_ACP 0
#define CP_UTF8 65001
#define LMEM_FIXED 0
#define EXCEPTION_EXECUTE_HANDLER 1

typedef struct _SYSTEM_INFO {
  DWORD dwPageSize;
  DWORD dwAllocationGranularity;
  DWORD dwNumberOfProcessors;
} SYSTEM_INFO, *LPSYSTEM_INFO;

#ifdef __cplusplus
extern "C" {
#endif

/// A program that has one of these instead of `main` begins there.
int WINAPI WinMain(HINSTANCE instance, HINSTANCE previous, LPSTR command_line, int show);
int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, LPWSTR command_line, int show);

LPWSTR GetCommandLineW(void);
LPSTR GetCommandLineA(void);
/// To be freed with LocalFree.
LPWSTR* CommandLineToArgvW(LPCWSTR command_line, int* count);
HLOCAL LocalAlloc(UINT flags, SIZE_T bytes);
HLOCAL LocalFree(HLOCAL memory);
/// The program's own path, with `\` between its parts, for `module` null. Letters copied; as many as there is room for
/// when the path is longer.
DWORD GetModuleFileNameW(HMODULE module, LPWSTR path, DWORD letters);
DWORD GetModuleFileNameA(HMODULE module, LPSTR path, DWORD letters);
HMODULE GetModuleHandleW(LPCWSTR name);
HMODULE GetModuleHandleA(LPCSTR name);
/// There are no modules: null.
HMODULE LoadLibraryW(LPCWSTR name);
HMODULE LoadLibraryA(LPCSTR name);
FARPROC GetProcAddress(HMODULE module, LPCSTR name);
BOOL FreeLibrary(HMODULE module);
/// On stderr.
void OutputDebugStringW(LPCWSTR text);
void OutputDebugStringA(LPCSTR text);
BOOL IsDebuggerPresent(void);
void DebugBreak(void);
/// The program has its terminal already.
BOOL AllocConsole(void);
BOOL FreeConsole(void);
void ExitProcess(UINT code);
HANDLE GetCurrentProcess(void);
DWORD GetCurrentProcessId(void);
/// A number that no other call gives.
BOOL AllocateLocallyUniqueId(LUID* id);
/// Processors: 1, on every machine.
void GetSystemInfo(LPSYSTEM_INFO info);
/// Letters of UTF-8 or UTF-32, with the 0 at the end where `letters` is -1. With `room` 0 only their number.
int MultiByteToWideChar(UINT code_page, DWORD flags, LPCSTR text, int letters, LPWSTR wide, int room);
int WideCharToMultiByte(UINT code_page, DWORD flags, LPCWSTR text, int letters, LPSTR narrow, int room, LPCSTR unknown,
                        LPBOOL used);

#ifdef __cplusplus
}
#endif

#define GetCommandLine FENCELINE_NARROW_OR_WIDE(GetCommandLine)
#define GetModuleFileName FENCELINE_NARROW_OR_WIDE(GetModuleFileName)
#define GetModuleHandle FENCELINE_NARROW_OR_WIDE(GetModuleHandle)
#define LoadLibrary FENCELINE_NARROW_OR_WIDE(LoadLibrary)
#define OutputDebugString FENCELINE_NARROW_OR_WIDE(OutputDebugString)
#define __debugbreak() DebugBreak()
