// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/inspect/cache_facts.hpp"
#include "shadercache/inspect/cache_places.hpp"
#include "shadercache/inspect/cache_verification.hpp"
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/temporary_directory.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// Names, links, lengths, times and bytes of all that is in a directory.
inline std::map<std::string, std::string> state_of(const std::filesystem::path& directory) {
  std::map<std::string, std::string> state;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    std::string what = std::to_string(static_cast<int>(entry.symlink_status().type())) + ' ';
    if (entry.is_regular_file() && !entry.is_symlink()) {
      what += std::to_string(entry.last_write_time().time_since_epoch().count()) + ' ' + contents_of(entry.path());
    }
    state[entry.path().lexically_relative(directory).string()] = what;
  }
  return state;
}

/// A directory of caches that is looked at from outside.
class InspectionBench : public CacheBench {
 public:
  /// Stores entries "key N" with values of so many bytes, and closes the cache.
  void fill(const CacheDescription& description, const std::vector<std::uint32_t>& sizes,
            const CacheDriver& driver = {}) {
    const auto session = open(description, driver);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const auto number = static_cast<std::uint32_t>(i);
      if (store_in(*session, key(number), pattern(sizes[i], number)) != CacheStatus::ok) {
        throw std::runtime_error("not stored");
      }
    }
  }
  static std::string key(std::uint32_t number) { return "key " + std::to_string(number); }
  CachePlaces places() const { return find_caches(config.directory); }
  CachePlace place(const CacheDescription& description) const {
    return {config.directory, {}, description.identifier.text()};
  }
  CacheFacts facts(const CacheDescription& description) const {
    CacheView view(place(description));
    return facts_of(view);
  }
  /// Which changes nothing.
  CacheVerification verify(const CacheDescription& description) const {
    const auto before = state_of(config.directory);
    CacheView view(place(description));
    CacheVerification result = verify_cache(view);
    if (state_of(config.directory) != before) throw std::runtime_error("something was changed");
    return result;
  }
  /// Changes some bytes of a file in place.
  void damage(const CacheDescription& description, const std::string& end, std::uint64_t at,
              std::size_t bytes = 1) const {
    std::string text = contents_of(file(description, end));
    if (at + bytes > text.size()) throw std::runtime_error("nothing there");
    for (std::size_t i = 0; i < bytes; ++i) text[at + i] = static_cast<char>(text[at + i] ^ 0x55);
    write_file(file(description, end), text);
  }
  /// Where records are in .val.
  std::vector<std::uint64_t> records(const CacheDescription& description) const {
    CacheView view(place(description));
    std::vector<CacheSlot> slots(view.index().slots());
    view.read_slots(0, slots.data(), slots.size());
    std::vector<std::uint64_t> result;
    for (const CacheSlot& slot : slots) {
      if (!slot.is_free() && !slot.is_dropped()) result.push_back(slot.at);
    }
    std::sort(result.begin(), result.end());
    return result;
  }
  /// Of a slot in .idx that is taken.
  std::uint64_t slot(const CacheDescription& description) const {
    CacheView view(place(description));
    CacheSlot one;
    for (std::uint64_t number = 0; view.read_slots(number, &one, 1) == 1; ++number) {
      if (!one.is_free()) return CacheIndex::place_of(number);
    }
    throw std::runtime_error("an empty table");
  }
};

}  // namespace fenceline::testing
