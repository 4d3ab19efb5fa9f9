// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/cache_place.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

namespace fenceline {
namespace {

constexpr std::uint64_t block_bytes = 512;  // stat(2): st_blocks

bool is_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

const char* kind_of(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
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

std::string stem_of_file(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || (name.substr(dot) != ".val" && name.substr(dot) != ".idx")) return {};
  std::string stem = name.substr(0, dot);
  return is_cache_stem(stem) ? stem : std::string();
}

std::optional<std::set<std::string>> names_in(const CacheDirectory& directory) {
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

CacheFileLook look_at_file(const CacheDirectory& directory, const std::string& name) {
  struct stat what {};
  CacheFileLook look;
  if (::fstatat(directory.descriptor(), name.c_str(), &what, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return look;
    look.what = CacheFileLook::What::unreadable;
    look.reason = std::strerror(errno);
    return look;
  }
  if (!S_ISREG(what.st_mode)) {
    look.what = CacheFileLook::What::other;
    look.reason = kind_of(what.st_mode);
    return look;
  }
  look.what = CacheFileLook::What::file;
  look.bytes = static_cast<std::uint64_t>(what.st_size);
  look.disk_bytes = static_cast<std::uint64_t>(what.st_blocks) * block_bytes;
  look.changed_s = what.st_mtim.tv_sec;
  return look;
}

}  // namespace fenceline
