// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/inspect/cache_facts.hpp"
#include "shadercache/inspect/cache_places.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace fenceline::cli {

/// A cache and what its files tell.
struct KnownCache {
  CachePlace place;
  CacheFacts facts;
};

KnownCache known_cache(const CachePlace& place);

/// A table with a line for each, and one of what they have together.
std::string cache_list_text(const std::vector<KnownCache>& caches);
/// A paragraph.
std::string cache_stat_text(const KnownCache& cache);
/// What says which cache it is: the first keys of each document.
nlohmann::ordered_json json_of(const CachePlace& place);
/// The same, and what `list` shows, or with `all` everything.
nlohmann::ordered_json json_of(const KnownCache& cache, bool all);

}  // namespace fenceline::cli
