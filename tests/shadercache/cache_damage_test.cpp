// SPDX-License-Identifier: Apache-2.0
// Files that are not what was written: what is found is right or nothing, and the rest stays.
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;
namespace fs = std::filesystem;

namespace {

const CacheDescription description = default_cache(CacheMode::disk);
const std::vector<std::pair<std::string, std::string>> entries{
    {"k", "v"}, {"second key", pattern(61, 2)}, {std::string(3, '\0'), pattern(20, 3)}};

/// The files of a small cache, and a place where damaged copies of them are opened.
struct DamageBench {
  DamageBench() {
    auto first = bench.open(description);
    sizes.push_back(static_cast<std::size_t>(fs::file_size(bench.file(description, ".val"))));
    for (const auto& [key, value] : entries) {
      store_in(*first, key, value);
      sizes.push_back(static_cast<std::size_t>(fs::file_size(bench.file(description, ".val"))));
    }
    first.reset();
    bench.restart();
    val = contents_of(bench.file(description, ".val"));
    if (fs::exists(bench.file(description, ".idx"))) idx = contents_of(bench.file(description, ".idx"));
  }
  /// What is on the disk now is this.
  void put(const std::string& new_val, const std::string& new_idx) {
    session.reset();
    bench.restart();
    write_file(bench.file(description, ".val"), new_val);
    write_file(bench.file(description, ".idx"), new_idx);
  }
  void open() { session = bench.open(description); }
  /// Of the entries those that are found, each right; the others are not found.
  std::vector<bool> found() {
    std::vector<bool> result;
    for (const auto& [key, value] : entries) {
      const Found one = find_in(*session, key);
      result.push_back(one.status == Status::ok);
      if (!(one == value) && !(one == Status::not_found)) FAIL("found " << Catch::Detail::stringify(one));
    }
    return result;
  }
  std::size_t count_found() {
    const std::vector<bool> all = found();
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), true));
  }
  /// What was lost can be stored again, and something new too, and all of it is there when it is opened again.
  void check_stores() {
    const std::vector<bool> before = found();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Status status = store_in(*session, entries[i].first, entries[i].second);
      if (status != (before[i] ? Status::already_exists : Status::ok)) FAIL("entry " << i << ": " << name_of(status));
    }
    if (store_in(*session, "new", "value") != Status::ok) FAIL("nothing new is stored");
    for (int round = 0; round < 2; ++round) {
      if (count_found() != entries.size()) FAIL("stored again, found " << count_found() << ", round " << round);
      if (!(find_in(*session, "new") == "value")) FAIL("the new one is not found, round " << round);
      session.reset();
      open();
    }
  }

  CacheBench bench;
  std::vector<std::size_t> sizes;  ///< of .val: empty, and after each entry
  std::string val;
  std::string idx;
  std::unique_ptr<ShaderCacheSession> session;
};

std::string flipped(std::string bytes, std::size_t at, int mask) {
  bytes[at] = static_cast<char>(bytes[at] ^ mask);
  return bytes;
}

}  // namespace

TEST_CASE("shader cache: any changed byte of the values costs one entry at most, and never gives another value",
          "[shadercache]") {
  const int mask = GENERATE(0xff, 0x01, 0x80);
  DamageBench damage;
  REQUIRE(damage.sizes.back() == damage.val.size());
  for (std::size_t at = 0; at < damage.val.size(); ++at) {
    INFO("byte " << at << " of " << damage.val.size() << ", mask " << mask << ", first entry at " << damage.sizes[0]);
    damage.put(flipped(damage.val, at, mask), damage.idx);
    damage.open();
    const std::size_t found = damage.count_found();
    if (at >= damage.sizes[0]) {  // not in the header
      if (found + 1 < entries.size()) FAIL("only " << found << " are found");
      const std::uint64_t damaged = damage.session->statistics().damaged;
      if (damaged != entries.size() - found) FAIL(found << " are found and " << damaged << " were damaged");
    }
    if (damage.session->statistics().entries != found) FAIL("not as many entries as are found, " << found);
    damage.check_stores();
  }
}

TEST_CASE("shader cache: any changed byte of the values without an index gives the right value or none",
          "[shadercache]") {
  DamageBench damage;
  for (std::size_t at = 0; at < damage.val.size(); ++at) {
    INFO("byte " << at << " of " << damage.val.size());
    damage.put(flipped(damage.val, at, 1 << at % 8), "");
    fs::remove(damage.bench.file(description, ".idx"));
    damage.open();
    damage.count_found();
    damage.check_stores();
  }
}

TEST_CASE("shader cache: any changed byte of the index costs nothing", "[shadercache]") {
  const int mask = GENERATE(0xff, 0x01, 0x80);
  DamageBench damage;
  const std::size_t step = 1 + damage.idx.size() / 2000;  // for large ones
  for (std::size_t at = 0; at < damage.idx.size(); at += step) {
    INFO("byte " << at << " of " << damage.idx.size() << ", mask " << mask);
    damage.put(damage.val, flipped(damage.idx, at, mask));
    damage.open();
    if (damage.count_found() != entries.size()) FAIL("only " << damage.count_found() << " are found");
    damage.check_stores();
  }
}

TEST_CASE("shader cache: slots of the index that never came to the disk cost nothing", "[shadercache]") {
  DamageBench damage;
  for (const std::size_t bytes : {32, 64, 4096, 16384}) {
    for (std::size_t at = 128; at < damage.idx.size(); at += bytes) {
      INFO(bytes << " bytes from " << at);
      std::string idx = damage.idx;
      for (std::size_t i = at; i < std::min(idx.size(), at + bytes); ++i) idx[i] = '\0';
      damage.put(damage.val, idx);
      damage.open();
      if (damage.count_found() != entries.size()) FAIL("only " << damage.count_found() << " are found");
      damage.check_stores();
    }
  }
}

TEST_CASE("shader cache: an index of any length costs nothing", "[shadercache]") {
  DamageBench damage;
  const std::size_t step = 1 + damage.idx.size() / 1000;
  for (std::size_t bytes = 0; bytes <= damage.idx.size(); bytes += step) {
    INFO(bytes << " of " << damage.idx.size());
    damage.put(damage.val, damage.idx.substr(0, bytes));
    damage.open();
    if (damage.count_found() != entries.size()) FAIL("only " << damage.count_found() << " are found");
    damage.check_stores();
  }
}

TEST_CASE("shader cache: values cut at any length cost what was cut off", "[shadercache]") {
  const bool with_index = GENERATE(true, false);
  DamageBench damage;
  for (std::size_t bytes = 0; bytes <= damage.val.size(); ++bytes) {
    INFO(bytes << " of " << damage.val.size() << (with_index ? " with" : " without") << " the index");
    damage.put(damage.val.substr(0, bytes), damage.idx);
    if (!with_index) fs::remove(damage.bench.file(description, ".idx"));
    damage.open();
    const std::vector<bool> found = damage.found();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (bytes >= damage.sizes[i + 1] && !found[i]) FAIL("entry " << i << " was not cut");
    }
    damage.check_stores();
  }
}

TEST_CASE("shader cache: an index that is gone costs nothing", "[shadercache]") {
  CacheBench bench;
  {
    const auto session = bench.open(description);
    for (std::uint32_t i = 0; i < 500; ++i) CHECK(store_in(*session, pattern(20, i), pattern(i + 1, i)) == Status::ok);
  }
  for (int round = 0; round < 2; ++round) {
    bench.restart();
    fs::remove(bench.file(description, ".idx"));
    const auto session = bench.open(description);
    for (std::uint32_t i = 0; i < 500; ++i) CHECK((find_in(*session, pattern(20, i)) == pattern(i + 1, i)));
    CHECK(session->statistics().entries == 500);
    CHECK(session->statistics().damaged == 0);
    CHECK(store_in(*session, pattern(20, 1), "x") == Status::already_exists);
  }
}

TEST_CASE("shader cache: without its version's index it is still cleared for another version", "[shadercache]") {
  DamageBench damage;
  fs::remove(damage.bench.file(description, ".idx"));
  auto session = damage.bench.open(with_version(description, 1));
  CHECK(find_in(*session, "k") == Status::not_found);
  session.reset();
  damage.open();
  CHECK(damage.count_found() == 0);
}

TEST_CASE("shader cache: values that are gone are not found, and it goes on", "[shadercache]") {
  const bool with_lock = GENERATE(true, false);
  DamageBench damage;
  fs::remove(damage.bench.file(description, ".val"));
  if (!with_lock) fs::remove(damage.bench.file(description, ".lock"));
  damage.open();
  CHECK(damage.count_found() == 0);
  CHECK(damage.session->statistics().entries == 0);
  damage.check_stores();
}

TEST_CASE("shader cache: without any of its files it is a new one, and without its lock it is the same",
          "[shadercache]") {
  DamageBench damage;
  fs::remove(damage.bench.file(description, ".lock"));
  damage.open();
  CHECK(damage.count_found() == entries.size());
  damage.session.reset();
  for (const char* extension : {".lock", ".idx", ".val"}) fs::remove(damage.bench.file(description, extension));
  damage.open();
  CHECK(damage.count_found() == 0);
  damage.check_stores();
}

TEST_CASE("shader cache: an index of another time or of another cache costs nothing", "[shadercache]") {
  DamageBench damage;
  // An older one: of the first entry alone.
  damage.put("", "");
  fs::remove(damage.bench.file(description, ".val"));
  fs::remove(damage.bench.file(description, ".idx"));
  damage.open();
  store_in(*damage.session, entries[0].first, entries[0].second);
  damage.session.reset();
  const std::string first_idx = contents_of(damage.bench.file(description, ".idx"));
  const std::string first_val = contents_of(damage.bench.file(description, ".val"));
  damage.put(damage.val, first_idx);
  damage.open();
  CHECK(damage.count_found() == entries.size());
  damage.check_stores();
  // A newer one.
  damage.put(first_val, damage.idx);
  damage.open();
  CHECK(damage.found() == std::vector<bool>{true, false, false});
  damage.check_stores();
  // Of the same keys with other values, and of other keys with values of the same size.
  for (const bool same_keys : {true, false}) {
    CacheBench other;
    {
      const auto session = other.open(description);
      for (const auto& [key, value] : entries) {
        const std::string other_key = same_keys ? key : std::string(key.size(), 'z');
        store_in(*session, other_key, pattern(value.size(), 99));
      }
    }
    damage.put(damage.val, contents_of(other.file(description, ".idx")));
    damage.open();
    CHECK(damage.count_found() == entries.size());
    CHECK(find_in(*damage.session, "z") == Status::not_found);
    damage.check_stores();
  }
}

TEST_CASE("shader cache: whatever is in its files, it opens and stores", "[shadercache]") {
  DamageBench damage;
  std::vector<std::string> contents{
      "",         std::string(1, '\0'), std::string(4096, '\0'), std::string(4096, '\xff'), "not a cache at all",
      damage.val, damage.idx,           damage.val + damage.val};
  for (std::uint32_t seed = 0; seed < 20; ++seed) contents.push_back(pattern(1 + seed * 50, seed));
  for (std::size_t i = 0; i < contents.size(); ++i) {
    for (std::size_t j = 0; j < contents.size(); ++j) {
      INFO(".val " << i << ", .idx " << j);
      damage.put(contents[i], contents[j]);
      damage.open();
      damage.count_found();
      damage.check_stores();
    }
  }
}

TEST_CASE("shader cache: bytes behind the last entry cost nothing", "[shadercache]") {
  const bool with_index = GENERATE(true, false);
  DamageBench damage;
  for (const std::size_t bytes : {1, 7, 8, 9, 100, 5000}) {
    for (const std::string& tail : {std::string(bytes, '\0'), std::string(bytes, '\xff'), pattern(bytes, 1)}) {
      INFO(bytes << " bytes");
      damage.put(damage.val + tail, damage.idx);
      if (!with_index) fs::remove(damage.bench.file(description, ".idx"));
      damage.open();
      CHECK(damage.count_found() == entries.size());
      damage.check_stores();
    }
  }
}

TEST_CASE("shader cache: a value that is damaged while it is open is dropped and counted once", "[shadercache]") {
  CacheBench bench;
  CacheDescription small = description;
  small.memory_bytes = 1;  // every find reads the file
  const auto session = bench.open(small);
  CHECK(store_in(*session, "first", std::string(1000, 'a')) == Status::ok);
  CHECK(store_in(*session, "second", std::string(1000, 'b')) == Status::ok);
  CHECK(store_in(*session, "third", std::string(1000, 'c')) == Status::ok);
  const std::string val = contents_of(bench.file(small, ".val"));
  const std::size_t at = val.find(std::string(1000, 'b'));
  if (at == std::string::npos) return;  // it is written in some other form
  {
    std::fstream file(bench.file(small, ".val"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at + 500));
    file << 'x';
  }
  for (int again = 0; again < 3; ++again) {
    CHECK(find_once(*session, "second") == Status::not_found);
    CHECK(session->statistics().damaged == 1);
    CHECK(find_once(*session, "first") == std::string(1000, 'a'));
    CHECK(find_once(*session, "third") == std::string(1000, 'c'));
  }
  CHECK(session->statistics().entries == 2);
  CHECK(session->statistics().value_bytes == 2000);
  CHECK(store_in(*session, "second", "anew") == Status::ok);
  CHECK(find_once(*session, "second") == "anew");
  CHECK(session->statistics().entries == 3);
}

TEST_CASE("shader cache: what is stored in the place of damage is found by who had it open before", "[shadercache]") {
  DamageBench damage;
  damage.put(damage.val, damage.idx);
  damage.open();
  fs::resize_file(damage.bench.file(description, ".val"), damage.val.size() - 1);
  const auto caches = damage.bench.another_process();
  const auto other = CacheBench::open_in(*caches, description);  // cuts the last entry off
  const std::string value(entries.back().second.size(), 'x');
  const std::string key(entries.back().first.size(), 'y');
  CHECK(store_in(*other, key, value) == Status::ok);
  CHECK(fs::file_size(damage.bench.file(description, ".val")) == damage.val.size());
  CHECK((find_in(*damage.session, key) == value));
  CHECK(store_in(*damage.session, key, "z") == Status::already_exists);
}

TEST_CASE("shader cache: several random changes to both files at once never give another value", "[shadercache]") {
  const auto seed = GENERATE(1U, 2U, 3U, 4U);
  CAPTURE(seed);
  std::mt19937 random(seed);
  DamageBench damage;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    std::string val = damage.val;
    std::string idx = damage.idx;
    for (auto times = 1 + random() % 6; times > 0; --times) {
      std::string& bytes = random() % 2 == 0 ? val : idx;
      if (bytes.empty()) continue;
      const std::size_t at = random() % bytes.size();
      switch (random() % 5) {
        case 0: bytes.resize(at); break;
        case 1: bytes.insert(at, pattern(1 + random() % 24, round)); break;
        case 2: bytes.erase(at, 1 + random() % 24); break;
        case 3: bytes[at] = static_cast<char>(random()); break;
        default:
          for (std::size_t i = at; i < std::min(bytes.size(), at + 8); ++i) bytes[i] = '\xff';
      }
    }
    damage.put(val, idx);
    damage.open();
    damage.count_found();
    damage.check_stores();
  }
}
