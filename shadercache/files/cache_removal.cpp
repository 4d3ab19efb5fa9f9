// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/cache_removal.hpp"

#include "shadercache/files/cache_lock.hpp"
#include "shadercache/files/cache_record.hpp"
#include "shadercache/files/disk_store.hpp"
#include "shadercache/files/lock_probe.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

/// What there is in the place of a file that a cache has; empty: such a file, or none.
std::string stranger_in(const CacheDirectory& directory, const std::string& name, std::string_view end) {
  const CacheFileLook look = look_at_file(directory, name);
  if (look.what == CacheFileLook::What::missing) return {};
  if (look.what != CacheFileLook::What::file) return "expected a file of a cache, found " + look.reason;
  const CacheFile file = CacheFile::open_to_read(directory, name);
  if (!file.is_open()) return fmt::format("expected a file of a cache, found {}", std::strerror(errno));
  std::array<std::byte, header_bytes> bytes{};
  const std::size_t got = file.read(0, bytes.data(), bytes.size());
  if (got == 0) return {};  // as a process leaves it that ends when it has just made it
  if (end == ".lock") {
    const bool mark = got == 1 && static_cast<char>(bytes[0]) == cache_lock_mark;
    return mark ? "" : "expected nothing or \"D\" in it, found other bytes";
  }
  const std::string_view kind = end.substr(0, 4) == ".val" ? "VAL" : "IDX";
  if (look_at_header(bytes.data(), kind).magic) return {};
  return fmt::format("expected \"FLSC{}\" at its beginning, found other bytes", kind);
}

/// Whether all that has a name of the cache's files is one, and which there are.
CacheClearing own_files(const CacheDirectory& directory, const std::string& stem) {
  CacheClearing result;
  result.what = CacheClearing::What::removed;
  for (const char* const end : cache_file_ends) {
    const std::string name = stem + end;
    const std::string stranger = stranger_in(directory, name, end);
    if (!stranger.empty()) return {CacheClearing::What::refused, fmt::format("{}: {}", name, stranger), {}};
    if (look_at_file(directory, name).what == CacheFileLook::What::file) result.files.push_back(name);
  }
  return result;
}

CacheClearing refused(std::string reason) { return {CacheClearing::What::refused, std::move(reason), {}}; }

/// What is said of the cache's version: by .val, else by .idx.
std::optional<CacheHeader> header_in(const CacheDirectory& directory, const std::string& stem) {
  for (const auto& [end, kind] : {std::pair{".val", "VAL"}, std::pair{".idx", "IDX"}}) {
    const CacheFile file = CacheFile::open_to_read(directory, stem + end);
    std::array<std::byte, header_bytes> bytes{};
    CacheHeader header;
    if (file.is_open() && file.read(0, bytes.data(), bytes.size()) == bytes.size() &&
        read_header(bytes.data(), kind, header)) {
      return header;
    }
  }
  return std::nullopt;
}

/// Others have it open.
CacheClearing empty_in_place(const CachePlace& place, std::chrono::milliseconds most_wait) {
  const std::optional<CacheHeader> header = header_in(place.open(), place.stem);
  if (!header) return refused("sessions have it open, and neither .val nor .idx says of which version they are");
  DiskStore store;
  const DiskStore::Opened opened =
      store.open(place.open(), {place.stem, header->version, header->driver, most_values_bytes, false, most_wait});
  if (opened == DiskStore::Opened::other_version) return refused("a process has just opened it with another version");
  if (opened != DiskStore::Opened::yes) return refused(store.reason());
  const bool cleared = store.clear();
  const int why = errno;
  store.close();
  if (!cleared) return refused(fmt::format("{}: {}", place.name(), std::strerror(why)));
  return {CacheClearing::What::emptied, {}, {}};
}

/// A directory that cannot be written to keeps its files: nothing is to be tried there.
std::string refusal_of(const CacheDirectory& directory) {
  if (!directory.is_open()) return directory.reason();
  if (::faccessat(directory.descriptor(), ".", W_OK | X_OK, 0) == 0) return {};
  return fmt::format("{}: {}", directory.path().string(), std::strerror(errno));
}

}  // namespace

CacheClearing look_at_clearing(const CachePlace& place) {
  const CacheDirectory directory = place.open();
  if (std::string reason = refusal_of(directory); !reason.empty()) return refused(std::move(reason));
  CacheClearing result = own_files(directory, place.stem);
  if (result.what == CacheClearing::What::removed &&
      LockProbe(directory, place.stem + ".lock").in_use().value_or(false)) {
    result.what = CacheClearing::What::emptied;
  }
  return result;
}

CacheClearing clear_cache(const CachePlace& place, std::chrono::milliseconds most_wait) {
  const CacheDirectory directory = place.open();
  if (std::string reason = refusal_of(directory); !reason.empty()) return refused(std::move(reason));
  CacheClearing result = own_files(directory, place.stem);
  if (result.what == CacheClearing::What::refused) return result;
  {
    CacheLock lock = CacheLock::open(directory, place.stem + ".lock", most_wait);
    if (!lock.is_open() && errno == ETIMEDOUT) {
      return refused(fmt::format("a process has been writing to it for {} ms: it may be stopped", most_wait.count()));
    }
    if (!lock.is_open()) return refused(fmt::format("{}.lock: {}", place.stem, std::strerror(errno)));
    if (lock.alone()) {
      result = own_files(directory, place.stem);  // while nobody can change them
      if (result.what == CacheClearing::What::refused) return result;
      for (const std::string& name : result.files) {
        // The lock goes last: until then whoever opens the cache waits for it.
        if (name != place.stem + ".lock" && !directory.remove(name)) {
          return refused(fmt::format("{}: {}", name, std::strerror(errno)));
        }
      }
      directory.remove(place.stem + ".lock");
      return result;
    }
  }
  return empty_in_place(place, most_wait);
}

}  // namespace fenceline
