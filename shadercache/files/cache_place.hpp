// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace fenceline {

/// Ends of the files of a cache, .val first.
constexpr std::array<const char*, 5> cache_file_ends{".val", ".idx", ".lock", ".val.new", ".idx.new"};

/// A cache that is on disk, by the names of its files.
struct CachePlace {
  std::filesystem::path directory;  ///< where was looked
  std::string program;              ///< the folder below it, "PROGRAM-XXXXXXXX"; empty: the files are in it
  std::string stem;                 ///< of the files: an identifier, and "-" and the adapter of driver-versioned caches

  std::string identifier() const { return stem.substr(0, identifier_bytes); }
  /// 16 hexadecimal digits; empty: it is not driver-versioned.
  std::string adapter() const { return stem.size() > identifier_bytes ? stem.substr(identifier_bytes + 1) : ""; }
  /// "PROGRAM-XXXXXXXX/STEM", or the stem alone.
  std::string name() const { return program.empty() ? stem : program + '/' + stem; }
  /// Opened to be looked at; not open, with a reason, where it is gone or a symbolic link.
  CacheDirectory open() const;

  static constexpr std::size_t identifier_bytes = 36;
};

/// Whether caches have files of that stem: "28e2495d-0f64-4ae4-a6ec-129255dc49a8", with "-" and 16 digits or without.
bool is_cache_stem(std::string_view stem);
/// Empty: not that of a .val or .idx file of a cache.
std::string stem_of_file(const std::string& name);

/// Names of all that is in a directory. Empty: it cannot be read, errno has why.
std::optional<std::set<std::string>> names_in(const CacheDirectory& directory);

/// What has the name of a file of a cache.
struct CacheFileLook {
  /// Whether it can be one.
  enum class What : std::uint8_t { missing, file, other, unreadable };
  What what = What::missing;
  std::string reason;            ///< of `other` what it is ("a symbolic link"), of `unreadable` what the system says
  std::uint64_t bytes = 0;       ///< of a file: its length
  std::uint64_t disk_bytes = 0;  ///< of a file: what it takes of the disk
  std::int64_t changed_s = 0;    ///< seconds since 1970, UTC, when it was written last
};
/// Follows no symbolic link.
CacheFileLook look_at_file(const CacheDirectory& directory, const std::string& name);

}  // namespace fenceline
