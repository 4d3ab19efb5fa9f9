// SPDX-License-Identifier: Apache-2.0
#include "shadercache/inspect/cache_places.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <set>

namespace fenceline {
namespace {

bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool are_digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

/// Empty: they cannot be read, errno has why.
std::optional<std::set<std::string>> entries_of(const CacheDirectory& directory) {
  const int descriptor = ::openat(directory.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(descriptor < 0 ? nullptr : ::fdopendir(descriptor), ::closedir);
  if (!stream) {
    const int why = errno;
    if (descriptor >= 0) ::close(descriptor);
    errno = why;
    return std::nullopt;
  }
  std::set<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) names.insert(entry->d_name);
  if (errno != 0) return std::nullopt;
  return names;
}

bool is_folder(const CacheDirectory& directory, const std::string& name) {
  struct stat what {};
  return ::fstatat(directory.descriptor(), name.c_str(), &what, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(what.st_mode);
}

void add_caches(const CacheDirectory& directory, const CachePlace& place, CachePlaces& into,
                std::vector<std::string>* folders) {
  const std::optional<std::set<std::string>> names = entries_of(directory);
  if (!names) {
    const std::string reason = directory.path().string() + ": " + std::strerror(errno);
    if (folders != nullptr) {
      into.reason = reason;
    } else {
      into.unreadable.push_back(reason);
    }
    return;
  }
  std::set<std::string> stems;
  for (const std::string& name : *names) {
    const std::size_t dot = name.find('.');
    const std::string stem = name.substr(0, dot);
    if (dot != std::string::npos && is_cache_stem(stem)) {
      const std::string end = name.substr(dot);
      if (end == ".val" || end == ".idx") stems.insert(stem);
    } else if (folders != nullptr && is_program_folder(name) && is_folder(directory, name)) {
      folders->push_back(name);
    }
  }
  for (const std::string& stem : stems) into.caches.push_back({place.directory, place.program, stem});
}

}  // namespace

CacheDirectory CachePlace::open() const {
  CacheDirectory outer = CacheDirectory::open_to_read(directory);
  return program.empty() || !outer.is_open() ? std::move(outer) : outer.inner(program);
}

bool is_cache_stem(std::string_view stem) {
  constexpr std::size_t adapter_bytes = 16;
  if (stem.size() != CachePlace::identifier_bytes && stem.size() != CachePlace::identifier_bytes + 1 + adapter_bytes) {
    return false;
  }
  for (std::size_t i = 0; i < stem.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23 || i == CachePlace::identifier_bytes;
    if (dash ? stem[i] != '-' : !is_digit(stem[i])) return false;
  }
  return true;
}

bool is_program_folder(std::string_view name) {
  constexpr std::size_t digits = 8;
  return name.size() > digits + 1 && name[name.size() - digits - 1] == '-' &&
         are_digits(name.substr(name.size() - digits));
}

CachePlaces find_caches(const std::filesystem::path& directory) {
  CachePlaces places;
  const CacheDirectory outer = CacheDirectory::open_to_read(directory);
  if (!outer.is_open()) {
    places.exists = errno != ENOENT;
    if (places.exists) places.reason = outer.reason();
    return places;
  }
  places.exists = true;
  std::vector<std::string> folders;
  add_caches(outer, {directory, {}, {}}, places, &folders);
  for (const std::string& folder : folders) {
    const CacheDirectory inner = outer.inner(folder);
    if (inner.is_open()) {
      add_caches(inner, {directory, folder, {}}, places, nullptr);
    } else {
      places.unreadable.push_back(inner.reason());
    }
  }
  return places;
}

}  // namespace fenceline
