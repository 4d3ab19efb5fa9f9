// SPDX-License-Identifier: Apache-2.0
// The files of a shader cache: whatever stands in one of them, the cache opens, finds what was stored or nothing, and
// takes new values.
#include "shadercache/shader_caches.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {
namespace {

const std::vector<std::pair<std::string, std::string>>& stored() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"key", "value"}, {"another key", std::string(100, 'v')}, {std::string(1, '\0'), std::string(300, '\xff')}};
  return all;
}

void must(bool went_well, const char* what) {
  if (!went_well) throw std::logic_error(what);
}

OpenedCache opened(ShaderCaches& caches) {
  CacheDescription description;
  description.identifier.bytes.fill(7);
  description.mode = CacheMode::disk;
  OpenedCache cache = caches.open(description);
  must(cache.status == CacheStatus::ok, "a cache does not open");
  return cache;
}

CacheStatus find(ShaderCacheSession& session, const std::string& key, std::string& value) {
  value.assign(1000, ' ');
  auto size = static_cast<std::uint32_t>(value.size());
  const CacheStatus status =
      session.find_value(key.data(), static_cast<std::uint32_t>(key.size()), value.data(), &size);
  value.resize(status == CacheStatus::ok ? size : 0);
  return status;
}

CacheStatus store(ShaderCacheSession& session, const std::string& key, const std::string& value) {
  return session.store_value(key.data(), static_cast<std::uint32_t>(key.size()), value.data(),
                             static_cast<std::uint32_t>(value.size()));
}

void write(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A cache of what is `stored`, as files.
struct Sample {
  Sample() {
    const TemporaryDirectory place;
    {
      ShaderCaches caches({place / "cache"});
      const OpenedCache cache = opened(caches);
      for (const auto& [key, value] : stored()) store(*cache.session, key, value);
      name = cache.session->description().identifier.text();
    }
    values = contents_of(place / "cache" / (name + ".val"));
    index = contents_of(place / "cache" / (name + ".idx"));
  }
  std::string name;
  std::string values;
  std::string index;
};

const Sample& sample() {
  static const Sample one;
  return one;
}

void play(std::string_view values, std::string_view index) {
  static const TemporaryDirectory place;
  const std::filesystem::path directory = place / "cache";
  std::filesystem::create_directory(directory);
  write(directory / (sample().name + ".val"), values);
  write(directory / (sample().name + ".idx"), index);
  for (const bool again : {false, true}) {
    ShaderCaches caches({directory});
    const OpenedCache cache = opened(caches);
    std::string value;
    for (const auto& [key, was_stored] : stored()) {
      const CacheStatus status = find(*cache.session, key, value);
      must(status == CacheStatus::not_found || status == CacheStatus::ok, "neither found nor not");
      must(status == CacheStatus::not_found || value == was_stored, "another value");
    }
    must(store(*cache.session, "new", "one") == (again ? CacheStatus::already_exists : CacheStatus::ok), "not stored");
    must(find(*cache.session, "new", value) == CacheStatus::ok && value == "one", "not found");
  }
  std::filesystem::remove_all(directory);
}

}  // namespace

std::vector<FuzzTarget> cache_targets() {
  return {{"cache_values", [](std::string_view bytes) { play(bytes, sample().index); },
           [] {
             return std::vector<std::string>{sample().values, {}};
           }},
          {"cache_index", [](std::string_view bytes) { play(sample().values, bytes); },
           [] {
             return std::vector<std::string>{sample().index.substr(0, 512), {}};
           }}};
}

}  // namespace fenceline::testing
