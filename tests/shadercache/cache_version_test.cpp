// SPDX-License-Identifier: Apache-2.0
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

CacheDescription versioned(CacheMode mode, std::uint64_t version) { return with_version(default_cache(mode), version); }

constexpr std::uint64_t most = ~std::uint64_t{0};

}  // namespace

TEST_CASE("shader cache: a disk cache of another version is cleared, and stays so for the first one", "[shadercache]") {
  // Differences in the low and in the high half, and up as well as down.
  const std::vector<std::uint64_t> versions{0,
                                            1,
                                            2,
                                            std::uint64_t{1} << 31,
                                            std::uint64_t{1} << 32,
                                            (std::uint64_t{1} << 32) + 1,
                                            std::uint64_t{1} << 63,
                                            most - 1,
                                            most};
  CacheBench bench;
  for (const std::uint64_t one : versions) {
    for (const std::uint64_t two : versions) {
      INFO("from " << one << " to " << two);
      {
        const auto session = bench.open(versioned(CacheMode::disk, one));
        store_in(*session, "key", "one");
        CHECK(find_in(*session, "key") == "one");
        CHECK(session->description().version == one);
      }
      {
        const auto session = bench.open(versioned(CacheMode::disk, two));
        CHECK(session->description().version == two);
        if (one == two) {
          CHECK(find_in(*session, "key") == "one");
        } else {
          CHECK(find_in(*session, "key") == Status::not_found);
          CHECK(session->statistics().entries == 0);
          CHECK(store_in(*session, "key", "two") == Status::ok);
        }
      }
      const auto session = bench.open(versioned(CacheMode::disk, most / 2));  // neither of them
      CHECK(find_in(*session, "key") == Status::not_found);
    }
  }
}

TEST_CASE("shader cache: a version opened without storing anything has cleared the one before", "[shadercache]") {
  CacheBench bench;
  CHECK(store_in(*bench.open(versioned(CacheMode::disk, 1)), "key", "value") == Status::ok);
  if (GENERATE(false, true)) bench.restart();
  CHECK(bench.status_of(versioned(CacheMode::disk, 2)) == Status::ok);
  if (GENERATE(false, true)) bench.restart();
  CHECK(find_in(*bench.open(versioned(CacheMode::disk, 1)), "key") == Status::not_found);
}

TEST_CASE("shader cache: a disk cache cleared for its version gives its room back", "[shadercache]") {
  CacheBench bench;
  CacheDescription description = default_cache(CacheMode::disk);
  description.file_bytes = 100000;
  for (std::uint64_t version = 0; version < 10; ++version) {
    const auto session = bench.open(with_version(description, version));
    CHECK(store_in(*session, "key", pattern(90000, 1)) == Status::ok);
    CHECK(store_in(*session, "another", pattern(90000, 1)) == Status::full);
    CHECK(std::filesystem::file_size(bench.file(description, ".val")) <= 100000);
  }
}

TEST_CASE("shader cache: while a session is open another version already exists, and nothing is lost",
          "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  auto first = bench.open(versioned(mode, 5));
  CHECK(store_in(*first, "key", "value") == Status::ok);
  for (const std::uint64_t version : {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{6}, most}) {
    const OpenedCache opened = bench.caches->open(versioned(mode, version));
    CHECK(opened.status == Status::already_exists);
    CHECK(opened.session == nullptr);
    CHECK_FALSE(opened.reason.empty());
  }
  auto second = bench.open(versioned(mode, 5));
  CHECK(find_in(*second, "key") == "value");
  first.reset();  // there is still the second one
  CHECK(bench.status_of(versioned(mode, 6)) == Status::already_exists);
  CHECK(find_in(*second, "key") == "value");
  second.reset();
  const auto other = bench.open(versioned(mode, 6));
  CHECK(find_in(*other, "key") == Status::not_found);
  CHECK(bench.status_of(versioned(mode, 5)) == Status::already_exists);
}

TEST_CASE("shader cache: other identifiers, modes and places may be open in other versions", "[shadercache]") {
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  const auto disk = bench.open(with_version(default_cache(CacheMode::disk, 1), 1));
  const auto memory = bench.open(with_version(default_cache(CacheMode::memory, 1), 2));
  const auto working = bench.open(with_version(in_working_directory(default_cache(CacheMode::disk, 1)), 3));
  const auto other = bench.open(with_version(default_cache(CacheMode::disk, 2), 4));
  std::uint64_t version = 0;
  for (const auto* session : {&disk, &memory, &working, &other}) CHECK((*session)->description().version == ++version);
}

TEST_CASE("shader cache: another process that has the disk cache open keeps its version", "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  auto there = CacheBench::open_in(*process, versioned(CacheMode::disk, 1));
  CHECK(store_in(*there, "key", "value") == Status::ok);
  CHECK(bench.status_of(versioned(CacheMode::disk, 2)) == Status::already_exists);
  auto here = bench.open(versioned(CacheMode::disk, 1));
  CHECK(find_in(*here, "key") == "value");
  there.reset();  // now it is only open here
  CHECK(CacheBench::status_in(*process, versioned(CacheMode::disk, 2)) == Status::already_exists);
  CHECK(find_in(*here, "key") == "value");
  here.reset();
  there = CacheBench::open_in(*process, versioned(CacheMode::disk, 2));
  CHECK(find_in(*there, "key") == Status::not_found);
  CHECK(bench.status_of(versioned(CacheMode::disk, 1)) == Status::already_exists);
}

TEST_CASE("shader cache: a refused version does not keep the others from closing or opening", "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  for (std::uint64_t round = 0; round < 20; ++round) {
    auto session = bench.open(versioned(CacheMode::disk, round));
    CHECK(find_in(*session, "key") == Status::not_found);
    CHECK(store_in(*session, "key", std::to_string(round)) == Status::ok);
    for (int again = 0; again < 3; ++again) {
      CHECK(bench.status_of(versioned(CacheMode::disk, 1000)) == Status::already_exists);
      CHECK(CacheBench::status_in(*process, versioned(CacheMode::disk, 1000)) == Status::already_exists);
    }
    session.reset();
    CHECK(find_in(*bench.open(versioned(CacheMode::disk, round)), "key") == std::to_string(round));
  }
}

TEST_CASE("shader cache: memory caches of two processes have nothing in common", "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  const auto here = bench.open(versioned(CacheMode::memory, 1));
  const auto there = CacheBench::open_in(*process, versioned(CacheMode::memory, 2));
  CHECK(store_in(*here, "key", "here") == Status::ok);
  CHECK(find_in(*there, "key") == Status::not_found);
  CHECK(store_in(*there, "key", "there") == Status::ok);
  CHECK(find_in(*here, "key") == "here");
  CHECK(there->description().version == 2);
}

TEST_CASE("shader cache: another driver is another version for driver-versioned ones", "[shadercache]") {
  CacheBench bench;
  for (const std::uint64_t driver : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{1} << 32, most}) {
    const CacheDescription description = driver_versioned(versioned(CacheMode::disk, 7));
    auto session = bench.open(description, {"adapter", 1});
    store_in(*session, "key", "of 1");
    CHECK(find_in(*session, "key") == "of 1");
    CHECK(bench.status_of(description, {"adapter", driver}) == Status::already_exists);
    session.reset();
    session = bench.open(description, {"adapter", driver});
    CHECK(find_in(*session, "key") == Status::not_found);
    CHECK(session->description().version == 7);  // what was asked for
    CHECK(bench.status_of(description, {"adapter", 1}) == Status::already_exists);
    session.reset();
    CHECK(find_in(*bench.open(description, {"adapter", 1}), "key") == Status::not_found);
  }
}

TEST_CASE("shader cache: a driver-versioned memory cache has one driver while it is open", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = driver_versioned(versioned(CacheMode::memory, 7));
  auto session = bench.open(description, {"adapter", 1});
  CHECK(store_in(*session, "key", "value") == Status::ok);
  CHECK(bench.status_of(description, {"adapter", 2}) == Status::already_exists);
  CHECK(bench.status_of(with_version(description, 8), {"adapter", 1}) == Status::already_exists);
  CHECK(find_in(*bench.open(description, {"adapter", 1}), "key") == "value");
  const auto other = bench.open(with_version(description, 8), {"another", 2});  // a cache of its own
  CHECK(find_in(*other, "key") == Status::not_found);
  session.reset();
  CHECK(find_in(*bench.open(description, {"adapter", 2}), "key") == Status::not_found);
}

TEST_CASE("shader cache: version and driver both have to be the same, not their sum or their order", "[shadercache]") {
  struct Pair {
    std::uint64_t version;
    std::uint64_t driver;
  };
  const std::vector<Pair> pairs{{1, 2}, {2, 1}, {0, 3}, {3, 0}, {1, 1}, {0, 0}, {most, 1}, {1, most}, {most, most}};
  CacheBench bench;
  for (const Pair& one : pairs) {
    for (const Pair& two : pairs) {
      INFO(one.version << ", " << one.driver << " to " << two.version << ", " << two.driver);
      const bool same_pair = &one == &two;
      const auto open = [&](const Pair& pair) {
        return bench.open(driver_versioned(versioned(CacheMode::disk, pair.version)), {"adapter", pair.driver});
      };
      {
        const auto session = open(one);
        store_in(*session, "key", "value");
        CHECK(find_in(*session, "key") == "value");
      }
      const auto session = open(two);
      if (same_pair) {
        CHECK(find_in(*session, "key") == "value");
      } else {
        CHECK(find_in(*session, "key") == Status::not_found);
      }
    }
  }
}

TEST_CASE("shader cache: each adapter has a driver-versioned cache of its own", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  // Any name: also those that are alike, and those that are no names of files.
  const std::vector<std::string> adapters{"",
                                          "0",
                                          "NVIDIA GeForce RTX 4090",
                                          "nvidia geforce rtx 4090",
                                          "NVIDIA GeForce RTX 4090 ",
                                          "a/b",
                                          "a_b",
                                          "a b",
                                          "a",
                                          "A",
                                          ".",
                                          "..",
                                          "../x",
                                          "/",
                                          "x.val",
                                          "line\nbreak",
                                          "l\xc3\xa9ger",
                                          "\xff\xfe",
                                          std::string("a\0b", 3),
                                          std::string("a\0c", 3),
                                          "%2F",
                                          "-",
                                          "~",
                                          std::string(5000, 'x'),
                                          std::string(5001, 'x'),
                                          std::string(5000, 'x') + 'y'};
  const CacheDescription description = driver_versioned(default_cache(mode));
  std::vector<std::unique_ptr<ShaderCacheSession>> sessions;
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    sessions.push_back(bench.open(with_version(description, i), {adapters[i], 1}));
  }
  const auto plain = bench.open(with_version(default_cache(mode), 1000));
  CHECK(store_in(*plain, "key", "plain") == Status::ok);
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    INFO("adapter " << i);
    CHECK(store_in(*sessions[i], "key", "of " + std::to_string(i)) == Status::ok);
  }
  for (std::size_t i = 0; i < adapters.size(); ++i) CHECK(find_in(*sessions[i], "key") == "of " + std::to_string(i));
  CHECK(find_in(*plain, "key") == "plain");
  CHECK(names_in(bench.directory / ".") == (mode == CacheMode::disk || std::filesystem::exists(bench.config.directory)
                                                ? std::vector<std::string>{"caches"}
                                                : std::vector<std::string>{}));
  if (mode == CacheMode::memory) return;
  sessions.clear();
  bench.restart();
  for (const auto& entry : std::filesystem::directory_iterator(bench.config.directory)) CHECK(entry.is_regular_file());
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    INFO("adapter " << i);
    CHECK(find_in(*bench.open(with_version(description, i), {adapters[i], 1}), "key") == "of " + std::to_string(i));
  }
}

TEST_CASE("shader cache: a new driver of one adapter leaves the others' caches alone", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = driver_versioned(default_cache(CacheMode::disk));
  for (const char* adapter : {"a", "b", "c"}) {
    CHECK(store_in(*bench.open(description, {adapter, 1}), "key", adapter) == Status::ok);
  }
  CHECK(find_in(*bench.open(description, {"b", 2}), "key") == Status::not_found);
  CHECK(find_in(*bench.open(description, {"a", 1}), "key") == "a");
  CHECK(find_in(*bench.open(description, {"c", 1}), "key") == "c");
  CHECK(find_in(*bench.open(description, {"b", 1}), "key") == Status::not_found);
}

TEST_CASE("shader cache: one that is not driver-versioned does not ask for the driver", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  auto session = bench.open(versioned(mode, 3), {"one", 1});
  CHECK(store_in(*session, "key", "value") == Status::ok);
  for (const CacheDriver& driver :
       {CacheDriver{"one", 2}, CacheDriver{"two", 1}, CacheDriver{}, CacheDriver{"/", most}}) {
    CHECK(find_in(*bench.open(versioned(mode, 3), driver), "key") == "value");
    CHECK(bench.status_of(versioned(mode, 4), driver) == Status::already_exists);
  }
  if (mode == CacheMode::memory) return;
  session.reset();
  bench.restart();
  CHECK(find_in(*bench.open(versioned(mode, 3), {"three", 33}), "key") == "value");
}

TEST_CASE("shader cache: a driver-versioned one in the working directory is one for each adapter there",
          "[shadercache]") {
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  const CacheDescription inside = driver_versioned(in_working_directory(default_cache(CacheMode::disk)));
  const CacheDescription outside = driver_versioned(default_cache(CacheMode::disk));
  CHECK(store_in(*bench.open(inside, {"a", 1}), "key", "inside a") == Status::ok);
  CHECK(store_in(*bench.open(inside, {"b", 1}), "key", "inside b") == Status::ok);
  CHECK(store_in(*bench.open(outside, {"a", 1}), "key", "outside a") == Status::ok);
  bench.restart();
  CHECK(find_in(*bench.open(inside, {"a", 1}), "key") == "inside a");
  CHECK(find_in(*bench.open(inside, {"b", 1}), "key") == "inside b");
  CHECK(find_in(*bench.open(outside, {"a", 1}), "key") == "outside a");
  CHECK(find_in(*bench.open(inside, {"b", 2}), "key") == Status::not_found);
  CHECK(find_in(*bench.open(inside, {"a", 1}), "key") == "inside a");
}
