// SPDX-License-Identifier: Apache-2.0
// How much is read for what, and that what is not read at once is noticed where it matters.
#include "tests/shadercache/inspection_bench.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

const CacheDescription one = default_cache(CacheMode::disk);

/// That this process has read from files. Empty: the system does not count.
std::optional<std::uint64_t> bytes_read() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  std::uint64_t bytes = 0;
  if (counts >> name >> bytes && name == "rchar:") return bytes;
  return std::nullopt;
}

}  // namespace

TEST_CASE("shader cache: opening a cache of many entries and finding one reads no more of the table than it needs",
          "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, std::vector<std::uint32_t>(10'000, 8));
  bench.restart();
  const std::optional<std::uint64_t> before = bytes_read();
  const auto session = bench.open(one);
  CHECK(find_once(*session, InspectionBench::key(1234), 8) == pattern(8, 1234));
  const std::optional<std::uint64_t> after = bytes_read();
  if (!before || !after) return;
  CHECK(*after - *before < 32'000);  // the table is 32,768 slots of 32 bytes
}

TEST_CASE("shader cache: slots that never came to the disk are noticed by whoever misses them, alone or not",
          "[shadercache]") {
  const bool alone = GENERATE(true, false);
  const bool by_store = GENERATE(true, false);
  CAPTURE(alone, by_store);
  InspectionBench bench;
  bench.fill(one, {5, 6, 7});
  std::string index = contents_of(bench.file(one, ".idx"));
  index.replace(bench.slot(one), sizeof(CacheSlot), sizeof(CacheSlot), '\0');
  write_file(bench.file(one, ".idx"), index);
  bench.restart();
  const auto process = bench.another_process();
  const auto first = alone ? nullptr : CacheBench::open_in(*process, one);  // has not looked
  const auto session = bench.open(one);
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (by_store) {
      CHECK(store_in(*session, InspectionBench::key(i), "other") == Status::already_exists);
    } else {
      CHECK(find_in(*session, InspectionBench::key(i)) == pattern(5 + i, i));
    }
    if (first) CHECK(find_in(*first, InspectionBench::key(i)) == pattern(5 + i, i));
  }
  CHECK(find_in(*session, "absent") == Status::not_found);
  CHECK(session->statistics().entries == 3);
  CHECK(session->statistics().damaged == 0);
}

TEST_CASE("shader cache: the count of entries is right where slots never came to the disk", "[shadercache]") {
  InspectionBench bench;
  bench.fill(one, {5, 6, 7});
  std::string index = contents_of(bench.file(one, ".idx"));
  index.replace(bench.slot(one), sizeof(CacheSlot), sizeof(CacheSlot), '\0');
  write_file(bench.file(one, ".idx"), index);
  bench.restart();
  CHECK(bench.open(one)->statistics().entries == 3);
  bench.restart();
  CHECK(bench.verify(one).damage.empty());
}
