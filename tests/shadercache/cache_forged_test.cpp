// SPDX-License-Identifier: Apache-2.0
// Files that somebody made to be larger than they are, with checks that are right.
#include "shadercache/files/cache_index.hpp"
#include "shadercache/files/cache_record.hpp"
#include "shadercache/files/cache_removal.hpp"
#include "tests/shadercache/inspection_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

constexpr std::uint64_t gib = 1ULL << 30;
constexpr std::uint64_t tib = 1ULL << 40;

/// Every find reads the files.
CacheDescription on_disk_alone() {
  CacheDescription description = default_cache(CacheMode::disk);
  description.memory_bytes = 1;
  return description;
}
const CacheDescription one = on_disk_alone();

std::uint64_t era_of(const std::string& index) {
  CacheHeader header;
  if (!read_header(reinterpret_cast<const std::byte*>(index.data()), "IDX", header)) throw std::runtime_error("no era");
  return header.era;
}

/// The slot at a place of .idx says to have a value of so many bytes.
void forge_value_bytes(const InspectionBench& bench, std::uint64_t at, std::uint32_t value_bytes) {
  std::string index = contents_of(bench.file(one, ".idx"));
  CacheSlot slot;
  std::memcpy(&slot, index.data() + at, sizeof slot);
  slot.value_bytes = value_bytes;
  slot.seal(era_of(index));
  std::memcpy(index.data() + at, &slot, sizeof slot);
  write_file(bench.file(one, ".idx"), index);
}

}  // namespace

TEST_CASE("shader cache: a file of values of 1 TiB that is empty behind its entries opens and is cut",
          "[shadercache]") {
  const bool with_table = GENERATE(true, false);
  InspectionBench bench;
  bench.fill(one, {10, 2000});
  std::filesystem::resize_file(bench.file(one, ".val"), tib);
  if (!with_table) std::filesystem::remove(bench.file(one, ".idx"));
  const auto session = bench.open(one);
  CHECK(find_in(*session, InspectionBench::key(0)) == pattern(10, 0));
  CHECK(find_in(*session, InspectionBench::key(1)) == pattern(2000, 1));
  CHECK(store_in(*session, "new", "value") == Status::ok);
  CHECK(find_in(*session, "new") == "value");
  CHECK(std::filesystem::file_size(bench.file(one, ".val")) < 4096);
}

TEST_CASE("shader cache: one that becomes 1 TiB while it is open is cut by the next store and the next clearing",
          "[shadercache]") {
  const bool cleared = GENERATE(false, true);
  InspectionBench bench;
  const auto session = bench.open(one);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  std::filesystem::resize_file(bench.file(one, ".val"), tib);
  if (cleared) {
    CHECK(clear_cache(bench.place(one)).what == CacheClearing::What::emptied);
    CHECK(find_in(*session, "key") == Status::not_found);
  } else {
    CHECK(store_in(*session, "other", "value") == Status::ok);
    CHECK(find_in(*session, "key") == "value");
  }
  CHECK(std::filesystem::file_size(bench.file(one, ".val")) < 4096);
}

TEST_CASE("shader cache: a slot that leads behind what a file of values may have is damaged, and takes no memory",
          "[shadercache]") {
  InspectionBench bench;
  auto session = bench.open(one);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  std::filesystem::resize_file(bench.file(one, ".val"), 8 * gib);
  forge_value_bytes(bench, bench.slot(one), ~std::uint32_t{0});
  ChildProcess child([&] {
    if (!(find_in(*session, "key") == Status::not_found)) return 1;
    if (session->statistics().damaged != 1) return 2;
    ::rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return static_cast<std::uint64_t>(used.ru_maxrss) * 1024 < gib ? 0 : 3;
  });
  CHECK(child.wait() == 0);
}

TEST_CASE("cache index: more entries than half the slots of the largest table are refused", "[shadercache]") {
  TemporaryDirectory directory;
  const CacheDirectory place(directory / "caches");
  std::vector<CacheSlot> slots(3);
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i].hash = i + 1;
  CHECK(CacheIndex::make(place, "a.idx", {}, slots, {}).state().entries == 3);
  CHECK(CacheIndex::most_entries == 1ULL << 25);
  // More than 1 GiB of .val has: the vector alone would be 1 GiB, so only the limit is looked at here.
  CHECK(CacheIndex::most_entries >= (gib - header_bytes) / bytes_of_record(0, 0));
}

TEST_CASE("shader cache: of two records of a key the later one is found when the table is made anew", "[shadercache]") {
  const bool by_scan_of_the_end = GENERATE(false, true);
  InspectionBench bench;
  auto session = bench.open(one);
  CHECK(store_in(*session, "key", "first") == Status::ok);
  // As a crash of the system leaves it: the slot never came to the disk.
  std::string index = contents_of(bench.file(one, ".idx"));
  const std::string whole = index;
  index.replace(bench.slot(one), sizeof(CacheSlot), sizeof(CacheSlot), '\0');
  write_file(bench.file(one, ".idx"), index);
  CHECK(store_in(*session, "key", "second") == Status::ok);
  CHECK(find_in(*session, "key") == "second");
  session.reset();
  if (by_scan_of_the_end) write_file(bench.file(one, ".idx"), whole);  // or it came there, and the later one did not
  for (int run = 0; run < 2; ++run) {
    bench.restart();
    const auto again = bench.open(one);
    CHECK(find_in(*again, "key") == "second");
    CHECK(again->statistics().entries == 1);
    CHECK(again->statistics().value_bytes == 6);
  }
}
