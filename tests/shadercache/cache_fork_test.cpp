// SPDX-License-Identifier: Apache-2.0
// A process that forks with a session open: parent and child have it open, each for itself.
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

TEST_CASE("shader cache: parent and child of a fork store at once through one session, and nothing is lost",
          "[shadercache]") {
  constexpr int entries = 400;
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  auto session = bench.open(description);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  NumberPipe go_on;
  const auto store_all = [&](const std::string& who) {
    for (int i = 0; i < entries; ++i) {
      if (store_in(*session, who + std::to_string(i), pattern(300, 1)) != Status::ok) return false;
    }
    return true;
  };
  ChildProcess child([&] {
    std::uint32_t number = 0;
    if (!go_on.read(number)) return 1;
    return store_all("child ") ? 0 : 2;
  });
  go_on.write(0);
  CHECK(store_all("parent "));
  CHECK(child.wait() == 0);
  for (int run = 0; run < 2; ++run) {
    int found = 0;
    for (int i = 0; i < entries; ++i) {
      for (const char* const who : {"parent ", "child "}) {
        if (find_in(*session, who + std::to_string(i)) == pattern(300, 1)) ++found;
      }
    }
    CHECK(found == 2 * entries);
    CHECK(session->statistics().entries == 2 * entries + 1);
    CHECK(session->statistics().damaged == 0);
    session.reset();
    bench.restart();
    session = bench.open(description);
  }
}

TEST_CASE("shader cache: what a fork's child closes stays open in the parent", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  auto session = bench.open(description);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  session->set_delete_on_destroy();
  ChildProcess child([&] {
    session.reset();
    return 0;
  });
  CHECK(child.wait() == 0);
  CHECK(find_in(*session, "key") == "value");
  const auto process = bench.another_process();
  CHECK(CacheBench::status_in(*process, with_version(description, 2)) == Status::already_exists);
  CHECK(find_in(*session, "key") == "value");
}
