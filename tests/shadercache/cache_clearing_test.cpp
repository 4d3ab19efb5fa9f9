// SPDX-License-Identifier: Apache-2.0
// Clearing caches from outside: of whom nobody has open, of sessions that go on, and what is not touched.
#include "shadercache/files/cache_lock.hpp"
#include "shadercache/files/cache_removal.hpp"
#include "tests/shadercache/inspection_bench.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using What = CacheClearing::What;
namespace fs = std::filesystem;

namespace {
const CacheDescription one = roomy_cache(CacheMode::disk, 1);
const CacheDescription two = roomy_cache(CacheMode::disk, 2);
}  // namespace

TEST_CASE("cache clearing: the files of a closed cache go, and no others", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {10});
  bench.fill(two, {10});
  bench.fill(driver_versioned(one), {10}, {"adapter", 3});
  write_file(bench.config.directory / "notes.txt", "text");
  write_file(bench.config.directory / (one.identifier.text() + ".txt"), "text");
  write_file(bench.config.directory / (one.identifier.text() + ".val.bak"), "FLSCVAL\n");
  auto expected = state_of(bench.config.directory);
  const CacheClearing look = look_at_clearing(bench.place(one));
  CHECK(look.what == What::removed);
  CHECK(look.files.size() == 3);
  CHECK((state_of(bench.config.directory) == expected));
  const CacheClearing cleared = clear_cache(bench.place(one));
  CHECK(cleared.what == What::removed);
  CHECK(cleared.files == look.files);
  for (const std::string& name : cleared.files) CHECK(expected.erase(name) == 1);
  CHECK((state_of(bench.config.directory) == expected));
  CHECK(find_in(*bench.open(one), bench.key(0)) == CacheStatus::not_found);
}

TEST_CASE("cache clearing: sessions that go on find nothing any more, and store again", "[shadercache]") {
  InspectionBench bench;
  const CacheDescription versioned = with_version(one, 42);
  bench.fill(versioned, {10, 20});
  const auto session = bench.open(versioned);
  const auto others = bench.another_process();
  const auto other = CacheBench::open_in(*others, versioned);
  CHECK(find_in(*session, bench.key(1)) == pattern(20, 1));
  CHECK(look_at_clearing(bench.place(one)).what == What::emptied);
  CHECK(find_in(*session, bench.key(1)) == pattern(20, 1));
  CHECK(clear_cache(bench.place(one)).what == What::emptied);
  CHECK(find_in(*session, bench.key(1)) == CacheStatus::not_found);
  CHECK(store_in(*other, bench.key(1), "anew") == CacheStatus::ok);
  CHECK(find_in(*session, bench.key(1)) == std::string("anew"));
  const CacheFacts facts = bench.facts(one);
  CHECK(facts.header->version == 42);
  CHECK(facts.entries == 1);
  CHECK(facts.in_use == true);
  CHECK(bench.verify(one).whole());
}

TEST_CASE("cache clearing: strangers in the place of a file are reasons to refuse, and stay", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {10});
  const bool open = GENERATE(false, true);
  const auto session = open ? bench.open(one) : nullptr;
  const std::string end = GENERATE(std::string(".val.new"), std::string(".idx.new"));
  const int what = GENERATE(0, 1, 2);
  const fs::path path = bench.file(one, end);
  write_file(bench.directory / "mine", "FLSCVAL\n mine");
  if (what == 0) write_file(path, "my own notes");
  if (what == 1) fs::create_symlink(bench.directory / "mine", path);
  if (what == 2) fs::create_directory(path);
  const auto before = state_of(bench.directory / "");
  for (const CacheClearing& clearing : {look_at_clearing(bench.place(one)), clear_cache(bench.place(one))}) {
    CHECK(clearing.what == What::refused);
    CHECK_THAT(clearing.reason, Contains(end + ": expected") && Contains("found"));
  }
  CHECK((state_of(bench.directory / "") == before));
}

TEST_CASE("cache clearing: files that only have a cache's name, and a link in place of .val or .lock",
          "[shadercache]") {
  InspectionBench bench;
  bench.fill(two, {10});
  write_file(bench.file(one, ".val"), "my own notes");
  CHECK(clear_cache(bench.place(one)).what == What::refused);
  CHECK(contents_of(bench.file(one, ".val")) == "my own notes");
  CHECK_FALSE(fs::exists(bench.file(one, ".lock")));
  const std::string end = GENERATE(std::string(".val"), std::string(".lock"), std::string(".idx"));
  fs::rename(bench.file(two, end), bench.directory / "elsewhere");
  fs::create_symlink(bench.directory / "elsewhere", bench.file(two, end));
  const auto before = state_of(bench.directory / "");
  CHECK(clear_cache(bench.place(two)).what == What::refused);
  CHECK((state_of(bench.directory / "") == before));
}

TEST_CASE("cache clearing: a damaged cache goes, too, as long as its files begin as such", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {10});
  bench.damage(one, ".val", 30);
  bench.damage(one, ".idx", 30);
  const bool open = GENERATE(false, true);
  auto lock = CacheLock();
  if (open) {
    lock = CacheLock::open(CacheDirectory(bench.config.directory), one.identifier.text() + ".lock");
    lock.share();
    lock.end_write();
    const CacheClearing clearing = clear_cache(bench.place(one));
    CHECK(clearing.what == What::refused);
    CHECK_THAT(clearing.reason, Contains("version"));
  } else {
    CHECK(clear_cache(bench.place(one)).what == What::removed);
    CHECK(fs::is_empty(bench.config.directory));
  }
}

TEST_CASE("cache clearing: it does not wait for ever for a writer that has stopped", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {10});
  CacheLock lock = CacheLock::open(CacheDirectory(bench.config.directory), one.identifier.text() + ".lock");
  REQUIRE(lock.is_open());  // for writing
  const CacheClearing clearing = clear_cache(bench.place(one));
  CHECK(clearing.what == What::refused);
  CHECK_THAT(clearing.reason, Contains("writing"));
  CHECK(bench.verify(one).whole());
  CHECK(bench.facts(one).entries == 1);
}
