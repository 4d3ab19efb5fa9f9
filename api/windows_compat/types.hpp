// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names and extensions that Windows' headers have, of which programs would be warned

// Win32's types and the language of its headers, as far as <wsl/winadapter.h> leaves them out or has them otherwise.
#include "api/d3d12/event.hpp"

#include <stddef.h>

// Words of Microsoft's compiler.
#define _uuidof __uuidof
#define __int64 long long
#define __forceinline inline __attribute__((always_inline))
#define FENCELINE_DECLSPEC_dllexport
#define FENCELINE_DECLSPEC_dllimport
#define FENCELINE_DECLSPEC_novtable
#define FENCELINE_DECLSPEC_selectany __attribute__((weak))
#define FENCELINE_DECLSPEC_noinline __attribute__((noinline))
#define FENCELINE_DECLSPEC_noreturn __attribute__((noreturn))
#define FENCELINE_DECLSPEC_thread __thread
#define FENCELINE_DECLSPEC_restrict
#define FENCELINE_DECLSPEC_deprecated __attribute__((deprecated))
#define FENCELINE_DECLSPEC_align(bytes) __attribute__((aligned(bytes)))
#define FENCELINE_DECLSPEC_uuid(text)
#define __declspec(what) FENCELINE_DECLSPEC_##what
#define _declspec(what) FENCELINE_DECLSPEC_##what
#define DECLSPEC_ALIGN(bytes) __attribute__((aligned(bytes)))
#define CALLBACK
#define WINAPIV
#define WINBASEAPI
#define WINUSERAPI
#ifndef FORCEINLINE
#define FORCEINLINE __forceinline
#endif

#ifndef WINVER
#define WINVER 0x0A00
#endif
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00
#endif
#define _WIN32_WINNT_WIN7 0x0601
#define _WIN32_WINNT_WIN8 0x0602
#define _WIN32_WINNT_WIN10 0x0A00

typedef unsigned char byte;
typedef uint8_t* PBYTE;
typedef uint8_t* LPBYTE;
typedef int16_t SHORT;
typedef uint32_t DWORD32;
typedef uint64_t DWORD64;
typedef uint64_t DWORDLONG;
typedef uint64_t DWORD_PTR;
typedef int64_t SSIZE_T;
typedef DWORD* PDWORD;
typedef DWORD* LPDWORD;
typedef BOOL* PBOOL;
typedef BOOL* LPBOOL;
typedef LONG* PLONG;
typedef UINT* PUINT;
typedef HANDLE* PHANDLE;
typedef WCHAR* LPWCH;
typedef const WCHAR* LPCWCH;
typedef WORD ATOM;
typedef void* HINSTANCE;
typedef void* HMODULE;
typedef void* HLOCAL;
typedef void* HGLOBAL;
typedef void* HMENU;
typedef void* HICON;
typedef void* HCURSOR;
typedef void* HBRUSH;
typedef void* HKEY;
#ifndef HMONITOR_DECLARED
#define HMONITOR_DECLARED
typedef void* HMONITOR;
#endif
typedef UINT_PTR WPARAM;
typedef LONG_PTR LPARAM;
typedef LONG_PTR LRESULT;
typedef RECT* PRECT;
typedef RECT* LPRECT;
typedef const RECT* LPCRECT;
typedef POINT* PPOINT;
typedef POINT* LPPOINT;
typedef SECURITY_ATTRIBUTES* PSECURITY_ATTRIBUTES;
typedef SECURITY_ATTRIBUTES* LPSECURITY_ATTRIBUTES;
typedef IID* LPIID;
typedef intptr_t(WINAPI* FARPROC)();
typedef struct tagSIZE {
  LONG cx;
  LONG cy;
} SIZE;
typedef struct _FILETIME {
  DWORD dwLowDateTime;
  DWORD dwHighDateTime;
} FILETIME;
typedef struct _LIST_ENTRY {
  struct _LIST_ENTRY* Flink;
  struct _LIST_ENTRY* Blink;
} LIST_ENTRY, *PLIST_ENTRY;

// The same bytes as <wsl/winadapter.h>'s, with Windows' nameless members.
typedef union FencelineLargeInteger {
  struct {
    DWORD LowPart;
    LONG HighPart;
  };
  struct {
    DWORD LowPart;
    LONG HighPart;
  } u;
  LONGLONG QuadPart;
} FencelineLargeInteger, *FencelineLargeIntegerPointer;
typedef union FencelineUlargeInteger {
  struct {
    DWORD LowPart;
    DWORD HighPart;
  };
  struct {
    DWORD LowPart;
    DWORD HighPart;
  } u;
  ULONGLONG QuadPart;
} FencelineUlargeInteger, *FencelineUlargeIntegerPointer;
#define LARGE_INTEGER FencelineLargeInteger
#define PLARGE_INTEGER FencelineLargeIntegerPointer
#define ULARGE_INTEGER FencelineUlargeInteger
#define PULARGE_INTEGER FencelineUlargeIntegerPointer

#ifdef __cplusplus
/// <wsl/winadapter.h>'s HWND is an int; programs set theirs to nullptr. As large as an int and passed as one.
class FencelineWindowHandle {
 public:
  constexpr FencelineWindowHandle() = default;
  constexpr FencelineWindowHandle(int value) : value_(value) {}
  constexpr FencelineWindowHandle(long value) : value_(static_cast<int>(value)) {}  // NULL is a long
  constexpr FencelineWindowHandle(decltype(nullptr)) {}
  explicit FencelineWindowHandle(const void* value) : value_(static_cast<int>(reinterpret_cast<intptr_t>(value))) {}
  constexpr operator int() const { return value_; }
  template <class Other>
  friend constexpr bool operator==(FencelineWindowHandle one, Other other) {
    return one.value_ == FencelineWindowHandle(other).value_;
  }
  template <class Other>
  friend constexpr bool operator!=(FencelineWindowHandle one, Other other) {
    return one.value_ != FencelineWindowHandle(other).value_;
  }

 private:
  int value_ = 0;
};
#define HWND FencelineWindowHandle
#endif
typedef LRESULT(CALLBACK* WNDPROC)(HWND, UINT, WPARAM, LPARAM);

#ifdef UNICODE
#define TCHAR WCHAR
#define LPTSTR LPWSTR
#define LPCTSTR LPCWSTR
#define FENCELINE_TEXT(text) L##text
#define FENCELINE_NARROW_OR_WIDE(name) name##W
#else
#define FENCELINE_TEXT(text) text
#define FENCELINE_NARROW_OR_WIDE(name) name##A
#endif
#define TEXT(text) FENCELINE_TEXT(text)
#define _T(text) FENCELINE_TEXT(text)

#define ARRAYSIZE(array) (sizeof(array) / sizeof((array)[0]))
#define ZeroMemory(where, bytes) memset((where), 0, (bytes))
#define SecureZeroMemory(where, bytes) memset((where), 0, (bytes))
#define RtlZeroMemory(where, bytes) memset((where), 0, (bytes))
#define CopyMemory(where, from, bytes) memcpy((where), (from), (bytes))
#define MoveMemory(where, from, bytes) memmove((where), (from), (bytes))
#define FillMemory(where, bytes, value) memset((where), (value), (bytes))
#define CONTAINING_RECORD(address, type, field) ((type*)((char*)(address)-offsetof(type, field)))
#define MAKEWORD(low, high) ((WORD)(((BYTE)(low)) | ((WORD)((BYTE)(high)) << 8)))
#define MAKELONG(low, high) ((LONG)(((WORD)(low)) | ((DWORD)((WORD)(high)) << 16)))
#define MAKELPARAM(low, high) ((LPARAM)(DWORD)MAKELONG(low, high))
#define LOWORD(value) ((WORD)((DWORD_PTR)(value)&0xffff))
#define HIWORD(value) ((WORD)(((DWORD_PTR)(value) >> 16) & 0xffff))
#define LOBYTE(value) ((BYTE)((DWORD_PTR)(value)&0xff))
#define HIBYTE(value) ((BYTE)(((DWORD_PTR)(value) >> 8) & 0xff))
#define GET_X_LPARAM(value) ((int)(short)LOWORD(value))
#define GET_Y_LPARAM(value) ((int)(short)HIWORD(value))

#ifndef MAXDWORD
#define MAXDWORD 0xffffffffU
#endif
#define MAXUINT 0xffffffffU
#define MAXLONG 0x7fffffff
#define MAXUINT64 0xffffffffffffffffULL

#ifndef IID_NULL
static const GUID fenceline_null_guid = {0, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0}};
#define GUID_NULL fenceline_null_guid
#define IID_NULL fenceline_null_guid
#define CLSID_NULL fenceline_null_guid
#endif
#ifdef __cplusplus
#define IsEqualGUID(one, other) ((one) == (other))
#else
#define IsEqualGUID(one, other) (memcmp((one), (other), sizeof(GUID)) == 0)
#endif
#define IsEqualIID(one, other) IsEqualGUID(one, other)

// Annotations that <wsl/winadapter.h> leaves out.
#include "api/windows_compat/include/sal.h"
