// SPDX-License-Identifier: Apache-2.0
// Keys of one hash, by hashes that make them.
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

template <std::uint64_t Hash>
std::uint64_t constant_hash(const void*, std::size_t) {
  return Hash;
}
std::uint64_t first_byte(const void* key, std::size_t) { return *static_cast<const unsigned char*>(key); }
std::uint64_t number_of_bytes(const void*, std::size_t bytes) { return bytes; }
/// The key's first eight bytes: a test says what the hash is.
std::uint64_t first_number(const void* key, std::size_t bytes) {
  std::uint64_t hash = 0;
  std::memcpy(&hash, key, std::min<std::size_t>(bytes, 8));
  return hash;
}
std::string key_of_hash(std::uint64_t hash, const std::string& more = "") {
  std::string key(8, '\0');
  std::memcpy(key.data(), &hash, 8);
  return key + more;
}

/// Neither found nor stored, and nobody's buffer is touched.
void check_collides(ShaderCacheSession& session, const std::string& key) {
  CHECK(store_in(session, key, "another value") == Status::hash_collision);
  for (const std::uint32_t room : {0U, 1U, 5U, 100U}) {
    std::string buffer(100, 'x');
    std::uint32_t bytes = room;
    CHECK(session.find_value(key.data(), size_of(key), buffer.data(), &bytes) == Status::hash_collision);
    CHECK(buffer == std::string(100, 'x'));
  }
  std::uint32_t bytes = 0;
  CHECK(session.find_value(key.data(), size_of(key), nullptr, &bytes) == Status::hash_collision);
}

}  // namespace

TEST_CASE("shader cache: a key whose hash another has is neither stored nor found, whatever the hash is",
          "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  const CacheHash hash = GENERATE(&constant_hash<0>, &constant_hash<1>, &constant_hash<0x7fffffffffffffffU>,
                                  &constant_hash<0x8000000000000000U>, &constant_hash<0xffffffffffffffffU>,
                                  &constant_hash<0xffffffffU>, &constant_hash<0x100000000U>);
  CacheBench bench(hash);
  const auto session = bench.open(default_cache(mode));
  CHECK(find_in(*session, "other") == Status::not_found);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  for (const std::string& other : {std::string("k"), std::string("ke"), std::string("kez"), std::string("keyy"),
                                   std::string("Key"), std::string("key\0", 4), std::string(1, '\0')}) {
    check_collides(*session, other);
  }
  CHECK(find_in(*session, "key") == "value");
  CHECK(store_in(*session, "key", "other") == Status::already_exists);
  CHECK(session->statistics().entries == 1);
  CHECK(session->statistics().value_bytes == 5);
}

TEST_CASE("shader cache: keys of other hashes are not concerned", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench(first_byte);
  const auto session = bench.open(roomy_cache(mode));
  for (int i = 0; i < 256; ++i) {
    const std::string key = static_cast<char>(i) + std::string("first");
    CHECK(store_in(*session, key, std::to_string(i)) == Status::ok);
  }
  for (int i = 0; i < 256; ++i) {
    CHECK(find_in(*session, static_cast<char>(i) + std::string("first")) == std::to_string(i));
    CHECK(find_in(*session, static_cast<char>(i) + std::string("other")) == Status::hash_collision);
    CHECK(store_in(*session, static_cast<char>(i) + std::string("other"), "x") == Status::hash_collision);
  }
}

TEST_CASE("shader cache: hashes that have most bits in common are other hashes", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench(first_number);
  auto session = bench.open(roomy_cache(mode));
  std::vector<std::uint64_t> hashes{0, ~std::uint64_t{0}, 2, 3, 5, 7, 0xfffffffffffffffeU};
  for (int bit = 0; bit < 64; ++bit) hashes.push_back(std::uint64_t{1} << bit);
  for (std::uint64_t i = 0; i < 300; ++i) hashes.push_back(i << 32 | 0x80000000U);    // of one low half
  for (std::uint64_t i = 0; i < 300; ++i) hashes.push_back(i << 8 | i << 50 | 0xa5);  // of one low byte
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  for (const std::uint64_t hash : hashes) {
    CHECK(find_in(*session, key_of_hash(hash, "x")) == Status::not_found);
    CHECK(store_in(*session, key_of_hash(hash), std::to_string(hash)) == Status::ok);
  }
  for (int round = 0; round < 2; ++round) {
    for (const std::uint64_t hash : hashes) {
      CHECK(find_in(*session, key_of_hash(hash)) == std::to_string(hash));
      CHECK(find_in(*session, key_of_hash(hash, "x")) == Status::hash_collision);
    }
    if (mode == CacheMode::memory) break;
    session.reset();
    session = bench.open(roomy_cache(mode));
  }
}

TEST_CASE("shader cache: a collision lasts as long as the entry, also in the file", "[shadercache]") {
  CacheBench bench(number_of_bytes);
  auto session = bench.open(default_cache(CacheMode::disk));
  CHECK(store_in(*session, "abc", "value") == Status::ok);
  for (int round = 0; round < 3; ++round) {
    session.reset();
    bench.restart();
    session = bench.open(default_cache(CacheMode::disk));
    if (round == 1) CHECK(find_in(*session, "abc") == "value");  // in memory or not
    check_collides(*session, "xyz");
    CHECK(find_in(*session, "abc") == "value");
    CHECK(find_in(*session, "abcd") == Status::not_found);
  }
}

TEST_CASE("shader cache: a collision ends when the cache is cleared", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  const int how = GENERATE(0, 1, 2);  // clear, delete on destroy, another version
  CacheBench bench(constant_hash<3>);
  CacheDescription description = default_cache(mode);
  auto session = bench.open(description);
  CHECK(store_in(*session, "first", "1") == Status::ok);
  check_collides(*session, "second");
  if (how == 0) {
    bench.caches->clear();
  } else {
    if (how == 1) session->set_delete_on_destroy();
    if (how == 2) description.version = 9;
    session.reset();
    session = bench.open(description);
  }
  CHECK(find_in(*session, "second") == Status::not_found);
  CHECK(store_in(*session, "second", "2") == Status::ok);
  CHECK(find_in(*session, "second") == "2");
  check_collides(*session, "first");
}

TEST_CASE("shader cache: keys of one hash in two caches do not collide", "[shadercache]") {
  CacheBench bench(constant_hash<42>);
  const auto memory = bench.open(default_cache(CacheMode::memory, 1));
  const auto disk = bench.open(default_cache(CacheMode::disk, 1));
  const auto other = bench.open(default_cache(CacheMode::disk, 2));
  CHECK(store_in(*memory, "a", "in memory") == Status::ok);
  CHECK(store_in(*disk, "b", "on disk") == Status::ok);
  CHECK(store_in(*other, "c", "on disk too") == Status::ok);
  CHECK(find_in(*memory, "a") == "in memory");
  CHECK(find_in(*disk, "b") == "on disk");
  CHECK(find_in(*other, "c") == "on disk too");
  check_collides(*memory, "b");
  check_collides(*disk, "c");
  check_collides(*other, "a");
}

TEST_CASE("shader cache: another session and another process see the collision", "[shadercache]") {
  CacheBench bench(constant_hash<0>);
  const auto process = bench.another_process();
  const auto one = bench.open(default_cache(CacheMode::disk));
  const auto two = bench.open(default_cache(CacheMode::disk));
  const auto elsewhere = CacheBench::open_in(*process, default_cache(CacheMode::disk));
  CHECK(find_in(*elsewhere, "key") == Status::not_found);
  CHECK(store_in(*one, "key", "value") == Status::ok);
  check_collides(*two, "other");
  check_collides(*elsewhere, "other");
  CHECK(find_in(*elsewhere, "key") == "value");
  CHECK(store_in(*elsewhere, "key", "other") == Status::already_exists);
}

TEST_CASE("shader cache: an entry with the key or its hash is told of before a full cache", "[shadercache]") {
  CacheBench bench(first_byte);
  CacheDescription description = default_cache(CacheMode::memory);
  description.memory_entries = 2;
  description.memory_bytes = 20;
  const auto session = bench.open(description);
  CHECK(store_in(*session, "a1", "value") == Status::ok);
  CHECK(store_in(*session, "b1", "value") == Status::ok);
  CHECK(store_in(*session, "c1", "v") == Status::full);
  CHECK(store_in(*session, "a1", pattern(100, 1)) == Status::already_exists);
  CHECK(store_in(*session, "a2", pattern(100, 1)) == Status::hash_collision);
  CHECK(find_in(*session, "a2") == Status::hash_collision);
  CHECK(find_in(*session, "c1") == Status::not_found);
}

TEST_CASE("shader cache: a hash that says nothing of the key still finds the right one", "[shadercache]") {
  // Of a thousand keys each hash keeps the first, and finds no other one's value.
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench(number_of_bytes);
  auto session = bench.open(roomy_cache(mode));
  const auto key_of = [](std::uint32_t i) { return pattern(1 + i % 40, i); };
  std::vector<bool> kept;
  std::size_t stored = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Status status = store_in(*session, key_of(i), "of " + std::to_string(i));
    kept.push_back(status == Status::ok);
    stored += status == Status::ok ? 1 : 0;
    CHECK(status == (i < 40                        ? Status::ok
                     : key_of(i) == key_of(i % 40) ? Status::already_exists
                                                   : Status::hash_collision));
  }
  CHECK(stored == 40);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Found found = find_in(*session, key_of(i));
    if (kept[i]) CHECK(found == "of " + std::to_string(i));
    if (!kept[i] && found.status == Status::ok) CHECK(found == "of " + std::to_string(i % 40));  // the same bytes
  }
}
