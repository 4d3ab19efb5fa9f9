// SPDX-License-Identifier: Apache-2.0
#include "shadercache/inspect/cache_places.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>

namespace fenceline {
namespace {

bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_folder(const CacheDirectory& directory, const std::string& name) {
  struct stat what {};
  return ::fstatat(directory.descriptor(), name.c_str(), &what, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(what.st_mode);
}

void add_caches(const CacheDirectory& directory, const CachePlace& place, CachePlaces& into,
                std::vector<std::string>* folders) {
  const std::optional<std::set<std::string>> names = names_in(directory);
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
    if (const std::string stem = stem_of_file(name); !stem.empty()) {
      stems.insert(stem);
    } else if (folders != nullptr && is_program_folder(name) && is_folder(directory, name)) {
      folders->push_back(name);
    }
  }
  for (const std::string& stem : stems) into.caches.push_back({place.directory, place.program, stem});
}

}  // namespace

bool is_program_folder(std::string_view name) {
  constexpr std::size_t digits = 8;
  return name.size() > digits && name[name.size() - digits - 1] == '-' &&
         std::all_of(name.end() - digits, name.end(), is_digit);
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
