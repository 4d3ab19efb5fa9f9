// SPDX-License-Identifier: Apache-2.0
// A process that is stopped while it writes makes the others wait, and not for ever.
#include "shadercache/files/cache_lock.hpp"
#include "shadercache/files/cache_removal.hpp"
#include "tests/shadercache/inspection_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdint>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

CacheDescription on_disk_alone() {
  CacheDescription description = default_cache(CacheMode::disk);
  description.memory_bytes = 1;
  return description;
}
const CacheDescription one = on_disk_alone();

}  // namespace

TEST_CASE("shader cache: beside a writer that is stopped calls answer unavailable after a while, and go on behind it",
          "[shadercache]") {
  InspectionBench bench;
  bench.config.most_wait = std::chrono::milliseconds(20);
  bench.restart();
  const auto session = bench.open(one);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  const auto beside = bench.another_process();
  const auto unread = CacheBench::open_in(*beside, one);  // has read no slot yet
  NumberPipe held;
  NumberPipe go_on;
  ChildProcess child([&] {
    const CacheLock lock = CacheLock::open(CacheDirectory(bench.config.directory), one.identifier.text() + ".lock");
    if (!lock.is_open()) return 1;
    held.write(0);
    std::uint32_t number = 0;
    return go_on.read(number) ? 0 : 2;
  });
  held.close_writing();
  std::uint32_t number = 0;
  REQUIRE(held.read(number));
  CHECK(store_in(*session, "other", "value") == Status::unavailable);
  CHECK(find_in(*session, "key") == "value");  // readers take no lock
  CHECK(find_in(*session, "absent") == Status::not_found);
  CHECK(session->statistics().entries == 1);
  CHECK_FALSE(session->clear());
  CHECK_FALSE(bench.caches->clear());
  const auto process = bench.another_process();
  const OpenedCache opened = process->open(one);
  CHECK(opened.status == Status::unavailable);
  CHECK(opened.reason.find("stopped") != std::string::npos);
  CHECK(clear_cache(bench.place(one), std::chrono::milliseconds(20)).what == CacheClearing::What::refused);
  // What needs the lock to be looked at again.
  const std::uint64_t slot = bench.slot(one);
  bench.damage(one, ".idx", slot);
  CHECK(find_in(*unread, "key") == Status::unavailable);
  CHECK(find_in(*session, "key") == "value");  // where it is it knows
  bench.damage(one, ".idx", slot);             // back
  go_on.write(0);
  CHECK(child.wait() == 0);
  CHECK(find_in(*unread, "key") == "value");
  CHECK(store_in(*session, "other", "value") == Status::ok);
  CHECK(find_in(*CacheBench::open_in(*process, one), "other") == "value");
}
