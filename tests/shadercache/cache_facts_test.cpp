// SPDX-License-Identifier: Apache-2.0
// What is found in a directory, and what the files of a cache tell.
#include "tests/shadercache/inspection_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const CacheDescription one = roomy_cache(CacheMode::disk, 1);
const CacheDescription two = roomy_cache(CacheMode::disk, 2);

std::vector<std::string> names_of(const CachePlaces& places) {
  std::vector<std::string> names;
  for (const CachePlace& place : places.caches) names.push_back(place.name());
  return names;
}

}  // namespace

TEST_CASE("cache inspection: stems and folders are told apart from other names", "[shadercache]") {
  const std::string guid = "28e2495d-0f64-4ae4-a6ec-129255dc49a8";
  CHECK(is_cache_stem(guid));
  CHECK(is_cache_stem(guid + "-0123456789abcdef"));
  for (const std::string& wrong :
       {std::string(), std::string("x"), guid + "-", guid + "-0123456789abcde", guid + "0", guid.substr(1),
        "28E2495D" + guid.substr(8), guid.substr(0, 8) + "_" + guid.substr(9), guid + "-0123456789abcdeg"}) {
    CHECK_FALSE(is_cache_stem(wrong));
  }
  CHECK(is_program_folder("game-0123abcd"));
  CHECK(is_program_folder("a-b-0123abcd"));
  CHECK(is_program_folder(cache_folder_name("", "")));  // of a process that has no name
  for (const char* wrong : {"", "0123abcd", "game", "game-0123abc", "game-0123abcg", "game_0123abcd"}) {
    CHECK_FALSE(is_program_folder(wrong));
  }
}

TEST_CASE("cache inspection: a directory that is missing, empty, a file or full of other things", "[shadercache]") {
  InspectionBench bench;
  CHECK_FALSE(find_caches(bench.directory / "nothing").exists);
  fs::create_directory(bench.directory / "empty");
  const CachePlaces empty = find_caches(bench.directory / "empty");
  CHECK((empty.exists && empty.caches.empty() && empty.unreadable.empty() && empty.reason.empty()));
  write_file(bench.directory / "file", "text");
  const CachePlaces file = find_caches(bench.directory / "file");
  CHECK(file.caches.empty());
  CHECK_THAT(file.reason, Contains("Not a directory"));

  for (const char* name : {"notes.txt", "foo.val", "FLSCVAL", ".val", "a.idx", "game-12345678"}) {
    write_file(bench.directory / "others" / name, "FLSCVAL\n");
  }
  fs::create_directory(bench.directory / "others" / "sub");
  write_file(bench.directory / "others/sub" / (one.identifier.text() + ".val"), "FLSCVAL\n");
  fs::create_directory_symlink(bench.directory / "others/sub", bench.directory / "others/linked-12345678");
  CHECK(find_caches(bench.directory / "others").caches.empty());
}

TEST_CASE("cache inspection: caches of a directory and of the programs' folders in it, sorted", "[shadercache]") {
  InspectionBench bench;
  bench.fill(two, {10});
  bench.fill(one, {10});
  bench.fill(driver_versioned(one), {10}, {"adapter", 3});
  for (const char* program : {"b-00000001", "a-00000002"}) {
    bench.config.directory = bench.directory / "caches" / program;
    bench.restart();
    bench.fill(one, {10});
  }
  const CachePlaces places = find_caches(bench.directory / "caches");
  const std::string first = one.identifier.text();
  REQUIRE(places.caches.size() == 5);
  const std::string adapter = places.caches[1].adapter();
  CHECK(adapter.size() == 16);
  CHECK(names_of(places) == std::vector<std::string>{first, first + '-' + adapter, two.identifier.text(),
                                                     "a-00000002/" + first, "b-00000001/" + first});
  CHECK(places.caches[1].identifier() == first);
  CHECK(places.caches[0].adapter().empty());
  for (const CachePlace& place : places.caches) {
    CacheView view(place);
    CHECK(facts_of(view).entries == 1);
  }
}

TEST_CASE("cache inspection: counts, sizes and headers", "[shadercache]") {
  InspectionBench bench;
  bench.fill(with_version(one, 7), {5, 1000, 20, 2, 300});
  const CacheFacts facts = bench.facts(one);
  REQUIRE(facts.header);
  CHECK(facts.header->version == 7);
  CHECK(facts.header->driver == 0);
  CHECK(facts.entries == 5);
  CHECK(facts.value_bytes == 1327);
  CHECK(facts.key_bytes == 5 * 5);
  CHECK(facts.sizes.min == 2);
  CHECK(facts.sizes.median == 20);
  CHECK(facts.sizes.max == 1000);
  CHECK(facts.dead_bytes == 0);
  CHECK(facts.not_in_table == 0);
  CHECK(facts.slots == 1024);
  CHECK(facts.dropped_slots == 0);
  CHECK(facts.damaged_slots == 0);
  CHECK(facts.why_no_table.empty());
  CHECK(facts.values_bytes == fs::file_size(bench.file(one, ".val")));
  CHECK(facts.index_bytes == fs::file_size(bench.file(one, ".idx")));
  CHECK(facts.told.entries == 5);
  CHECK(facts.changed_s > 1'500'000'000);
  CHECK(facts.in_use == false);

  bench.fill(driver_versioned(two), {1}, {"adapter", 3});
  CacheView versioned(bench.places().caches.at(1));
  CHECK(facts_of(versioned).header->driver != 0);
}

TEST_CASE("cache inspection: entries of a session that goes on are counted, told or not", "[shadercache]") {
  InspectionBench bench;
  const auto session = bench.open(one);
  for (std::uint32_t stored = 0; stored < 100; ++stored) {
    const CacheFacts facts = bench.facts(one);
    CHECK(facts.in_use == true);
    CHECK(facts.entries == stored);
    CHECK(facts.value_bytes == 10 * stored);
    CHECK(store_in(*session, bench.key(stored), pattern(10, stored)) == CacheStatus::ok);
  }
  CHECK_FALSE(bench.facts(one).delete_on_destroy);
  session->set_delete_on_destroy();
  CHECK(bench.facts(one).delete_on_destroy);
}

TEST_CASE("cache inspection: a session of another process is seen, and no longer when that is killed",
          "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {10});
  NumberPipe ready;
  {
    ChildProcess child([&] {
      InspectionBench another;
      another.config.directory = bench.config.directory;
      another.restart();
      const auto session = another.open(one);
      ready.write(store_in(*session, "another", "value") == CacheStatus::ok ? 1 : 0);
      ::pause();
      return 0;
    });
    std::uint32_t stored = 0;
    REQUIRE(ready.read(stored));
    CHECK(stored == 1);
    const CacheFacts facts = bench.facts(one);
    CHECK(facts.in_use == true);
    CHECK(facts.entries == 2);
    CHECK(bench.verify(one).entries == 2);
    child.kill();
    child.wait();
  }
  CHECK(bench.facts(one).in_use == false);
  CHECK(bench.facts(one).entries == 2);
  const CacheVerification after = bench.verify(one);
  CHECK(after.whole());
  CHECK(after.entries == 2);
}

TEST_CASE("cache inspection: without its table a cache is counted in .val", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {10, 20, 30});
  const std::string index = contents_of(bench.file(one, ".idx"));
  const auto check = [&](const char* why) {
    INFO(why);
    const CacheFacts facts = bench.facts(one);
    CHECK_THAT(facts.why_no_table, Contains(why));
    CHECK(facts.entries == 3);
    CHECK(facts.not_in_table == 3);
    CHECK(facts.value_bytes == 60);
    CHECK(facts.sizes.median == 20);
    CHECK(facts.dead_bytes == 0);
  };
  fs::remove(bench.file(one, ".idx"));
  check("missing");
  write_file(bench.file(one, ".idx"), index.substr(0, 100));
  check("damaged");
  write_file(bench.file(one, ".idx"), index.substr(0, 10));
  check("10 bytes");
  write_file(bench.file(one, ".idx"), std::string(5000, 'x'));
  check("other bytes");
  fs::remove(bench.file(one, ".idx"));
  fs::create_directory(bench.file(one, ".idx"));
  check("a directory");
}

TEST_CASE("cache inspection: what has the name of a file and is none is told", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {10});
  fs::rename(bench.file(one, ".val"), bench.directory / "elsewhere");
  fs::create_symlink(bench.directory / "elsewhere", bench.file(one, ".val"));
  REQUIRE(::mkfifo(bench.file(two, ".val").c_str(), 0600) == 0);
  CHECK(bench.places().caches.size() == 2);
  CacheView link(bench.place(one));
  CHECK(link.values_look().reason == "a symbolic link");
  CHECK_FALSE(link.values().is_open());
  CacheView fifo(bench.place(two));
  CHECK(fifo.values_look().reason == "a FIFO");
  CHECK(facts_of(fifo).entries == 0);
  CHECK_FALSE(facts_of(fifo).header);
  for (const CacheDescription& description : {one, two}) {
    const CacheVerification result = bench.verify(description);
    CHECK_FALSE(result.whole());
    CHECK_THAT(result.damage.at(0).found, Contains(description.identifier == one.identifier ? "symbolic" : "FIFO"));
  }
}

TEST_CASE("cache inspection: an empty cache", "[shadercache]") {
  InspectionBench bench;
  bench.open(one);
  const CacheFacts facts = bench.facts(one);
  CHECK(facts.entries == 0);
  CHECK(facts.sizes.max == 0);
  CHECK(facts.dead_bytes == 0);
  CHECK(bench.verify(one).whole());
}
