// SPDX-License-Identifier: Apache-2.0
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

TEST_CASE("shader cache: what is stored is found at once, by all its sessions", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const auto one = bench.open(default_cache(mode));
  const auto two = bench.open(default_cache(mode));
  CHECK(store_in(*one, "from one", "1") == Status::ok);
  CHECK(store_in(*two, "from two", "2") == Status::ok);
  const auto three = bench.open(default_cache(mode));
  for (const auto* session : {&one, &two, &three}) {
    CHECK(find_in(**session, "from one") == "1");
    CHECK(find_in(**session, "from two") == "2");
  }
}

TEST_CASE("shader cache: a key that has a value keeps it", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  auto one = bench.open(roomy_cache(mode));
  auto two = bench.open(roomy_cache(mode));
  CHECK(store_in(*one, "key", "value") == Status::ok);
  for (const std::string& other : {std::string("value"), std::string("valuf"), std::string("v"), std::string("x"),
                                   std::string("value of more bytes"), pattern(100000, 1), std::string(5, '\0')}) {
    CHECK(store_in(*one, "key", other) == Status::already_exists);
    CHECK(store_in(*two, "key", other) == Status::already_exists);
    CHECK(find_in(*one, "key") == "value");
    CHECK(find_in(*two, "key") == "value");
  }
  CHECK(one->statistics().entries == 1);
  CHECK(one->statistics().value_bytes == 5);
  one.reset();
  CHECK(store_in(*two, "key", "other") == Status::already_exists);
  if (mode == CacheMode::memory) return;
  two.reset();
  bench.restart();
  two = bench.open(roomy_cache(mode));
  CHECK(store_in(*two, "key", "other") == Status::already_exists);
  CHECK(find_in(*two, "key") == "value");
}

TEST_CASE("shader cache: storing without a key or a value, or without bytes of them, is invalid", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  const bool enabled = GENERATE(true, false);  // the arguments come first
  CacheBench bench;
  auto session = bench.open(default_cache(mode));
  bench.caches->set_enabled(enabled);
  const char* const nothing = nullptr;
  for (const char* key : {nothing, "key"}) {
    for (const std::uint32_t key_bytes : {0U, 3U}) {
      for (const char* value : {nothing, "value"}) {
        for (const std::uint32_t value_bytes : {0U, 5U}) {
          if (key != nullptr && key_bytes != 0 && value != nullptr && value_bytes != 0) continue;
          CHECK(session->store_value(key, key_bytes, value, value_bytes) == Status::invalid_argument);
        }
      }
    }
  }
  bench.caches->set_enabled(true);
  CHECK(session->statistics().entries == 0);
  CHECK(find_in(*session, "key") == Status::not_found);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  CHECK(session->store_value("key", 3, nullptr, 5) == Status::invalid_argument);  // before already_exists
  CHECK(session->store_value("key", 3, "value", 0) == Status::invalid_argument);
  CHECK(find_in(*session, "key") == "value");
}

TEST_CASE("shader cache: an invalid argument comes before a full cache", "[shadercache]") {
  CacheDescription description = default_cache(GENERATE(CacheMode::memory, CacheMode::disk));
  description.memory_bytes = 1;
  description.file_bytes = 1;
  CacheBench bench;
  const auto session = bench.open(description);
  CHECK(store_in(*session, "k", "v") == Status::full);
  CHECK(session->store_value("k", 1, "v", 0) == Status::invalid_argument);
  CHECK(session->store_value("k", 0, "v", 1) == Status::invalid_argument);
  CHECK(session->store_value("k", 1, nullptr, 4294967295U) == Status::invalid_argument);
}

TEST_CASE("shader cache: it keeps bytes of its own, not the caller's", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const auto session = bench.open(roomy_cache(mode));
  for (const std::size_t bytes : {1, 100, 100000}) {
    std::string key = pattern(bytes, 1);
    std::string value = pattern(bytes, 2);
    CHECK(store_in(*session, key, value) == Status::ok);
    key.assign(bytes, 'x');
    value.assign(bytes, 'y');
    CHECK((find_in(*session, pattern(bytes, 1)) == pattern(bytes, 2)));
    std::string copy(bytes, '\0');
    auto room = static_cast<std::uint32_t>(bytes);
    const std::string same_key = pattern(bytes, 1);
    CHECK(session->find_value(same_key.data(), size_of(same_key), copy.data(), &room) == Status::ok);
    copy.assign(bytes, 'z');  // nor does it give its own away
    CHECK((find_in(*session, same_key) == pattern(bytes, 2)));
  }
}

TEST_CASE("shader cache: a key may be its own value, and several keys may have one value", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const auto session = bench.open(default_cache(mode));
  const std::string both = "both";
  CHECK(session->store_value(both.data(), 4, both.data(), 4) == Status::ok);
  CHECK(store_in(*session, "second", both) == Status::ok);
  CHECK(store_in(*session, "third", both) == Status::ok);
  CHECK(session->store_value(both.data(), 3, both.data() + 1, 3) == Status::ok);  // parts of the same bytes
  CHECK(find_in(*session, both) == both);
  CHECK(find_in(*session, "second") == both);
  CHECK(find_in(*session, "third") == both);
  CHECK(find_in(*session, "bot") == "oth");
}

TEST_CASE("shader cache: values of many sizes and of any bytes come back", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  auto session = bench.open(roomy_cache(mode));
  std::vector<std::string> values;
  for (std::size_t bytes = 1; bytes <= 66; ++bytes) values.push_back(pattern(bytes, 9));
  for (const std::size_t bytes : {255, 256, 4095, 4096, 4097, 65535, 65536, 65537, 1048575, 1048576, 1048577}) {
    values.push_back(pattern(bytes, 9));
    values.emplace_back(bytes, '\0');
    values.emplace_back(bytes, '\xff');
  }
  const auto key_of = [](std::size_t i) { return "key " + std::to_string(i); };
  std::size_t sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(store_in(*session, key_of(i), values[i]) == Status::ok);
    sum += values[i].size();
  }
  for (int round = 0; round < 2; ++round) {
    CHECK(session->statistics().entries == values.size());
    CHECK(session->statistics().value_bytes == sum);
    for (std::size_t i = 0; i < values.size(); ++i) CHECK((find_in(*session, key_of(i)) == values[i]));
    if (mode == CacheMode::memory) break;
    session.reset();
    bench.restart();
    session = bench.open(roomy_cache(mode));
  }
}

TEST_CASE("shader cache: five thousand entries in any order, found in another", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  constexpr std::uint32_t entries = 5000;
  CacheBench bench;
  CacheDescription description = roomy_cache(mode);
  if (mode == CacheMode::disk) description.memory_entries = 100;  // most are found in the file
  auto session = bench.open(description);
  const auto key_of = [](std::uint32_t i) { return pattern(1 + i % 50, i) + std::to_string(i); };
  for (std::uint32_t i = 0; i < entries; ++i) {
    if (store_in(*session, key_of(i), pattern(1 + i % 300, i)) != Status::ok) FAIL("entry " << i);
  }
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t n = 0; n < entries; ++n) {
      const std::uint32_t i = n * 1237 % entries;  // 1237 and 5000 have no common factor
      if (!(find_in(*session, key_of(i)) == pattern(1 + i % 300, i))) FAIL("entry " << i << ", round " << round);
    }
    CHECK(session->statistics().entries == entries);
    if (mode == CacheMode::memory) break;
    session.reset();
    session = bench.open(description);
  }
}

TEST_CASE("shader cache: the statistics count what is there and what was asked for", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const auto one = bench.open(default_cache(mode));
  const auto two = bench.open(default_cache(mode));
  for (int i = 1; i <= 4; ++i) {
    CHECK(store_in(*one, "key " + std::to_string(i), std::string(static_cast<std::size_t>(i), 'v')) == Status::ok);
  }
  for (int i = 0; i < 3; ++i) CHECK(find_once(*two, "key 2") == "vv");
  for (int i = 0; i < 2; ++i) CHECK(find_once(*two, "absent") == Status::not_found);
  for (const auto* session : {&one, &two}) {  // of the cache
    const CacheStatistics statistics = (*session)->statistics();
    CHECK(statistics.entries == 4);
    CHECK(statistics.value_bytes == 1 + 2 + 3 + 4);
    CHECK(statistics.memory_hits == 3);
    CHECK(statistics.disk_hits == 0);
    CHECK(statistics.misses == 2);
    CHECK(statistics.damaged == 0);
  }
}

TEST_CASE("shader cache: with the durability of the system it answers the same, and sync says that it could",
          "[shadercache]") {
  CacheBench bench;
  bench.config.durability = GENERATE(CacheDurability::process, CacheDurability::system);
  bench.restart();
  auto session = bench.open(default_cache(CacheMode::disk));
  CHECK(session->sync());  // of nothing
  for (int i = 0; i < 20; ++i) {
    CHECK(store_in(*session, std::to_string(i), pattern(100, 7)) == Status::ok);
    CHECK(store_in(*session, std::to_string(i), "other") == Status::already_exists);
    CHECK((find_in(*session, std::to_string(i)) == pattern(100, 7)));
  }
  CHECK(session->sync());
  CHECK(session->sync());
  session.reset();
  bench.restart();
  session = bench.open(default_cache(CacheMode::disk));
  for (int i = 0; i < 20; ++i) CHECK((find_in(*session, std::to_string(i)) == pattern(100, 7)));
}
