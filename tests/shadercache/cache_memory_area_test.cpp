// SPDX-License-Identifier: Apache-2.0
// What a disk cache keeps in memory, by what it found there and what in the file.
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <utility>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

CacheDescription with_area(std::uint32_t bytes, std::uint32_t entries) {
  CacheDescription description = default_cache(CacheMode::disk);
  description.memory_bytes = bytes;
  description.memory_entries = entries;
  return description;
}

/// Where a value was found: "memory", "disk", or what went wrong.
std::string place_of(ShaderCacheSession& session, const std::string& key, const std::string& value) {
  const CacheStatistics before = session.statistics();
  if (!(find_once(session, key) == value)) return "wrong";
  const CacheStatistics after = session.statistics();
  const auto memory = after.memory_hits - before.memory_hits;
  const auto disk = after.disk_hits - before.disk_hits;
  if (memory + disk != 1 || after.misses != before.misses || after.damaged != 0) return "miscounted";
  return memory == 1 ? "memory" : "disk";
}

}  // namespace

TEST_CASE("shader cache: what was stored or found last is in memory, until newer entries are", "[shadercache]") {
  CacheBench bench;
  auto session = bench.open(with_area(1000, 2));
  for (const char* key : {"a", "b", "c"}) CHECK(store_in(*session, key, key) == Status::ok);
  CHECK(place_of(*session, "c", "c") == "memory");
  CHECK(place_of(*session, "b", "b") == "memory");
  CHECK(place_of(*session, "a", "a") == "disk");    // c was found before b
  CHECK(place_of(*session, "a", "a") == "memory");  // kept
  CHECK(place_of(*session, "b", "b") == "memory");
  CHECK(place_of(*session, "c", "c") == "disk");  // instead of a
  CHECK(place_of(*session, "b", "b") == "memory");
  CHECK(place_of(*session, "a", "a") == "disk");  // instead of c
  CHECK(place_of(*session, "c", "c") == "disk");  // instead of b
  session.reset();
  session = bench.open(with_area(1000, 2));
  CHECK(place_of(*session, "c", "c") == "disk");  // nothing is in memory at first
  CHECK(place_of(*session, "c", "c") == "memory");
}

TEST_CASE("shader cache: with one entry in memory every other key is read from the file", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(with_area(1000, 1));
  CHECK(store_in(*session, "a", "1") == Status::ok);
  CHECK(place_of(*session, "a", "1") == "memory");
  CHECK(store_in(*session, "b", "2") == Status::ok);
  for (int i = 0; i < 5; ++i) {
    CHECK(place_of(*session, "a", "1") == "disk");
    CHECK(place_of(*session, "a", "1") == "memory");
    CHECK(place_of(*session, "b", "2") == "disk");
    CHECK(place_of(*session, "b", "2") == "memory");
  }
}

TEST_CASE("shader cache: an entry of just the area in memory is kept in it, one of a byte more is not",
          "[shadercache]") {
  for (const std::uint32_t area : {2U, 100U, 1024U, 5000U}) {
    INFO("area of " << area);
    CacheBench bench;
    const auto session = bench.open(with_area(area, 10));
    CHECK(store_in(*session, "k", pattern(area - 1, 1)) == Status::ok);
    CHECK(place_of(*session, "k", pattern(area - 1, 1)) == "memory");
    CHECK(store_in(*session, "l", pattern(area, 2)) == Status::ok);
    for (int i = 0; i < 3; ++i) CHECK(place_of(*session, "l", pattern(area, 2)) == "disk");
    CHECK(place_of(*session, "k", pattern(area - 1, 1)) == "memory");  // not pushed out for nothing
    CHECK(session->statistics().entries == 2);
  }
}

TEST_CASE("shader cache: the area in memory is 1024 bytes and 128 entries unless said otherwise", "[shadercache]") {
  CacheBench bench;
  {
    const auto session = bench.open(default_cache(CacheMode::disk, 1));
    CHECK(store_in(*session, "k", pattern(1023, 1)) == Status::ok);
    CHECK(place_of(*session, "k", pattern(1023, 1)) == "memory");
    CHECK(store_in(*session, "l", "v") == Status::ok);
    CHECK(place_of(*session, "l", "v") == "memory");
    CHECK(place_of(*session, "k", pattern(1023, 1)) == "disk");
    CHECK(place_of(*session, "l", "v") == "disk");
  }
  const auto session = bench.open(default_cache(CacheMode::disk, 2));
  const auto key_of = [](int i) { return std::string(1, static_cast<char>(i)); };
  for (int i = 0; i < 129; ++i) CHECK(store_in(*session, key_of(i), "v") == Status::ok);
  for (int i = 128; i >= 1; --i) CHECK(place_of(*session, key_of(i), "v") == "memory");
  CHECK(place_of(*session, key_of(0), "v") == "disk");
  CHECK(place_of(*session, key_of(128), "v") == "disk");  // found before all others
}

TEST_CASE("shader cache: a large entry pushes out as many as it needs, the oldest first", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(with_area(100, 100));
  for (int i = 0; i < 10; ++i) CHECK(store_in(*session, std::to_string(i), pattern(9, 1)) == Status::ok);  // 100
  CHECK(place_of(*session, "0", pattern(9, 1)) == "memory");
  CHECK(store_in(*session, "x", pattern(24, 1)) == Status::ok);  // 25 bytes: three go, 1, 2 and 3
  CHECK(place_of(*session, "x", pattern(24, 1)) == "memory");
  for (const char* key : {"0", "9", "8", "7", "6", "5", "4"}) CHECK(place_of(*session, key, pattern(9, 1)) == "memory");
  CHECK(place_of(*session, "1", pattern(9, 1)) == "disk");
}

TEST_CASE("shader cache: asking for the size and then for the value reads the file once", "[shadercache]") {
  CacheBench bench;
  CHECK(store_in(*bench.open(default_cache(CacheMode::disk)), "key", "value") == Status::ok);
  const auto session = bench.open(default_cache(CacheMode::disk));
  CHECK(find_in(*session, "key") == "value");
  CHECK(session->statistics().disk_hits == 1);
  CHECK(find_in(*session, "key") == "value");
  CHECK(session->statistics().disk_hits == 1);
  CHECK(session->statistics().memory_hits >= 1);
}

TEST_CASE("shader cache: what is refused or absent takes no place in memory", "[shadercache]") {
  CacheBench bench([](const void* key, std::size_t) -> std::uint64_t { return *static_cast<const char*>(key); });
  const auto session = bench.open(with_area(1000, 2));
  CHECK(store_in(*session, "a", "1") == Status::ok);
  CHECK(store_in(*session, "b", "2") == Status::ok);
  for (int i = 0; i < 10; ++i) {
    CHECK(store_in(*session, "b", "other") == Status::already_exists);
    CHECK(store_in(*session, "bb", "other") == Status::hash_collision);
    CHECK(find_once(*session, "bb") == Status::hash_collision);
    CHECK(find_once(*session, "c") == Status::not_found);
  }
  CHECK(place_of(*session, "a", "1") == "memory");
  CHECK(place_of(*session, "b", "2") == "memory");
}

TEST_CASE("shader cache: a memory cache finds everything in memory", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(roomy_cache(CacheMode::memory));
  for (int i = 0; i < 300; ++i) CHECK(store_in(*session, std::to_string(i), "v") == Status::ok);
  for (int i = 0; i < 300; ++i) CHECK(place_of(*session, std::to_string(i), "v") == "memory");
}

TEST_CASE("shader cache: cleared, nothing is left in memory", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(default_cache(CacheMode::disk));
  CHECK(store_in(*session, "key", "old") == Status::ok);
  CHECK(place_of(*session, "key", "old") == "memory");
  bench.caches->clear();
  CHECK(find_once(*session, "key") == Status::not_found);
  CHECK(store_in(*session, "key", "new") == Status::ok);
  CHECK(place_of(*session, "key", "new") == "memory");
}

TEST_CASE("shader cache: the area in memory is what a plain list of the latest would be", "[shadercache]") {
  const auto seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto area = static_cast<std::uint32_t>(20 + random() % 2000);
  const auto limit = static_cast<std::uint32_t>(1 + random() % 20);
  CAPTURE(area, limit);
  CacheBench bench;
  const auto session = bench.open(with_area(area, limit));
  const auto value_of = [seed](std::uint32_t i) { return pattern(1 + i * 37 % 400, i + 100 * seed); };
  std::list<std::pair<std::string, std::size_t>> kept;  // the latest first; with the bytes of each
  const auto use = [&](const std::string& key, std::size_t bytes) {
    kept.remove_if([&](const auto& entry) { return entry.first == key; });
    if (bytes > area) return;
    kept.emplace_front(key, bytes);
    std::size_t sum = 0;
    for (const auto& entry : kept) sum += entry.second;
    while (sum > area || kept.size() > limit) {
      sum -= kept.back().second;
      kept.pop_back();
    }
  };
  std::uint32_t stored = 0;
  for (int step = 0; step < 1500; ++step) {
    if (stored == 0 || random() % 10 == 0) {
      const std::string key = "key " + std::to_string(stored);
      REQUIRE(store_in(*session, key, value_of(stored)) == Status::ok);
      use(key, key.size() + value_of(stored).size());
      ++stored;
      continue;
    }
    const auto i = static_cast<std::uint32_t>(stored - 1 - random() % std::min(stored, 1 + 2 * limit));
    const std::string key = "key " + std::to_string(i);
    bool in_memory = false;
    for (const auto& entry : kept) in_memory = in_memory || entry.first == key;
    CAPTURE(step, key);
    REQUIRE(place_of(*session, key, value_of(i)) == (in_memory ? "memory" : "disk"));
    use(key, key.size() + value_of(i).size());
  }
}
