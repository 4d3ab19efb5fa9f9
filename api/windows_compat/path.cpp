// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/path.hpp"

#include <strings.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

namespace fenceline::windows_compat {
namespace {

namespace fs = std::filesystem;

constexpr char32_t replacement = 0xfffd;

void append_utf8(std::string& text, char32_t letter) {
  if (letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000)) letter = replacement;
  const auto tail = [&](unsigned shift) {
    text += static_cast<char>(0x80 | (static_cast<std::uint32_t>(letter) >> shift & 0x3f));
  };
  if (letter < 0x80) {
    text += static_cast<char>(letter);
  } else if (letter < 0x800) {
    text += static_cast<char>(0xc0 | letter >> 6);
    tail(0);
  } else if (letter < 0x10000) {
    text += static_cast<char>(0xe0 | letter >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0 | letter >> 18);
    tail(12), tail(6), tail(0);
  }
}

/// The letter that begins there, and the place behind it.
char32_t next_letter(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  const unsigned more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  if (more == 0 || at + more > text.size()) return replacement;
  char32_t letter = first & (0x3fU >> more);
  for (unsigned i = 0; i < more; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xc0) != 0x80) return replacement;
    letter = letter << 6 | (byte & 0x3f);
  }
  at += more;
  return letter;
}

/// The entry of a folder with that name, whatever the case of its letters: the first of several in order of their
/// names.
std::vector<std::string> entries_like(const fs::path& folder, const std::string& name) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
    const std::string candidate = entry.path().filename().string();
    if (strcasecmp(candidate.c_str(), name.c_str()) == 0) found.push_back(candidate);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::string narrow(std::wstring_view text) {
  std::string narrowed;
  for (const wchar_t letter : text) append_utf8(narrowed, static_cast<char32_t>(letter));
  return narrowed;
}

std::wstring widen(std::string_view text) {
  std::wstring widened;
  for (std::size_t at = 0; at < text.size();) widened += static_cast<wchar_t>(next_letter(text, at));
  return widened;
}

std::string host_path(std::wstring_view path) {
  std::string named = narrow(path);
  std::replace(named.begin(), named.end(), '\\', '/');
  named = fs::path(named).lexically_normal().string();  // as on Windows, "a\\..\\b" is there without an a
  std::error_code ignored;
  if (fs::exists(named, ignored)) return named;
  fs::path found;
  for (const fs::path& part : fs::path(named)) {
    if (!fs::exists(found / part, ignored)) {
      const std::vector<std::string> like = entries_like(found, part.string());
      if (!like.empty()) {
        found /= like.front();
        continue;
      }
    }
    found /= part;
  }
  return found.string();
}

std::wstring program_path(std::string_view host_path) {
  std::wstring path = widen(host_path);
  std::replace(path.begin(), path.end(), L'/', L'\\');
  return path;
}

}  // namespace fenceline::windows_compat
