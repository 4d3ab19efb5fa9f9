// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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
/// Whether programs' caches have such a folder: any name, "-", 8 hexadecimal digits.
bool is_program_folder(std::string_view name);

/// What a directory has of caches.
struct CachePlaces {
  bool exists = false;                  ///< there is such a directory
  std::string reason;                   ///< why it cannot be read; empty: it can, or there is none
  std::vector<CachePlace> caches;       ///< by folder and stem; those in the directory itself come first
  std::vector<std::string> unreadable;  ///< folders that could not be read, and why
};
/// Looks for files by their names, in the directory and in the folders of programs in it. Symbolic links are not
/// followed but for the directory itself. A directory that cannot be read is `unreadable`; one that is not there is
/// none.
CachePlaces find_caches(const std::filesystem::path& directory);

}  // namespace fenceline
