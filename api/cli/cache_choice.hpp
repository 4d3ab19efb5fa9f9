// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/cli/commands.hpp"
#include "shadercache/inspect/cache_places.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline::cli {

/// Which caches a command is for.
struct CacheChoice {
  std::filesystem::path directory;      ///< where was looked
  bool exists = false;                  ///< there is such a directory
  std::vector<CachePlace> caches;       ///< in the order of their names, each once
  std::vector<std::string> unreadable;  ///< folders that could not be read, and why
  std::string error;                    ///< "expected ..., found ..."; empty: there is none
};
CacheChoice choose_caches(const CacheArguments& arguments);

/// Tells what is wrong with a choice. `done`, or what the process returns.
int tell_choice(const char* verb, const CacheChoice& choice);

/// "no caches in DIRECTORY"; or that there is no such directory.
std::string no_caches_text(const CacheChoice& choice);

}  // namespace fenceline::cli
