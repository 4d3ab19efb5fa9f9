// SPDX-License-Identifier: Apache-2.0
// Files that go, or become others, while a session is open.
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

const CacheDescription one = roomy_cache(CacheMode::disk);

void remove_files(const CacheBench& bench, const std::vector<std::string>& ends = {".val", ".idx", ".lock"}) {
  for (const std::string& end : ends) std::filesystem::remove(bench.file(one, end));
}

}  // namespace

TEST_CASE("shader cache: deleted by hand while open and made again in another version, the first session is out",
          "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  const auto here = bench.open(with_version(one, 1));
  CHECK(store_in(*here, "key", "of 1") == Status::ok);
  remove_files(bench);
  const auto there = CacheBench::open_in(*process, with_version(one, 2));
  CHECK(store_in(*there, "key", "of 2") == Status::ok);
  for (int i = 0; i < 2; ++i) {
    CHECK(find_in(*here, "key") == Status::corrupt);
    CHECK(find_in(*here, "absent") == Status::corrupt);
    CHECK(store_in(*here, "more", "of 1") == Status::corrupt);
  }
  CHECK(find_in(*there, "key") == "of 2");
  CHECK(find_in(*there, "more") == Status::not_found);
  CHECK(there->statistics().entries == 1);
}

TEST_CASE("shader cache: where others have it open and no file says its version, it is not made anew",
          "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  const auto here = bench.open(with_version(one, 1));
  CHECK(store_in(*here, "key", "of 1") == Status::ok);
  remove_files(bench, {".val", ".idx"});
  CHECK(CacheBench::status_in(*process, with_version(one, 2)) == Status::corrupt);
  CHECK(find_in(*here, "key") == Status::not_found);
  CHECK(store_in(*here, "key", "again") == Status::ok);
  CHECK(CacheBench::status_in(*process, with_version(one, 2)) == Status::already_exists);
  CHECK(find_in(*CacheBench::open_in(*process, with_version(one, 1)), "key") == "again");
}

TEST_CASE("shader cache: deleted by hand while open, the old session and a new one have one lock", "[shadercache]") {
  const bool lock_alone = GENERATE(false, true);
  CacheBench bench;
  const auto process = bench.another_process();
  const auto here = bench.open(with_version(one, 1));
  lock_alone ? remove_files(bench, {".lock"}) : remove_files(bench);
  auto there = CacheBench::open_in(*process, with_version(one, 1));
  CHECK(store_in(*here, "key", "value") == Status::ok);
  CHECK(find_in(*there, "key") == "value");
  there.reset();
  CHECK(CacheBench::status_in(*process, with_version(one, 2)) == Status::already_exists);  // open here
  CHECK(find_in(*here, "key") == "value");
}

TEST_CASE("shader cache: deleted by hand while open, nothing is lost of what two processes then store at once",
          "[shadercache]") {
  constexpr int entries = 300;
  const bool lock_alone = GENERATE(false, true);
  CacheBench bench;
  auto here = bench.open(one);
  CHECK(store_in(*here, "key", "value") == Status::ok);
  lock_alone ? remove_files(bench, {".lock"}) : remove_files(bench);
  NumberPipe opened;
  NumberPipe go_on;
  const auto store_all = [](ShaderCacheSession& session, const std::string& who) {
    for (int i = 0; i < entries; ++i) {
      if (store_in(session, who + std::to_string(i), pattern(200, 1)) != Status::ok) return false;
    }
    return true;
  };
  ChildProcess child([&] {
    const auto caches = bench.another_process();
    const auto session = CacheBench::open_in(*caches, one);
    opened.write(0);
    std::uint32_t number = 0;
    if (!go_on.read(number)) return 1;
    return store_all(*session, "child ") ? 0 : 2;
  });
  opened.close_writing();
  std::uint32_t number = 0;
  REQUIRE(opened.read(number));
  go_on.write(0);
  CHECK(store_all(*here, "parent "));
  CHECK(child.wait() == 0);
  here.reset();
  bench.restart();
  const auto again = bench.open(one);
  int found = 0;
  for (int i = 0; i < entries; ++i) {
    for (const char* const who : {"parent ", "child "}) {
      if (find_in(*again, who + std::to_string(i)) == pattern(200, 1)) ++found;
    }
  }
  CHECK(found == 2 * entries);
}

TEST_CASE("shader cache: what can neither be opened nor reset is corrupt to who finds as to who stores",
          "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(one);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  remove_files(bench, {".val"});
  std::filesystem::create_directory(bench.file(one, ".val"));
  CHECK(find_in(*session, "key") == Status::corrupt);
  CHECK(find_in(*session, "absent") == Status::corrupt);
  CHECK(store_in(*session, "other", "value") == Status::corrupt);
  CHECK_FALSE(bench.caches->clear());
  std::filesystem::remove(bench.file(one, ".val"));
  CHECK(find_in(*session, "key") == Status::not_found);
  CHECK(store_in(*session, "key", "again") == Status::ok);
  CHECK(bench.caches->clear());
}
