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

namespace {

constexpr char filler = '\x5a';

/// A session of a cache that has "key".
struct FindBench {
  explicit FindBench(CacheMode mode, const std::string& value = "value")
      : description(roomy_cache(mode)), session(bench.open(description)) {
    store_in(*session, "key", value);
  }
  /// What comes of a buffer of `room` bytes in front of 16 others, all of them filler before.
  Status find(const std::string& key, std::uint32_t room) {
    buffer.assign(room + 16, filler);
    bytes = room;
    return session->find_value(key.data(), size_of(key), buffer.data(), &bytes);
  }
  bool untouched() const { return buffer == std::string(buffer.size(), filler); }

  CacheBench bench;
  CacheDescription description;
  std::unique_ptr<ShaderCacheSession> session;
  std::string buffer;
  std::uint32_t bytes = 0;
};

}  // namespace

TEST_CASE("shader cache: a key that was not stored is not found, whatever the buffer, which stays as it is",
          "[shadercache]") {
  FindBench find(GENERATE(CacheMode::memory, CacheMode::disk));
  for (const std::string key : {"k", "ke", "kex", "keyy", "Key", "yek", "value"}) {
    for (const std::uint32_t room : {0U, 1U, 5U, 100U}) {
      CHECK(find.find(key, room) == Status::not_found);
      CHECK(find.untouched());
    }
    std::uint32_t bytes = 3;
    CHECK(find.session->find_value(key.data(), size_of(key), nullptr, &bytes) == Status::not_found);
  }
  CHECK(find_in(*find.session, "key") == "value");
}

TEST_CASE("shader cache: without a buffer the size is told, whatever was in its place", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  for (const std::uint32_t size : {1U, 5U, 255U, 256U, 65536U, 1048576U}) {
    FindBench find(mode, pattern(size, size));
    for (const std::uint32_t before : {0U, 1U, size, size + 1, 4294967295U}) {
      std::uint32_t bytes = before;
      CHECK(find.session->find_value("key", 3, nullptr, &bytes) == Status::ok);
      CHECK(bytes == size);
    }
  }
}

TEST_CASE("shader cache: a buffer that is large enough gets the value, and no byte behind it changes",
          "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  for (const std::uint32_t size : {1U, 2U, 7U, 8U, 9U, 1000U, 1048576U}) {
    const std::string value = pattern(size, size);
    FindBench find(mode, value);
    for (const std::uint32_t room : {size, size + 1, size + 7, 2 * size + 100}) {
      CHECK(find.find("key", room) == Status::ok);
      CHECK(find.bytes == size);
      CHECK((find.buffer.substr(0, size) == value));
      CHECK((find.buffer.substr(size) == std::string(find.buffer.size() - size, filler)));
    }
  }
}

TEST_CASE("shader cache: a buffer that is too small stays as it is, and the size is told", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  for (const std::uint32_t size : {1U, 2U, 9U, 1000U, 1048576U}) {
    const std::string value = pattern(size, size);
    FindBench find(mode, value);
    for (const std::uint32_t room : {0U, size / 2, size - 1}) {
      CHECK(find.find("key", room) == Status::more_data);
      CHECK(find.bytes == size);
      CHECK(find.untouched());
      CHECK(find.find("key", find.bytes) == Status::ok);  // as it said
      CHECK((find.buffer.substr(0, size) == value));
    }
  }
}

TEST_CASE("shader cache: a value read anew from the file is told in the same ways", "[shadercache]") {
  FindBench find(CacheMode::disk, "0123456789");
  for (const std::uint32_t room : {0U, 9U, 10U, 11U}) {
    find.session.reset();
    find.bench.restart();
    find.session = find.bench.open(find.description);
    CHECK(find.find("key", room) == (room < 10 ? Status::more_data : Status::ok));
    CHECK(find.bytes == 10);
    if (room < 10) CHECK(find.untouched());
    if (room >= 10) CHECK(find.buffer == "0123456789" + std::string(room + 16 - 10, filler));
  }
  find.session.reset();
  find.session = find.bench.open(find.description);
  std::uint32_t bytes = 77;
  CHECK(find.session->find_value("key", 3, nullptr, &bytes) == Status::ok);
  CHECK(bytes == 10);
}

TEST_CASE("shader cache: finding without a key, without its bytes or without a place for the size is invalid",
          "[shadercache]") {
  FindBench find(GENERATE(CacheMode::memory, CacheMode::disk));
  const bool enabled = GENERATE(true, false);  // the arguments come first
  find.bench.caches->set_enabled(enabled);
  for (const char* key : {static_cast<const char*>(nullptr), "key"}) {
    for (const std::uint32_t key_bytes : {0U, 3U}) {
      for (const bool with_buffer : {false, true}) {
        for (const bool with_size : {false, true}) {
          char buffer[16] = {filler, filler, filler, filler, filler, filler};
          std::uint32_t bytes = 16;
          const Status status =
              find.session->find_value(key, key_bytes, with_buffer ? buffer : nullptr, with_size ? &bytes : nullptr);
          const bool valid = key != nullptr && key_bytes == 3 && with_size;
          CHECK(status == (!valid ? Status::invalid_argument : enabled ? Status::ok : Status::disabled));
          const bool copied = valid && enabled && with_buffer;
          CHECK(std::string(buffer, 6) == (copied ? "value\x5a" : std::string(6, filler)));
        }
      }
    }
  }
  CHECK(find.session->find_value(nullptr, 4294967295U, nullptr, nullptr) == Status::invalid_argument);
}

TEST_CASE("shader cache: all keys of one byte, and all values of one byte, are told apart", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  auto session = bench.open(roomy_cache(mode));
  for (int i = 0; i < 256; ++i) {
    const std::string key(1, static_cast<char>(i));
    CHECK(find_in(*session, key) == Status::not_found);
    CHECK(store_in(*session, key, std::string(1, static_cast<char>(255 - i))) == Status::ok);
  }
  if (mode == CacheMode::disk) {
    session.reset();
    session = bench.open(roomy_cache(mode));
  }
  for (int i = 0; i < 256; ++i) {
    CHECK(find_in(*session, std::string(1, static_cast<char>(i))) == std::string(1, static_cast<char>(255 - i)));
  }
}

TEST_CASE("shader cache: keys are compared in all their bytes, zeros too", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  auto session = bench.open(roomy_cache(mode));
  std::vector<std::string> keys;
  for (std::size_t bytes = 1; bytes <= 70; ++bytes) {
    keys.emplace_back(bytes, '\0');
    keys.emplace_back(bytes, '\xff');
    keys.push_back(std::string(bytes, '\0') + '\1');
    keys.push_back('\1' + std::string(bytes, '\0'));
    keys.push_back('a' + std::string(bytes, '\0') + 'a');
  }
  for (const std::string& key : keys) CHECK(store_in(*session, key, "of " + key) == Status::ok);
  for (int round = 0; round < 2; ++round) {
    for (const std::string& key : keys) CHECK(find_in(*session, key) == "of " + key);
    if (mode == CacheMode::disk) {
      session.reset();
      session = bench.open(roomy_cache(mode));
    }
  }
  CHECK(session->statistics().entries == keys.size());
}

TEST_CASE("shader cache: keys of many sizes are found, and not what differs from them in one bit", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const auto session = bench.open(roomy_cache(mode));
  for (const std::size_t bytes : {2, 15, 16, 17, 255, 256, 257, 4095, 4096, 65536, 1048576}) {
    INFO(bytes << " bytes");
    const std::string key = pattern(bytes, 5);
    CHECK(store_in(*session, key, std::to_string(bytes)) == Status::ok);
    CHECK(find_in(*session, key) == std::to_string(bytes));
    for (const std::size_t at : {std::size_t{0}, bytes / 2, bytes - 1}) {
      std::string other = key;
      other[at] = static_cast<char>(other[at] ^ 0x80);
      CHECK(find_in(*session, other) == Status::not_found);
    }
    CHECK(find_in(*session, key.substr(1)) == Status::not_found);
    CHECK(find_in(*session, key + 'x') == Status::not_found);
  }
}

TEST_CASE("shader cache: keys and buffers may lie at any address", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  FindBench find(mode, "0123456789abcdef");
  for (std::size_t offset = 0; offset < 16; ++offset) {
    const std::string key = std::string(offset, 'x') + "key";
    std::string buffer(offset + 16 + 1, filler);
    std::uint32_t bytes = 16;
    CHECK(find.session->find_value(key.data() + offset, 3, buffer.data() + offset, &bytes) == Status::ok);
    CHECK(buffer == std::string(offset, filler) + "0123456789abcdef" + filler);
  }
}

TEST_CASE("shader cache: finding changes nothing, however often and through however many sessions", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  FindBench find(mode, pattern(3000, 1));
  std::vector<std::unique_ptr<ShaderCacheSession>> sessions;
  for (int i = 0; i < 10; ++i) sessions.push_back(find.bench.open(find.description));
  for (int round = 0; round < 10; ++round) {
    for (const auto& session : sessions) {
      CHECK((find_in(*session, "key") == pattern(3000, 1)));
      CHECK(find_in(*session, "other") == Status::not_found);
      CHECK(session->statistics().entries == 1);
      CHECK(session->statistics().value_bytes == 3000);
    }
  }
}
