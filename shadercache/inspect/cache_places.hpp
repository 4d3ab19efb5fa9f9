// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_place.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

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
