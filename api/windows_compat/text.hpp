// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that Windows' headers have

// Functions for texts that Microsoft's C library has and others do not. Formats are Microsoft's: in wide ones %s and %c
// are wide, %S, %hs and %hc narrow; %I64 is for 64-bit numbers. What does not fit leaves an empty text, and -1 or an
// error is returned; on Windows the program would end there.
#include "api/windows_compat/types.hpp"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#ifndef _TRUNCATE
#define _TRUNCATE ((size_t)-1)
#endif
#define STRUNCATE 80
typedef int errno_t;

#ifdef __cplusplus
extern "C" {
#endif

int sprintf_s(char* text, size_t room, const char* format, ...) __attribute__((format(printf, 3, 4)));
int vsprintf_s(char* text, size_t room, const char* format, va_list values) __attribute__((format(printf, 3, 0)));
int swprintf_s(WCHAR* text, size_t room, const WCHAR* format, ...);
int vswprintf_s(WCHAR* text, size_t room, const WCHAR* format, va_list values);
/// At most `count` letters, _TRUNCATE: as many as there is room for. -1 where that is less than the whole.
int _snprintf_s(char* text, size_t room, size_t count, const char* format, ...) __attribute__((format(printf, 4, 5)));
int _vsnprintf_s(char* text, size_t room, size_t count, const char* format, va_list values)
    __attribute__((format(printf, 4, 0)));
int _snwprintf_s(WCHAR* text, size_t room, size_t count, const WCHAR* format, ...);
int _vsnwprintf_s(WCHAR* text, size_t room, size_t count, const WCHAR* format, va_list values);

errno_t strcpy_s(char* text, size_t room, const char* from);
errno_t strcat_s(char* text, size_t room, const char* from);
errno_t strncpy_s(char* text, size_t room, const char* from, size_t count);
errno_t wcscpy_s(WCHAR* text, size_t room, const WCHAR* from);
errno_t wcscat_s(WCHAR* text, size_t room, const WCHAR* from);
errno_t wcsncpy_s(WCHAR* text, size_t room, const WCHAR* from, size_t count);
errno_t memcpy_s(void* to, size_t room, const void* from, size_t bytes);
errno_t memmove_s(void* to, size_t room, const void* from, size_t bytes);
errno_t fopen_s(FILE** file, const char* name, const char* mode);
errno_t _wfopen_s(FILE** file, const WCHAR* name, const WCHAR* mode);
FILE* _wfopen(const WCHAR* name, const WCHAR* mode);
errno_t freopen_s(FILE** file, const char* name, const char* mode, FILE* old);

#ifdef __cplusplus
}
#endif

#define _stricmp strcasecmp
#define _strnicmp strncasecmp
#define _wcsicmp wcscasecmp
#define _wcsnicmp wcsncasecmp
#define lstrlenA(text) ((int)strlen(text))
#define lstrlenW(text) ((int)wcslen(text))
#define _strdup strdup
#define _wcsdup wcsdup
#define _aligned_free free
#ifdef __cplusplus
#define _aligned_malloc(bytes, alignment) \
  aligned_alloc((alignment), ((bytes) + (alignment)-1) / (alignment) * (alignment))
#endif

#ifdef __cplusplus
/// Where the compiler knows how much room there is.
template <size_t Room, class... Values>
int sprintf_s(char (&text)[Room], const char* format, Values... values) {
  return sprintf_s(text, Room, format, values...);
}
template <size_t Room, class... Values>
int swprintf_s(WCHAR (&text)[Room], const WCHAR* format, Values... values) {
  return swprintf_s(text, Room, format, values...);
}
template <size_t Room, class... Values>
int _snprintf_s(char (&text)[Room], size_t count, const char* format, Values... values) {
  return _snprintf_s(text, Room, count, format, values...);
}
template <size_t Room, class... Values>
int _snwprintf_s(WCHAR (&text)[Room], size_t count, const WCHAR* format, Values... values) {
  return _snwprintf_s(text, Room, count, format, values...);
}
template <size_t Room>
int vsprintf_s(char (&text)[Room], const char* format, va_list values) {
  return vsprintf_s(text, Room, format, values);
}
template <size_t Room>
int vswprintf_s(WCHAR (&text)[Room], const WCHAR* format, va_list values) {
  return vswprintf_s(text, Room, format, values);
}
template <size_t Room>
errno_t strcpy_s(char (&text)[Room], const char* from) {
  return strcpy_s(text, Room, from);
}
template <size_t Room>
errno_t strcat_s(char (&text)[Room], const char* from) {
  return strcat_s(text, Room, from);
}
template <size_t Room>
errno_t strncpy_s(char (&text)[Room], const char* from, size_t count) {
  return strncpy_s(text, Room, from, count);
}
template <size_t Room>
errno_t wcscpy_s(WCHAR (&text)[Room], const WCHAR* from) {
  return wcscpy_s(text, Room, from);
}
template <size_t Room>
errno_t wcscat_s(WCHAR (&text)[Room], const WCHAR* from) {
  return wcscat_s(text, Room, from);
}
template <size_t Room>
errno_t wcsncpy_s(WCHAR (&text)[Room], const WCHAR* from, size_t count) {
  return wcsncpy_s(text, Room, from, count);
}
#endif
