// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/text.hpp"

#include "api/windows_compat/path.hpp"
#include "api/windows_compat/print_format.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

using fenceline::windows_compat::host_format;
using fenceline::windows_compat::host_path;
using fenceline::windows_compat::narrow;

namespace {

/// The letters that a format makes. False: it makes none, as with a letter that there is not.
bool print(std::string& text, const char* format, va_list values) {
  va_list again;
  va_copy(again, values);
  const std::string host = host_format(format);
  const int letters = std::vsnprintf(nullptr, 0, host.c_str(), again);
  va_end(again);
  if (letters < 0) return false;
  text.resize(static_cast<std::size_t>(letters));
  std::vsnprintf(text.data(), text.size() + 1, host.c_str(), values);
  return true;
}

bool print(std::wstring& text, const WCHAR* format, va_list values) {
  constexpr std::size_t most = 1 << 24;  // vswprintf does not say how much room it wants
  const std::wstring host = host_format(format);
  for (std::size_t room = 256; room <= most; room *= 4) {
    va_list again;
    va_copy(again, values);
    text.resize(room);
    const int letters = std::vswprintf(text.data(), room, host.c_str(), again);
    va_end(again);
    if (letters < 0) continue;
    text.resize(static_cast<std::size_t>(letters));
    return true;
  }
  return false;
}

/// Writes what fits into `count` letters, or nothing where the whole has to fit and does not.
template <class Char>
int put(Char* to, std::size_t room, std::size_t count, const std::basic_string<Char>& text, bool whole) {
  if (to == nullptr || room == 0) return -1;
  const std::size_t limit = std::min(count, room - 1);
  const bool fits = text.size() <= limit;
  const std::size_t letters = fits ? text.size() : whole ? 0 : limit;
  std::copy_n(text.begin(), letters, to);
  to[letters] = Char{};
  return fits ? static_cast<int>(letters) : -1;
}

template <class Char>
int print_whole(Char* to, std::size_t room, const Char* format, va_list values) {
  std::basic_string<Char> text;
  const bool printed = print(text, format, values);
  const int letters = put(to, room, room, text, true);
  return printed ? letters : -1;
}

template <class Char>
int print_part(Char* to, std::size_t room, std::size_t count, const Char* format, va_list values) {
  std::basic_string<Char> text;
  const bool printed = print(text, format, values);
  const bool whole = count != _TRUNCATE && count >= room;
  const int letters = put(to, room, count, text, whole);
  return printed ? letters : -1;
}

template <class Char>
errno_t copy(Char* to, std::size_t room, const Char* from, std::size_t count = _TRUNCATE - 1) {
  if (to == nullptr || room == 0) return EINVAL;
  to[0] = Char{};
  if (from == nullptr) return EINVAL;
  const bool truncates = count == _TRUNCATE;
  const std::size_t length = std::min(std::char_traits<Char>::length(from), count);
  if (length >= room && !truncates) return ERANGE;
  const std::size_t letters = std::min(length, room - 1);
  std::copy_n(from, letters, to);
  to[letters] = Char{};
  return letters < length ? STRUNCATE : 0;
}

template <class Char>
errno_t append(Char* to, std::size_t room, const Char* from) {
  if (to == nullptr || room == 0) return EINVAL;
  const std::size_t used = static_cast<std::size_t>(std::find(to, to + room, Char{}) - to);
  const std::size_t length = from != nullptr ? std::char_traits<Char>::length(from) : 0;
  if (from == nullptr || used == room || length >= room - used) {
    to[0] = Char{};
    return from == nullptr || used == room ? EINVAL : ERANGE;
  }
  std::copy_n(from, length + 1, to + used);
  return 0;
}

template <class Move>
errno_t move_bytes(void* to, std::size_t room, const void* from, std::size_t bytes, Move move) {
  if (bytes == 0) return 0;
  if (to == nullptr) return EINVAL;
  if (from == nullptr || bytes > room) {
    std::memset(to, 0, room);
    return from == nullptr ? EINVAL : ERANGE;
  }
  move(to, from, bytes);
  return 0;
}

}  // namespace

#define FENCELINE_PRINT(call) \
  va_list values;             \
  va_start(values, format);   \
  const int letters = call;   \
  va_end(values);             \
  return letters

int sprintf_s(char* text, size_t room, const char* format, ...) {
  FENCELINE_PRINT(vsprintf_s(text, room, format, values));
}
int vsprintf_s(char* text, size_t room, const char* format, va_list values) {
  return print_whole(text, room, format, values);
}
int swprintf_s(WCHAR* text, size_t room, const WCHAR* format, ...) {
  FENCELINE_PRINT(vswprintf_s(text, room, format, values));
}
int vswprintf_s(WCHAR* text, size_t room, const WCHAR* format, va_list values) {
  return print_whole(text, room, format, values);
}
int _snprintf_s(char* text, size_t room, size_t count, const char* format, ...) {
  FENCELINE_PRINT(_vsnprintf_s(text, room, count, format, values));
}
int _vsnprintf_s(char* text, size_t room, size_t count, const char* format, va_list values) {
  return print_part(text, room, count, format, values);
}
int _snwprintf_s(WCHAR* text, size_t room, size_t count, const WCHAR* format, ...) {
  FENCELINE_PRINT(_vsnwprintf_s(text, room, count, format, values));
}
int _vsnwprintf_s(WCHAR* text, size_t room, size_t count, const WCHAR* format, va_list values) {
  return print_part(text, room, count, format, values);
}

#undef FENCELINE_PRINT

errno_t strcpy_s(char* text, size_t room, const char* from) { return copy(text, room, from); }
errno_t strcat_s(char* text, size_t room, const char* from) { return append(text, room, from); }
errno_t strncpy_s(char* text, size_t room, const char* from, size_t count) { return copy(text, room, from, count); }
errno_t wcscpy_s(WCHAR* text, size_t room, const WCHAR* from) { return copy(text, room, from); }
errno_t wcscat_s(WCHAR* text, size_t room, const WCHAR* from) { return append(text, room, from); }
errno_t wcsncpy_s(WCHAR* text, size_t room, const WCHAR* from, size_t count) { return copy(text, room, from, count); }

errno_t memcpy_s(void* to, size_t room, const void* from, size_t bytes) {
  return move_bytes(to, room, from, bytes, std::memcpy);
}
errno_t memmove_s(void* to, size_t room, const void* from, size_t bytes) {
  return move_bytes(to, room, from, bytes, std::memmove);
}

FILE* _wfopen(const WCHAR* name, const WCHAR* mode) {
  std::string narrow_mode = narrow(mode);
  narrow_mode.erase(std::remove(narrow_mode.begin(), narrow_mode.end(), 't'), narrow_mode.end());  // texts are bytes
  return std::fopen(host_path(name).c_str(), narrow_mode.c_str());
}

errno_t _wfopen_s(FILE** file, const WCHAR* name, const WCHAR* mode) {
  *file = _wfopen(name, mode);
  return *file != nullptr ? 0 : errno;
}

errno_t fopen_s(FILE** file, const char* name, const char* mode) {
  return _wfopen_s(file, fenceline::windows_compat::widen(name).c_str(),
                   fenceline::windows_compat::widen(mode).c_str());
}

errno_t freopen_s(FILE** file, const char* name, const char* mode, FILE* old) {
  const std::string path = std::strcmp(name, "CONOUT$") == 0 ? "/dev/stdout" : name;
  *file = std::freopen(path.c_str(), mode, old);
  return *file != nullptr ? 0 : errno;
}
