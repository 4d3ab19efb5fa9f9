// SPDX-License-Identifier: Apache-2.0
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

constexpr std::uint32_t gib = 1U << 30;

/// One for each reason to refuse it, and some for several.
std::vector<CacheDescription> refused_descriptions(CacheMode mode) {
  std::vector<CacheDescription> refused(6, default_cache(mode));
  refused[0].identifier = CacheIdentifier{};
  refused[1].file_bytes = gib + 1;
  refused[2].file_bytes = 4294967295U;
  refused[3].mode = static_cast<CacheMode>(2);
  refused[4].mode = static_cast<CacheMode>(255);
  refused[5].identifier = CacheIdentifier{};
  refused[5].file_bytes = gib + 1;
  return refused;
}

}  // namespace

TEST_CASE("shader cache: a new one is opened and is empty", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const OpenedCache opened = bench.caches->open(default_cache(mode));
  CHECK(opened.status == Status::ok);
  CHECK(opened.reason.empty());
  REQUIRE(opened.session != nullptr);
  CHECK(find_in(*opened.session, "key") == Status::not_found);
  const CacheStatistics statistics = opened.session->statistics();
  CHECK(statistics.entries == 0);
  CHECK(statistics.value_bytes == 0);
  CHECK(statistics.memory_hits == 0);
  CHECK(statistics.disk_hits == 0);
  CHECK(statistics.damaged == 0);
}

TEST_CASE("shader cache: what refusal_of refuses is an invalid argument, with a reason and without files",
          "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  for (const CacheDescription& description : refused_descriptions(mode)) {
    const OpenedCache opened = bench.caches->open(description);
    CHECK(opened.status == Status::invalid_argument);
    CHECK(opened.session == nullptr);
    CHECK_FALSE(opened.reason.empty());
  }
  if (std::filesystem::exists(bench.config.directory)) CHECK(names_in(bench.config.directory).empty());
}

TEST_CASE("shader cache: an invalid argument comes before disabled, and disabled before another version",
          "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const auto session = bench.open(with_version(default_cache(mode), 1));
  bench.caches->set_enabled(false);
  for (const CacheDescription& description : refused_descriptions(mode)) {
    CHECK(bench.status_of(with_version(description, 2)) == Status::invalid_argument);
  }
  CHECK(bench.status_of(with_version(default_cache(mode), 2)) == Status::disabled);
  bench.caches->set_enabled(true);
  for (const CacheDescription& description : refused_descriptions(mode)) {
    CHECK(bench.status_of(with_version(description, 2)) == Status::invalid_argument);
  }
  CHECK(bench.status_of(with_version(default_cache(mode), 2)) == Status::already_exists);
}

TEST_CASE("shader cache: a refused opening does nothing to an open one", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const auto session = bench.open(default_cache(mode));
  CHECK(store_in(*session, "key", "value") == Status::ok);
  for (const CacheDescription& description : refused_descriptions(mode)) bench.status_of(description);
  CHECK(find_in(*session, "key") == "value");
}

TEST_CASE("shader cache: a file of exactly 1 GiB and limits of 2^32 - 1 are accepted and work", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  CacheDescription description = default_cache(mode);
  description.memory_bytes = 4294967295U;
  description.memory_entries = 4294967295U;
  description.file_bytes = gib;
  const auto session = bench.open(description);
  CHECK(same(session->description(), description));
  const std::string value = pattern(100000, 1);
  CHECK(store_in(*session, "key", value) == Status::ok);
  CHECK(find_in(*session, "key") == value);
}

TEST_CASE("shader cache: limits of 1 are accepted, and nothing fits", "[shadercache]") {
  CacheBench bench;
  CacheDescription description = default_cache(CacheMode::memory);
  description.memory_bytes = 1;
  description.memory_entries = 1;
  description.file_bytes = 1;
  const auto memory = bench.open(description);
  CHECK(store_in(*memory, "k", "v") == Status::full);
  CHECK(find_in(*memory, "k") == Status::not_found);
  description.mode = CacheMode::disk;
  const auto disk = bench.open(description);
  CHECK(same(disk->description(), description));
  CHECK(store_in(*disk, "k", "v") == Status::full);
  CHECK(find_in(*disk, "k") == Status::not_found);
}

TEST_CASE("shader cache: its description is the one it was opened with, resolved", "[shadercache]") {
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  CacheDescription description = default_cache(GENERATE(CacheMode::memory, CacheMode::disk));
  description.driver_versioned = GENERATE(false, true);
  description.use_working_directory = GENERATE(false, true);
  description.version = 5;
  description.memory_entries = 3;
  {
    const auto session = bench.open(description, {"adapter", 1});
    CHECK(same(session->description(), resolved(description)));
    CHECK(session->description().memory_bytes == 1024);
    CHECK(session->description().memory_entries == 3);
    CHECK(session->description().file_bytes == 134217728);
  }
  description.memory_bytes = 77;
  description.file_bytes = 4097;
  const auto session = bench.open(description, {"adapter", 1});
  CHECK(same(session->description(), description));
}

TEST_CASE("shader cache: sessions of one identifier share its entries and the first one's description",
          "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  CacheDescription description = default_cache(mode);
  description.memory_entries = 2;
  description.memory_bytes = 100;
  const auto first = bench.open(description);
  std::vector<std::unique_ptr<ShaderCacheSession>> others;
  for (const std::uint32_t limit : {0U, 1U, 100U, 5000U, gib}) {
    CacheDescription asked = description;
    asked.memory_bytes = limit;
    asked.memory_entries = limit;
    asked.file_bytes = limit;
    others.push_back(bench.open(asked));
    CHECK(same(others.back()->description(), resolved(description)));
  }
  for (const auto& other : others) {
    const std::string key = "key";
    const Status expected = &other == &others.front() ? Status::ok : Status::already_exists;
    CHECK(store_in(*other, key, "value") == expected);
    CHECK(find_in(*first, key) == "value");
  }
  CHECK(store_in(*first, "another", "x") == Status::ok);
  for (const auto& other : others) CHECK(find_in(*other, "another") == "x");
  // Two entries, as the first one said.
  const Status third = mode == CacheMode::memory ? Status::full : Status::ok;
  CHECK(store_in(*others.back(), "third", "x") == third);
  CHECK(first->statistics().entries == (third == Status::ok ? 3 : 2));
}

TEST_CASE("shader cache: the description outlives the session it is of", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  CacheDescription description = default_cache(mode);
  description.memory_entries = 7;
  auto first = bench.open(description);
  description.memory_entries = 9;
  auto second = bench.open(description);
  first.reset();
  CHECK(second->description().memory_entries == 7);
  CHECK(bench.open(description)->description().memory_entries == 7);
  second.reset();
  CHECK(bench.open(description)->description().memory_entries == 9);  // opened anew
}

TEST_CASE("shader cache: identifiers, modes and places are stored side by side", "[shadercache]") {
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  std::vector<CacheDescription> descriptions;
  for (const std::uint32_t number : {1U, 2U, 256U, 16777216U}) {
    descriptions.push_back(default_cache(CacheMode::memory, number));
    descriptions.push_back(default_cache(CacheMode::disk, number));
    descriptions.push_back(in_working_directory(default_cache(CacheMode::disk, number)));
  }
  for (std::size_t i = 0; i < descriptions.size(); ++i) descriptions[i].version = i;  // of each its own
  std::vector<std::unique_ptr<ShaderCacheSession>> sessions;
  for (const CacheDescription& description : descriptions) sessions.push_back(bench.open(description));
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    CHECK(find_in(*sessions[i], "key") == Status::not_found);
    CHECK(store_in(*sessions[i], "key", "value " + std::to_string(i)) == Status::ok);
  }
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    CHECK(find_in(*sessions[i], "key") == "value " + std::to_string(i));
    CHECK(sessions[i]->statistics().entries == 1);
  }
  sessions.clear();
  bench.restart();
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    const Found found = find_in(*bench.open(descriptions[i]), "key");
    if (descriptions[i].mode == CacheMode::disk) {
      CHECK(found == "value " + std::to_string(i));
    } else {
      CHECK(found == Status::not_found);
    }
  }
}

TEST_CASE("shader cache: each working directory has a cache of its own, which stays where it was opened",
          "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = in_working_directory(default_cache(CacheMode::disk));
  std::unique_ptr<ShaderCacheSession> one;
  std::unique_ptr<ShaderCacheSession> two;
  {
    const WorkingDirectory here(bench.directory / "one");
    one = bench.open(description);
    CHECK(store_in(*one, "key", "one") == Status::ok);
  }
  {
    const WorkingDirectory here(bench.directory / "two");
    two = bench.open(description);
    CHECK(find_in(*two, "key") == Status::not_found);
    CHECK(store_in(*two, "key", "two") == Status::ok);
    CHECK(store_in(*one, "late", "one") == Status::ok);  // goes to where it was opened
    CHECK(find_in(*two, "late") == Status::not_found);
  }
  one.reset();
  two.reset();
  bench.restart();
  {
    const WorkingDirectory here(bench.directory / "one");
    const auto session = bench.open(description);
    CHECK(find_in(*session, "key") == "one");
    CHECK(find_in(*session, "late") == "one");
  }
  const WorkingDirectory here(bench.directory / "two");
  const auto session = bench.open(description);
  CHECK(find_in(*session, "key") == "two");
  CHECK(find_in(*session, "late") == Status::not_found);
}

TEST_CASE("shader cache: a hundred of them at once keep their own entries", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  std::vector<std::unique_ptr<ShaderCacheSession>> sessions;
  for (std::uint32_t i = 0; i < 100; ++i) sessions.push_back(bench.open(default_cache(mode, i)));
  for (std::uint32_t i = 0; i < 100; ++i) CHECK(store_in(*sessions[i], "key", std::to_string(i)) == Status::ok);
  for (std::uint32_t i = 0; i < 100; ++i) {
    CHECK(find_in(*sessions[i], "key") == std::to_string(i));
    CHECK(find_in(*bench.open(default_cache(mode, i)), "key") == std::to_string(i));
  }
}
