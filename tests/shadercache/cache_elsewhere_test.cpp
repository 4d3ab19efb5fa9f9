// SPDX-License-Identifier: Apache-2.0
// What another process clears is gone from this one's memory, too, whatever this one asks for next.
#include "shadercache/files/cache_lock.hpp"
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

const CacheDescription shared = roomy_cache(CacheMode::disk);

}  // namespace

TEST_CASE("shader cache: cleared elsewhere and counted here, it has nothing of what it had in memory",
          "[shadercache]") {
  const bool stored_again = GENERATE(false, true);
  CacheBench bench;
  const auto process = bench.another_process();
  const auto here = bench.open(shared);
  const auto there = CacheBench::open_in(*process, shared);
  for (int round = 0; round < 3; ++round) {
    const std::string before = "before " + std::to_string(round);
    const std::string after = "behind " + std::to_string(round);
    CHECK(store_in(*here, "key", before) == Status::ok);
    CHECK(find_in(*here, "key") == before);
    process->clear();
    if (stored_again) CHECK(store_in(*there, "key", after) == Status::ok);
    CHECK(here->statistics().entries == (stored_again ? 1 : 0));
    if (stored_again) {
      CHECK(find_in(*here, "key") == after);
      CHECK(store_in(*here, "key", before) == Status::already_exists);
    } else {
      CHECK(find_in(*here, "key") == Status::not_found);
      CHECK(store_in(*here, "key", after) == Status::ok);
      CHECK(find_in(*there, "key") == after);
    }
    process->clear();
  }
}

TEST_CASE("shader cache: cleared elsewhere and stored there, a store of another key here brings back no old value",
          "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  const auto here = bench.open(shared);
  const auto there = CacheBench::open_in(*process, shared);
  CHECK(store_in(*here, "key", "old") == Status::ok);
  process->clear();
  CHECK(store_in(*there, "key", "new") == Status::ok);
  CHECK(store_in(*here, "other", "value") == Status::ok);
  CHECK(find_in(*here, "key") == "new");
  CHECK(find_in(*here, "other") == "value");
}

TEST_CASE("shader cache: cleared while a call waits for its turn, nothing of what it had is found behind that call",
          "[shadercache]") {
  const bool by_storing = GENERATE(true, false);
  CacheBench bench;
  const auto here = bench.open(shared);
  CHECK(store_in(*here, "key", "old") == Status::ok);
  // A clearing puts other files in the place of these. Here they are ready, so that the lock is held all the while.
  CacheBench other;
  CHECK(store_in(*other.open(shared), "key", "new") == Status::ok);
  NumberPipe held;
  NumberPipe go_on;
  ChildProcess child([&] {
    CacheLock lock = CacheLock::open(CacheDirectory(bench.config.directory), shared.identifier.text() + ".lock");
    if (!lock.is_open()) return 1;
    held.write(0);
    std::uint32_t number = 0;
    if (!go_on.read(number)) return 2;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the call waits by now; right is what it does if not
    for (const char* const end : {".val", ".idx"}) {
      std::filesystem::rename(other.file(shared, end), bench.file(shared, end));
    }
    return 0;
  });
  held.close_writing();
  std::uint32_t number = 0;
  REQUIRE(held.read(number));
  go_on.write(0);
  if (by_storing) {
    CHECK(store_in(*here, "other", "value") == Status::ok);
  } else {
    CHECK(find_in(*here, "absent") == Status::not_found);
  }
  CHECK(child.wait() == 0);
  CHECK(find_in(*here, "key") == "new");
}
