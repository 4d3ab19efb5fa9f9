// SPDX-License-Identifier: Apache-2.0
// What verifying says of whole, damaged and hostile files.
#include "shadercache/files/record_check.hpp"
#include "tests/shadercache/inspection_bench.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const CacheDescription one = roomy_cache(CacheMode::disk, 1);
const std::vector<std::uint32_t> some_sizes{100, 1, 3000, 17, 70000, 8};

/// A header with another version, for one.
std::string header_with(const std::string& kind, const CacheHeader& header, std::uint32_t more = 0) {
  std::array<std::byte, header_bytes> bytes{};
  write_header(bytes.data(), kind, header, more);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string slot_bytes(CacheSlot slot, std::uint64_t era) {
  slot.seal(era);
  std::string bytes(sizeof slot, '\0');
  std::memcpy(bytes.data(), &slot, sizeof slot);
  return bytes;
}

/// A record that is sealed, with a body of other bytes than its check says.
std::string sealed_record(std::uint64_t era, std::uint64_t at, std::uint32_t value_bytes) {
  const RecordHeader record = record_of(era, 1, "", std::string(value_bytes, 'v'), at);
  std::string bytes(sizeof record, '\0');
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

}  // namespace

TEST_CASE("record check: in pieces it is what records are written with", "[shadercache]") {
  InspectionBench bench;
  std::vector<std::uint32_t> sizes{1, 16, 17, 128, 129, 240, 241, 1000, 262143, 262144, 262145, 900000};
  bench.fill(one, sizes);
  CacheView view(bench.place(one));
  const std::vector<std::uint64_t> records = bench.records(one);
  REQUIRE(records.size() == sizes.size());
  for (const std::uint64_t at : records) {
    RecordHeader record;
    REQUIRE(view.values().read(at, &record, sizeof record) == sizeof record);
    CHECK(check_in_file(view.values(), record, at) == record.check);
    CHECK(check_in_file(view.values(), record, at + 8) != record.check);
  }
  RecordHeader last;
  view.values().read(records.back(), &last, sizeof last);
  last.value_bytes += 100;
  CHECK_FALSE(check_in_file(view.values(), last, records.back()));
}

TEST_CASE("cache verification: a whole cache, closed, open and of several versions", "[shadercache]") {
  InspectionBench bench;
  bench.fill(with_version(one, 3), some_sizes);
  std::uint64_t done = 0;
  CacheView view(bench.place(one));
  const CacheVerification result = verify_cache(view, [&](std::uint64_t now, std::uint64_t total) {
    CHECK(now >= done);
    CHECK(now <= total);
    done = now;
  });
  CHECK(result.whole());
  CHECK(result.entries == some_sizes.size());
  CHECK(result.notes.empty());
  CHECK(result.bytes_read > 73000);
  CHECK(done > 73000);
  const auto session = bench.open(with_version(one, 3));
  CHECK(store_in(*session, "more", "value") == CacheStatus::ok);
  CHECK(bench.verify(one).entries == some_sizes.size() + 1);
  CHECK(bench.verify(one).whole());
}

TEST_CASE("cache verification: a changed byte of a key or value is told with its record", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  const std::vector<std::uint64_t> records = bench.records(one);
  REQUIRE(records.size() == some_sizes.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string before = contents_of(bench.file(one, ".val"));
    bench.damage(one, ".val", records[i] + 32);
    const CacheVerification result = bench.verify(one);
    CHECK(result.damage_count == 1);
    CHECK(result.damaged_entries == 1);
    CHECK(result.entries == some_sizes.size() - 1);
    REQUIRE(result.damage.size() == 1);
    CHECK(result.damage[0].file == one.identifier.text() + ".val");
    CHECK(result.damage[0].at == records[i]);
    CHECK_THAT(result.damage[0].expected, Contains("a value of " + std::to_string(some_sizes[i])));
    CHECK_THAT(result.damage[0].found, Contains("check"));
    CHECK(result.notes.empty());
    write_file(bench.file(one, ".val"), before);
  }
  CHECK(bench.verify(one).whole());
}

TEST_CASE("cache verification: damage in several records, next to each other and in their heads", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  const std::vector<std::uint64_t> records = bench.records(one);
  bench.damage(one, ".val", records[1] + 4);
  bench.damage(one, ".val", records[2] + 2000, 10);
  bench.damage(one, ".val", records[5]);
  const CacheVerification result = bench.verify(one);
  CHECK(result.damaged_entries == 3);
  CHECK(result.entries == some_sizes.size() - 3);
  std::vector<std::uint64_t> places;
  for (const CacheFinding& finding : result.damage) places.push_back(finding.at);
  std::sort(places.begin(), places.end());
  CHECK(places == std::vector<std::uint64_t>{records[1], records[2], records[5]});
}

TEST_CASE("cache verification: what a session has dropped is a note, and what it stored again is whole",
          "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  bench.damage(one, ".val", bench.records(one)[0] + 40);
  {
    const auto session = bench.open(one);
    CHECK(find_in(*session, bench.key(0)) == CacheStatus::not_found);
  }
  CacheVerification result = bench.verify(one);
  CHECK(result.whole());
  CHECK(result.entries == some_sizes.size() - 1);
  CHECK(result.notes_count == 1);
  CHECK(bench.facts(one).dropped_slots == 1);
  CHECK(bench.facts(one).dead_bytes == bytes_of_record(5, some_sizes[0]));
  CHECK(store_in(*bench.open(one), bench.key(0), "value") == CacheStatus::ok);
  result = bench.verify(one);
  CHECK(result.whole());
  CHECK(result.entries == some_sizes.size());
}

TEST_CASE("cache verification: a damaged slot, state, header and a shortened table", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  const std::string index = contents_of(bench.file(one, ".idx"));
  const auto check = [&](std::uint64_t at, const char* expected) {
    const CacheVerification result = bench.verify(one);
    INFO(expected);
    CHECK(result.damage_count == 1);
    CHECK(result.damaged_entries == 0);
    CHECK(result.entries == some_sizes.size());
    REQUIRE(result.damage.size() == 1);
    CHECK(result.damage[0].file == one.identifier.text() + ".idx");
    CHECK(result.damage[0].at == at);
    CHECK_THAT(result.damage[0].expected, Contains(expected));
    write_file(bench.file(one, ".idx"), index);
  };
  const std::uint64_t slot = bench.slot(one);
  bench.damage(one, ".idx", slot + 3);
  check(slot, "a slot");
  bench.damage(one, ".idx", 70);
  check(64, "state");
  bench.damage(one, ".idx", 20);
  check(0, "a header");
  bench.damage(one, ".idx", 0);
  check(0, "FLSCIDX");
  write_file(bench.file(one, ".idx"), index.substr(0, 63));
  check(0, "64 bytes");
  CHECK(bench.verify(one).whole());
}

TEST_CASE("cache verification: slots that became zeros are entries that nobody finds", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  std::string index = contents_of(bench.file(one, ".idx"));
  const std::uint64_t slot = bench.slot(one);
  write_file(bench.file(one, ".idx"), index.replace(slot, sizeof(CacheSlot), std::string(sizeof(CacheSlot), '\0')));
  const CacheVerification result = bench.verify(one);
  CHECK(result.damage_count == 1);
  CHECK(result.damaged_entries == 1);
  CHECK(result.entries == some_sizes.size() - 1);
  CHECK_THAT(result.damage.at(0).expected, Contains("6 entries in the table"));
  CHECK_THAT(result.damage.at(0).found, Contains("no slot leads to the entry at byte"));
}

TEST_CASE("cache verification: a missing or empty table, and one of another era, are notes", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  const std::string before = contents_of(bench.file(one, ".idx"));
  const int what = GENERATE(0, 1, 2);
  if (what == 0) fs::remove(bench.file(one, ".idx"));
  if (what == 1) write_file(bench.file(one, ".idx"), "");
  if (what == 2) {
    CacheView view(bench.place(one));
    CacheHeader header = *view.header();
    --header.era;
    write_file(bench.file(one, ".idx"), header_with("IDX", header, 10) + before.substr(header_bytes));
  }
  const CacheVerification result = bench.verify(one);
  CHECK(result.whole());
  CHECK(result.entries == some_sizes.size());
  CHECK(result.notes_count == 1);
}

TEST_CASE("cache verification: .val is shortened, gone, or its header is damaged", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  const std::vector<std::uint64_t> records = bench.records(one);
  const std::string values = contents_of(bench.file(one, ".val"));
  fs::resize_file(bench.file(one, ".val"), records[4] + 100);
  CacheVerification result = bench.verify(one);
  CHECK(result.damaged_entries == 2);
  CHECK(result.entries == 4);
  CHECK_THAT(result.damage.at(0).found, Contains("the end of the file"));

  fs::resize_file(bench.file(one, ".val"), 20);
  result = bench.verify(one);
  CHECK(result.damaged_entries == some_sizes.size());
  fs::remove(bench.file(one, ".val"));
  result = bench.verify(one);
  CHECK_FALSE(result.whole());
  CHECK(result.damaged_entries == some_sizes.size());

  write_file(bench.file(one, ".val"), values);
  bench.damage(one, ".val", 30);
  result = bench.verify(one);
  CHECK(result.damage_count == 1);
  CHECK(result.damage.at(0).at == 0);
  CHECK(result.entries == some_sizes.size());
  fs::remove(bench.file(one, ".idx"));
  result = bench.verify(one);
  CHECK(result.damage_count == 1);
  CHECK(result.entries == 0);
}

TEST_CASE("cache verification: a header whose format's number was changed is damaged", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  std::string values = contents_of(bench.file(one, ".val"));
  values[8] = 9;
  write_file(bench.file(one, ".val"), values);
  CHECK_FALSE(bench.verify(one).whole());  // its check is of the former number
}

TEST_CASE("cache verification: an unfinished store at the end is a note, with and without a table", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  write_file(bench.file(one, ".val"), contents_of(bench.file(one, ".val")) + std::string(100, 'x'));
  CHECK(bench.verify(one).whole());
  CHECK(bench.verify(one).notes_count == 1);
  fs::remove(bench.file(one, ".idx"));
  CHECK(bench.verify(one).whole());
  bench.damage(one, ".val", 100);
  const CacheVerification result = bench.verify(one);  // nothing says that it was dropped
  CHECK(result.damage_count == 1);
  CHECK(result.entries == some_sizes.size() - 1);
}

TEST_CASE("cache verification: it reads while sessions store, clear and close", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    std::mt19937 random(1);
    for (std::uint32_t i = 0; !stop; ++i) {
      auto caches = bench.another_process();
      const auto session = CacheBench::open_in(*caches, one);
      for (std::uint32_t k = 0; k < 200; ++k) {
        store_in(*session, "w" + std::to_string(i) + ' ' + std::to_string(k), pattern(random() % 2000, k));
      }
      if (i % 3 == 0) caches->clear();
    }
  });
  bool whole = true;
  std::string said;
  for (int i = 0; i < 300 && whole; ++i) {
    CacheView view(bench.place(one));
    const CacheVerification result = verify_cache(view);
    whole = result.whole();
    if (!whole) said = result.damage[0].file + ": " + result.damage[0].expected + ", " + result.damage[0].found;
    facts_of(view);
  }
  stop = true;
  writer.join();
  INFO(said);
  CHECK(whole);
}

TEST_CASE("cache verification: random damage never ends it, and is never called whole entries", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {100, 1, 300, 17, 700, 8, 9, 10, 11, 12});
  const std::string values = contents_of(bench.file(one, ".val"));
  const std::string index = contents_of(bench.file(one, ".idx"));
  std::mt19937 random(7);
  for (int i = 0; i < 500; ++i) {
    for (const bool of_values : {true, false}) {
      std::string text = of_values ? values : index;
      const std::size_t changes = random() % 8;
      for (std::size_t k = 0; k < changes; ++k) text[random() % text.size()] = static_cast<char>(random());
      if (random() % 4 == 0) text.resize(random() % (text.size() + 1));
      write_file(bench.file(one, of_values ? ".val" : ".idx"), text);
    }
    CacheView view(bench.place(one));
    const CacheFacts facts = facts_of(view);
    const CacheVerification result = verify_cache(view);
    REQUIRE(result.entries <= 10);
    REQUIRE(facts.entries <= 10);
    REQUIRE(result.damage.size() == result.damage_count);
  }
}

TEST_CASE("cache verification: forged tables and records cost no more than their size", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  CacheView whole(bench.place(one));
  const CacheHeader header = *whole.header();
  SECTION("records that overlap: each claims all that is behind it") {
    constexpr std::uint32_t bytes = 1U << 22;
    std::string values = header_with("VAL", header);
    while (values.size() < bytes) {
      const auto left = static_cast<std::uint32_t>(bytes - values.size());
      if (left < 64) break;
      RecordHeader record = record_of(header.era, values.size(), "", std::string(64, 'v'), values.size());
      std::string text(sizeof record, '\0');
      std::memcpy(text.data(), &record, sizeof record);
      values += text;
    }
    write_file(bench.file(one, ".val"), values);
    CHECK_FALSE(bench.verify(one).whole());
  }
  SECTION("a table that leads to one large record from each slot, and behind the end") {
    std::string values = contents_of(bench.file(one, ".val"));
    const std::uint64_t at = values.size();
    values += sealed_record(header.era, at, 4U << 20) + std::string(4U << 20, 'x');
    write_file(bench.file(one, ".val"), values);
    std::string index = contents_of(bench.file(one, ".idx"));
    CacheSlot slot;
    slot.hash = 1;
    slot.at = at;
    slot.value_bytes = 4U << 20;
    for (std::uint64_t number = 0; number < 1000; ++number) {
      if (number == 500) slot.at = ~std::uint64_t{0} - 7;
      if (number == 501) slot.at = 3;
      index.replace(CacheIndex::place_of(number), sizeof slot, slot_bytes(slot, header.era));
    }
    write_file(bench.file(one, ".idx"), index);
    const CacheVerification result = bench.verify(one);
    CHECK(result.damaged_entries == 1000);
    CHECK(bench.facts(one).entries >= 1000);
  }
  SECTION("holes as large as a file system has them") {
    fs::resize_file(bench.file(one, ".val"), std::uint64_t{1} << 40);
    CacheView view(bench.place(one));
    const CacheVerification result = verify_cache(view);
    CHECK_FALSE(result.whole());
    CHECK(result.entries == some_sizes.size());
    CHECK(facts_of(view).entries == some_sizes.size());
  }
  SECTION("a table that says to be of 2 GiB") {
    const std::string index = contents_of(bench.file(one, ".idx"));
    write_file(bench.file(one, ".idx"), header_with("IDX", header, 26) + index.substr(header_bytes));
    const CacheVerification result = bench.verify(one);
    CHECK(result.damage_count == 1);
    CHECK_THAT(result.damage.at(0).found, Contains("the file ends"));
  }
}

TEST_CASE("cache verification: a directory that may only be read", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, some_sizes);
  for (const char* end : {".val", ".idx", ".lock"}) fs::permissions(bench.file(one, end), fs::perms::owner_read);
  fs::permissions(bench.config.directory, fs::perms::owner_read | fs::perms::owner_exec);
  const CacheVerification result = bench.verify(one);
  const CacheFacts facts = bench.facts(one);
  fs::permissions(bench.config.directory, fs::perms::owner_all);
  CHECK(result.whole());
  CHECK(result.entries == some_sizes.size());
  CHECK(facts.in_use == false);
}
