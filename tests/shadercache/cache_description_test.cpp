// SPDX-License-Identifier: Apache-2.0
#include "shadercache/cache_description.hpp"

#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint32_t gib = 1U << 30;

}  // namespace

TEST_CASE("shader cache: an identifier's text has its bytes in order, in small letters", "[shadercache]") {
  CacheIdentifier identifier;
  CHECK(identifier.text() == "00000000-0000-0000-0000-000000000000");
  identifier.bytes = {0x28, 0xe2, 0x49, 0x5d, 0x0f, 0x64, 0x4a, 0xe4, 0xa6, 0xec, 0x12, 0x92, 0x55, 0xdc, 0x49, 0xa8};
  CHECK(identifier.text() == "28e2495d-0f64-4ae4-a6ec-129255dc49a8");
  identifier.bytes.fill(0xff);
  CHECK(identifier.text() == "ffffffff-ffff-ffff-ffff-ffffffffffff");
  for (std::size_t i = 0; i < 16; ++i) identifier.bytes[i] = static_cast<std::uint8_t>(i);
  CHECK(identifier.text() == "00010203-0405-0607-0809-0a0b0c0d0e0f");
}

TEST_CASE("shader cache: identifiers that differ in one bit are others, in text too", "[shadercache]") {
  const CacheIdentifier zero;
  std::set<std::string> texts{zero.text()};
  for (std::size_t bit = 0; bit < 128; ++bit) {
    CacheIdentifier other;
    other.bytes[bit / 8] = static_cast<std::uint8_t>(1U << bit % 8);
    CHECK_FALSE(other == zero);
    CHECK(texts.insert(other.text()).second);
  }
  CHECK(zero == CacheIdentifier{});
}

TEST_CASE("shader cache: a zero stands for 1024 bytes, 128 entries and a file of 128 MiB", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  const CacheDescription given = with_version(default_cache(mode), 7);
  const CacheDescription full = resolved(given);
  CHECK(full.memory_bytes == 1024);
  CHECK(full.memory_entries == 128);
  CHECK(full.file_bytes == 134217728);
  CHECK(full.identifier == given.identifier);
  CHECK(full.mode == mode);
  CHECK(full.version == 7);
  CHECK_FALSE(full.driver_versioned);
  CHECK_FALSE(full.use_working_directory);
  CHECK(same(resolved(full), full));
}

TEST_CASE("shader cache: each limit has its default by itself, and what is given stays", "[shadercache]") {
  for (const std::uint32_t memory_bytes : {0U, 1U, 1023U, 1025U, 4294967295U}) {
    for (const std::uint32_t memory_entries : {0U, 1U, 127U, 129U, 4294967295U}) {
      for (const std::uint32_t file_bytes : {0U, 1U, 134217727U, 134217729U, gib}) {
        CacheDescription given = driver_versioned(in_working_directory(default_cache(CacheMode::disk, 9)));
        given.memory_bytes = memory_bytes;
        given.memory_entries = memory_entries;
        given.file_bytes = file_bytes;
        given.version = 18446744073709551615U;
        CacheDescription expected = given;
        if (memory_bytes == 0) expected.memory_bytes = 1024;
        if (memory_entries == 0) expected.memory_entries = 128;
        if (file_bytes == 0) expected.file_bytes = 134217728;
        CHECK(same(resolved(given), expected));
        CHECK(refusal_of(given).empty());
      }
    }
  }
}

TEST_CASE("shader cache: the identifier of zeros is refused, and no other", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheDescription description = default_cache(mode);
  description.identifier = CacheIdentifier{};
  CHECK_FALSE(refusal_of(description).empty());
  for (std::size_t byte = 0; byte < 16; ++byte) {
    description.identifier = CacheIdentifier{};
    description.identifier.bytes[byte] = 1;
    CHECK(refusal_of(description).empty());
  }
}

TEST_CASE("shader cache: a file of 1 GiB is the largest, in every mode", "[shadercache]") {
  CacheDescription description = default_cache(GENERATE(CacheMode::memory, CacheMode::disk));
  for (const std::uint32_t bytes : {0U, 1U, gib - 1, gib}) {
    description.file_bytes = bytes;
    CHECK(refusal_of(description).empty());
  }
  for (const std::uint32_t bytes : {gib + 1, gib + 2, 2147483648U, 4294967295U}) {
    description.file_bytes = bytes;
    CHECK_FALSE(refusal_of(description).empty());
  }
  description.file_bytes = gib + 1;
  CHECK(refusal_of(description) == "a file of at most 1073741824 bytes, found 1073741825");
}

TEST_CASE("shader cache: a mode that does not exist is refused", "[shadercache]") {
  CacheDescription description = default_cache(CacheMode::memory);
  for (const int mode : {2, 3, 4, 128, 255}) {
    description.mode = static_cast<CacheMode>(mode);
    CHECK_FALSE(refusal_of(description).empty());
  }
}

TEST_CASE("shader cache: flags and versions are never refused", "[shadercache]") {
  CacheDescription description = default_cache(GENERATE(CacheMode::memory, CacheMode::disk));
  description.driver_versioned = GENERATE(false, true);
  description.use_working_directory = GENERATE(false, true);
  for (const std::uint64_t version : {std::uint64_t{0}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    description.version = version;
    CHECK(refusal_of(description).empty());
  }
}

TEST_CASE("shader cache: its hash is xxHash's XXH3 of 64 bits", "[shadercache]") {
  // From the xxHash project.
  CHECK(default_cache_hash("", 0) == 0x2D06800538D394C2U);
  CHECK(default_cache_hash("a", 1) == 0xE6C632B61E964E1FU);
  CHECK(default_cache_hash("abc", 3) == 0x78AF5F94892F3950U);
}

TEST_CASE("shader cache: its hash goes by all bytes of the key and by their number", "[shadercache]") {
  for (const std::size_t bytes : {1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 1024, 4096}) {
    const std::string key = pattern(bytes, 3);
    const std::uint64_t hash = default_cache_hash(key.data(), bytes);
    CHECK(default_cache_hash(key.data(), bytes - 1) != hash);
    for (std::size_t i = 0; i < bytes; i += std::max<std::size_t>(1, bytes / 64)) {
      std::string other = key;
      other[i] = static_cast<char>(other[i] ^ 1);
      CHECK(default_cache_hash(other.data(), bytes) != hash);
    }
    const std::string moved = 'x' + key;  // from an odd address
    CHECK(default_cache_hash(moved.data() + 1, bytes) == hash);
  }
}
