// SPDX-License-Identifier: Apache-2.0
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

constexpr std::uint32_t own_bytes = 128;  // at most, of the file of values: for a header, and for each entry

CacheDescription memory_limited(std::uint32_t bytes, std::uint32_t entries) {
  CacheDescription description = default_cache(CacheMode::memory);
  description.memory_bytes = bytes;
  description.memory_entries = entries;
  return description;
}

CacheDescription file_limited(std::uint32_t bytes, std::uint32_t number = 1) {
  CacheDescription description = default_cache(CacheMode::disk, number);
  description.file_bytes = bytes;
  return description;
}

/// 4 GiB of zeros that take no memory.
class ManyZeros {
 public:
  ManyZeros() : address_(::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (address_ == MAP_FAILED) throw std::runtime_error("no 4 GiB of addresses");
  }
  ~ManyZeros() { ::munmap(address_, bytes); }
  ManyZeros(const ManyZeros&) = delete;
  ManyZeros& operator=(const ManyZeros&) = delete;
  const void* address() const { return address_; }

 private:
  static constexpr std::size_t bytes = std::size_t{1} << 32;
  void* address_;
};

}  // namespace

TEST_CASE("shader cache: keys and values in memory fill it to the last byte and not one beyond", "[shadercache]") {
  for (const std::uint32_t limit : {2U, 3U, 100U, 1023U, 1024U, 1025U, 65536U, 1048577U}) {
    for (const std::uint32_t key_bytes : {1U, limit / 2, limit - 1}) {
      INFO("limit " << limit << ", key of " << key_bytes);
      CacheBench bench;
      const auto session = bench.open(memory_limited(limit, 10));
      const std::string key = pattern(key_bytes, 1);
      CHECK(store_in(*session, key, pattern(limit - key_bytes + 1, 2)) == Status::full);
      CHECK(find_in(*session, key) == Status::not_found);
      CHECK(session->statistics().entries == 0);
      CHECK(store_in(*session, key, pattern(limit - key_bytes, 2)) == Status::ok);
      CHECK((find_in(*session, key) == pattern(limit - key_bytes, 2)));
      CHECK(store_in(*session, key + 'x', "v") == Status::full);
      CHECK((find_in(*session, key) == pattern(limit - key_bytes, 2)));
    }
  }
}

TEST_CASE("shader cache: the defaults in memory are 1024 bytes and 128 entries", "[shadercache]") {
  CacheBench bench;
  auto session = bench.open(default_cache(CacheMode::memory));
  CHECK(store_in(*session, "k", pattern(1024, 1)) == Status::full);
  CHECK(store_in(*session, "k", pattern(1023, 1)) == Status::ok);
  CHECK(store_in(*session, "l", "v") == Status::full);
  session.reset();
  session = bench.open(default_cache(CacheMode::memory));
  for (int i = 0; i < 128; ++i) CHECK(store_in(*session, std::string(1, static_cast<char>(i)), "v") == Status::ok);
  CHECK(store_in(*session, "\x80", "v") == Status::full);  // 256 bytes are in it
  for (int i = 0; i < 128; ++i) CHECK(find_in(*session, std::string(1, static_cast<char>(i))) == "v");
}

TEST_CASE("shader cache: in memory there are as many entries as were asked for, and not one more", "[shadercache]") {
  for (const std::uint32_t entries : {1U, 2U, 3U, 127U, 129U, 1000U}) {
    CacheBench bench;
    const auto session = bench.open(memory_limited(1U << 20, entries));
    for (std::uint32_t i = 0; i < entries; ++i) CHECK(store_in(*session, std::to_string(i), "value") == Status::ok);
    for (int again = 0; again < 3; ++again) CHECK(store_in(*session, "one more", "v") == Status::full);
    CHECK(find_in(*session, "one more") == Status::not_found);
    for (std::uint32_t i = 0; i < entries; ++i) CHECK(find_in(*session, std::to_string(i)) == "value");
    CHECK(session->statistics().entries == entries);
    CHECK(session->statistics().value_bytes == 5 * entries);
  }
}

TEST_CASE("shader cache: after it was too full for a large entry a small one still fits", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(memory_limited(100, 10));
  CHECK(store_in(*session, "a", pattern(89, 1)) == Status::ok);  // 90
  CHECK(store_in(*session, "b", pattern(10, 2)) == Status::full);
  CHECK(store_in(*session, "b", pattern(9, 2)) == Status::ok);  // 100
  CHECK(store_in(*session, "c", "v") == Status::full);
  CHECK((find_in(*session, "a") == pattern(89, 1)));
  CHECK((find_in(*session, "b") == pattern(9, 2)));
  bench.caches->clear();
  CHECK(store_in(*session, "c", pattern(99, 3)) == Status::ok);  // cleared, all of it is free
  CHECK(store_in(*session, "a", "v") == Status::full);
}

TEST_CASE("shader cache: in memory refused entries take no room", "[shadercache]") {
  CacheBench bench([](const void* key, std::size_t) -> std::uint64_t { return *static_cast<const char*>(key) == 'a'; });
  const auto session = bench.open(memory_limited(20, 2));
  CHECK(store_in(*session, "a", "value") == Status::ok);  // 6
  for (int i = 0; i < 100; ++i) {
    CHECK(store_in(*session, "a", "another") == Status::already_exists);
    CHECK(store_in(*session, "aa", "another") == Status::hash_collision);
    CHECK(store_in(*session, "b", pattern(14, 1)) == Status::full);  // 21
  }
  CHECK(store_in(*session, "b", pattern(13, 1)) == Status::ok);  // 20
}

TEST_CASE("shader cache: no sum of sizes is too large to be counted", "[shadercache]") {
  const ManyZeros zeros;
  for (const std::uint32_t limit : {0U, 1U << 30, 4294967295U}) {
    CacheBench bench;
    const auto session = bench.open(memory_limited(limit, 0));
    CHECK(store_in(*session, "first", "value") == Status::ok);
    // With the key these are 2^32 and more, of which 32 bits keep next to nothing.
    for (const std::uint32_t bytes : {4294967295U, 4294967294U, 4294967292U}) {
      CHECK(session->store_value("keys", 4, zeros.address(), bytes) == Status::full);
    }
    CHECK(find_in(*session, "keys") == Status::not_found);
    CHECK(find_in(*session, "first") == "value");
  }
  CacheBench bench;
  for (const std::uint32_t limit : {0U, 1U << 30}) {
    const auto session = bench.open(file_limited(limit, 1 + limit));
    for (const std::uint32_t bytes : {4294967295U, 4294967294U, 4294967292U, 2147483648U, 1073741824U}) {
      CHECK(session->store_value("keys", 4, zeros.address(), bytes) == Status::full);
    }
    CHECK(find_in(*session, "keys") == Status::not_found);
    CHECK(store_in(*session, "keys", "value") == Status::ok);
    CHECK(find_in(*session, "keys") == "value");
  }
}

TEST_CASE("shader cache: a file of 128 MiB is the default", "[shadercache]") {
  const ManyZeros zeros;
  CacheBench bench;
  const auto session = bench.open(default_cache(CacheMode::disk));
  CHECK(session->store_value("key", 3, zeros.address(), 134217728) == Status::full);
  CHECK(session->store_value("key", 3, zeros.address(), 134217728 - 2) == Status::full);
  const std::uint32_t fits = 134217728 - 3 - 2 * own_bytes - 8;
  CHECK(session->store_value("key", 3, zeros.address(), fits) == Status::ok);
  std::uint32_t bytes = 0;
  CHECK(session->find_value("key", 3, nullptr, &bytes) == Status::ok);
  CHECK(bytes == fits);
  CHECK(store_in(*session, "next", pattern(2 * own_bytes + 9, 1)) == Status::full);
}

TEST_CASE("shader cache: an entry that a file has room for with its own bytes is stored, a larger one is not",
          "[shadercache]") {
  for (const std::uint32_t limit : {300U, 1000U, 4096U, 65536U, 1048576U, 10000000U}) {
    INFO("limit " << limit);
    CacheBench bench;
    const auto session = bench.open(file_limited(limit));
    const std::uint32_t fits = limit - 3 - 2 * own_bytes - 8;
    CHECK(store_in(*session, "key", pattern(limit - 3 + 1, 1)) == Status::full);
    CHECK(find_in(*session, "key") == Status::not_found);
    CHECK(store_in(*session, "key", pattern(fits, 2)) == Status::ok);
    CHECK((find_in(*session, "key") == pattern(fits, 2)));
    CHECK(store_in(*session, "yek", pattern(2 * own_bytes + 9, 3)) == Status::full);
    CHECK((find_in(*session, "key") == pattern(fits, 2)));
    CHECK(std::filesystem::file_size(bench.file(file_limited(limit), ".val")) <= limit);
  }
}

TEST_CASE("shader cache: keys take room in the file too", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(file_limited(10000));
  CHECK(store_in(*session, pattern(10000, 1), "v") == Status::full);
  CHECK(store_in(*session, pattern(9000, 1), "v") == Status::ok);
  CHECK(store_in(*session, pattern(1000, 2), "v") == Status::full);
  CHECK(find_in(*session, pattern(9000, 1)) == "v");
}

TEST_CASE("shader cache: a file is filled with many entries and never gets larger than its limit", "[shadercache]") {
  for (const std::uint32_t value_bytes : {1U, 50U, 1000U}) {
    constexpr std::uint32_t limit = 50000;
    INFO("values of " << value_bytes);
    CacheBench bench;
    auto session = bench.open(file_limited(limit));
    const auto key_of = [](std::uint32_t i) { return "key " + std::to_string(1000000 + i); };  // 11 bytes
    std::uint32_t stored = 0;
    Status last = Status::ok;
    for (; stored < limit; ++stored) {
      last = store_in(*session, key_of(stored), pattern(value_bytes, stored));
      if (last != Status::ok) break;
    }
    CHECK(last == Status::full);
    CHECK(stored >= (limit - own_bytes) / (value_bytes + 11 + own_bytes + 7));
    CHECK(stored <= limit / (value_bytes + 11));
    CHECK(std::filesystem::file_size(bench.file(file_limited(limit), ".val")) <= limit);
    for (int round = 0; round < 2; ++round) {
      CHECK(store_in(*session, key_of(0), "x") == Status::already_exists);
      CHECK(store_in(*session, "late 567890", pattern(value_bytes, 1)) == Status::full);
      CHECK(find_in(*session, "late 567890") == Status::not_found);
      for (std::uint32_t i = 0; i < stored; ++i) {
        if (!(find_in(*session, key_of(i)) == pattern(value_bytes, i))) FAIL("entry " << i << ", round " << round);
      }
      CHECK(session->statistics().entries == stored);
      session.reset();
      bench.restart();
      session = bench.open(file_limited(limit));
    }
    bench.caches->clear();  // all of it is free again
    for (std::uint32_t i = 0; i < stored; ++i)
      CHECK(store_in(*session, key_of(i), pattern(value_bytes, i)) == Status::ok);
    CHECK(store_in(*session, "late 567890", pattern(value_bytes, 1)) == Status::full);
  }
}

TEST_CASE("shader cache: a limit of just the file's size is enough, and one byte less is not", "[shadercache]") {
  for (const std::uint32_t value_bytes : {1U, 8U, 13U, 1000U}) {
    for (const int entries : {1, 2, 5}) {
      INFO(entries << " values of " << value_bytes);
      const auto fill = [&](ShaderCacheSession& session) {
        std::vector<Status> statuses;
        for (int i = 0; i < entries; ++i) {
          statuses.push_back(store_in(session, "key " + std::to_string(i), pattern(value_bytes, 1)));
        }
        return statuses;
      };
      CacheBench bench;
      const CacheDescription first = default_cache(CacheMode::disk, 1);
      const std::vector<Status> all_ok(static_cast<std::size_t>(entries), Status::ok);
      CHECK(fill(*bench.open(first)) == all_ok);
      const auto size = static_cast<std::uint32_t>(std::filesystem::file_size(bench.file(first, ".val")));
      CHECK(fill(*bench.open(file_limited(size, 2))) == all_ok);
      CHECK(std::filesystem::file_size(bench.file(file_limited(size, 2), ".val")) == size);
      std::vector<Status> last_full = all_ok;
      last_full.back() = Status::full;
      CHECK(fill(*bench.open(file_limited(size - 1, 3))) == last_full);
      CHECK(fill(*bench.open(file_limited(size + 1, 4))) == all_ok);
    }
  }
}

TEST_CASE("shader cache: refused entries take no room in the file", "[shadercache]") {
  CacheBench bench([](const void* key, std::size_t) -> std::uint64_t { return *static_cast<const char*>(key) == 'a'; });
  auto session = bench.open(file_limited(2000));
  CHECK(store_in(*session, "a", "value") == Status::ok);
  for (int i = 0; i < 100; ++i) {
    CHECK(store_in(*session, "a", pattern(500, 1)) == Status::already_exists);
    CHECK(store_in(*session, "aa", pattern(500, 1)) == Status::hash_collision);
    CHECK(store_in(*session, "b", pattern(2000, 1)) == Status::full);
    CHECK(session->store_value("b", 1, nullptr, 500) == Status::invalid_argument);
  }
  CHECK(store_in(*session, "b", pattern(1500, 1)) == Status::ok);
  CHECK((find_in(*session, "b") == pattern(1500, 1)));
}

TEST_CASE("shader cache: a file that is larger than the limit now asked for is opened, and is full", "[shadercache]") {
  CacheBench bench;
  CHECK(store_in(*bench.open(file_limited(100000)), "key", pattern(50000, 1)) == Status::ok);
  {
    const auto session = bench.open(file_limited(1000));
    CHECK(session->description().file_bytes == 1000);
    CHECK((find_in(*session, "key") == pattern(50000, 1)));
    CHECK(store_in(*session, "another", "v") == Status::full);
    CHECK(find_in(*session, "another") == Status::not_found);
  }
  const auto session = bench.open(file_limited(100000));
  CHECK((find_in(*session, "key") == pattern(50000, 1)));
  CHECK(store_in(*session, "another", pattern(40000, 1)) == Status::ok);
}

TEST_CASE("shader cache: memory_bytes and memory_entries do not limit a file, nor file_bytes the memory",
          "[shadercache]") {
  CacheBench bench;
  CacheDescription disk = default_cache(CacheMode::disk);
  disk.memory_bytes = 10;
  disk.memory_entries = 1;
  const auto on_disk = bench.open(disk);
  CacheDescription memory = memory_limited(100000, 1000);
  memory.file_bytes = 1;
  const auto in_memory = bench.open(memory);
  for (const auto* session : {&on_disk, &in_memory}) {
    for (std::uint32_t i = 0; i < 20; ++i)
      CHECK(store_in(**session, std::to_string(i), pattern(1000, i)) == Status::ok);
    for (std::uint32_t i = 0; i < 20; ++i) CHECK((find_in(**session, std::to_string(i)) == pattern(1000, i)));
  }
}
