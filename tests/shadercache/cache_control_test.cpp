// SPDX-License-Identifier: Apache-2.0
// ShaderCacheControl of APPLICATION_MANAGED: CLEAR, DISABLE and ENABLE.
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

bool has_files(const CacheBench& bench, const CacheDescription& description) {
  return std::filesystem::exists(bench.file(description, ".idx")) ||
         std::filesystem::exists(bench.file(description, ".val"));
}

}  // namespace

TEST_CASE("shader cache: they are enabled at first and as was said last", "[shadercache]") {
  CacheBench bench;
  CHECK(bench.caches->enabled());
  for (const bool enabled : {true, false, false, true, true, false}) {  // saying it again changes nothing
    bench.caches->set_enabled(enabled);
    CHECK(bench.caches->enabled() == enabled);
    CHECK(bench.status_of(default_cache(CacheMode::memory)) == (enabled ? Status::ok : Status::disabled));
  }
}

TEST_CASE("shader cache: disabled, nothing is opened, found or stored, and enabled again all goes on",
          "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  const auto session = bench.open(default_cache(mode));
  CHECK(store_in(*session, "key", "value") == Status::ok);
  for (int round = 0; round < 3; ++round) {
    bench.caches->set_enabled(false);
    CHECK(bench.status_of(default_cache(mode)) == Status::disabled);     // open already
    CHECK(bench.status_of(default_cache(mode, 2)) == Status::disabled);  // or not
    for (const std::string key : {"key", "other"}) {
      CHECK(store_in(*session, key, "another") == Status::disabled);
      for (const std::uint32_t room : {0U, 3U, 100U}) {
        std::string buffer(100, 'x');
        std::uint32_t bytes = room;
        CHECK(session->find_value(key.data(), size_of(key), buffer.data(), &bytes) == Status::disabled);
        CHECK(buffer == std::string(100, 'x'));
      }
      std::uint32_t bytes = 0;
      CHECK(session->find_value(key.data(), size_of(key), nullptr, &bytes) == Status::disabled);
    }
    bench.caches->set_enabled(true);
    CHECK(find_in(*session, "key") == "value");
    CHECK(find_in(*session, "other") == Status::not_found);
    CHECK(store_in(*session, "key", "another") == Status::already_exists);
    CHECK(find_in(*bench.open(default_cache(mode)), "key") == "value");
  }
  CHECK(store_in(*session, "other", "another") == Status::ok);
}

TEST_CASE("shader cache: disabled comes before full and before a collision", "[shadercache]") {
  CacheBench bench([](const void*, std::size_t) -> std::uint64_t { return 1; });
  CacheDescription description = default_cache(GENERATE(CacheMode::memory, CacheMode::disk));
  description.memory_bytes = 6;
  description.file_bytes = 300;
  const auto session = bench.open(description);
  CHECK(store_in(*session, "k", "value") == Status::ok);
  bench.caches->set_enabled(false);
  CHECK(store_in(*session, "other", "v") == Status::disabled);
  CHECK(find_in(*session, "other") == Status::disabled);
  CHECK(store_in(*session, "k", pattern(1000, 1)) == Status::disabled);
  CHECK(session->store_value("k", 1, "v", 0) == Status::invalid_argument);
  CHECK(session->find_value("k", 1, nullptr, nullptr) == Status::invalid_argument);
}

TEST_CASE("shader cache: disabled, it can be described, counted, marked and closed", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  auto session = bench.open(default_cache(mode));
  CHECK(store_in(*session, "key", "value") == Status::ok);
  bench.caches->set_enabled(false);
  CHECK(same(session->description(), resolved(default_cache(mode))));
  CHECK(session->statistics().entries == 1);
  session->set_delete_on_destroy();
  session.reset();
  CHECK_FALSE(has_files(bench, default_cache(mode)));
  bench.caches->set_enabled(true);
  CHECK(find_in(*bench.open(default_cache(mode)), "key") == Status::not_found);
}

TEST_CASE("shader cache: disabled, opening makes no files and clears no other version", "[shadercache]") {
  CacheBench bench;
  bench.caches->set_enabled(false);
  CHECK(bench.status_of(default_cache(CacheMode::disk)) == Status::disabled);
  CHECK_FALSE(has_files(bench, default_cache(CacheMode::disk)));
  bench.caches->set_enabled(true);
  CHECK(store_in(*bench.open(with_version(default_cache(CacheMode::disk), 1)), "key", "value") == Status::ok);
  bench.caches->set_enabled(false);
  CHECK(bench.status_of(with_version(default_cache(CacheMode::disk), 2)) == Status::disabled);
  bench.caches->set_enabled(true);
  CHECK(find_in(*bench.open(with_version(default_cache(CacheMode::disk), 1)), "key") == "value");
}

TEST_CASE("shader cache: disabling is of one process", "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  const auto here = bench.open(default_cache(CacheMode::disk));
  const auto there = CacheBench::open_in(*process, default_cache(CacheMode::disk));
  bench.caches->set_enabled(false);
  CHECK(process->enabled());
  CHECK(store_in(*there, "key", "value") == Status::ok);
  CHECK(find_in(*there, "key") == "value");
  CHECK(find_in(*here, "key") == Status::disabled);
  bench.caches->set_enabled(true);
  CHECK(find_in(*here, "key") == "value");
}

TEST_CASE("shader cache: a new process is enabled", "[shadercache]") {
  CacheBench bench;
  bench.caches->set_enabled(false);
  bench.restart();
  CHECK(bench.caches->enabled());
  CHECK(bench.status_of(default_cache(CacheMode::disk)) == Status::ok);
}

TEST_CASE("shader cache: clear empties every cache that has a session, enabled or not", "[shadercache]") {
  const bool enabled = GENERATE(true, false);
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  const std::vector<CacheDescription> descriptions{default_cache(CacheMode::memory, 1),
                                                   default_cache(CacheMode::disk, 1),
                                                   in_working_directory(default_cache(CacheMode::disk, 1)),
                                                   driver_versioned(default_cache(CacheMode::disk, 1)),
                                                   driver_versioned(default_cache(CacheMode::memory, 1)),
                                                   default_cache(CacheMode::memory, 2),
                                                   default_cache(CacheMode::disk, 2)};
  std::vector<std::unique_ptr<ShaderCacheSession>> sessions;
  for (const CacheDescription& description : descriptions) {
    sessions.push_back(bench.open(description, {"adapter", 1}));
    sessions.push_back(bench.open(description, {"adapter", 1}));
  }
  for (int round = 0; round < 3; ++round) {
    const std::string value = "value " + std::to_string(round);
    for (std::size_t i = 0; i < sessions.size(); i += 2) {
      CHECK(store_in(*sessions[i], "key", value) == Status::ok);
      CHECK(store_in(*sessions[i], std::to_string(round), value) == Status::ok);
      CHECK(find_in(*sessions[i + 1], "key") == value);
    }
    bench.caches->set_enabled(enabled);
    bench.caches->clear();
    if (round == 1) bench.caches->clear();  // of nothing
    bench.caches->set_enabled(true);
    for (const auto& session : sessions) {
      CHECK(find_in(*session, "key") == Status::not_found);
      CHECK(find_in(*session, std::to_string(round)) == Status::not_found);
      CHECK(session->statistics().entries == 0);
      CHECK(session->statistics().value_bytes == 0);
    }
  }
  sessions.clear();
  bench.restart();
  for (const CacheDescription& description : descriptions) {
    CHECK(find_in(*bench.open(description, {"adapter", 1}), "key") == Status::not_found);
  }
}

TEST_CASE("shader cache: clear keeps sessions, their description and their version", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  CacheDescription description = with_version(default_cache(mode), 5);
  description.memory_entries = 3;
  auto session = bench.open(description);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  bench.caches->clear();
  CHECK(same(session->description(), resolved(description)));
  CHECK(bench.status_of(with_version(description, 6)) == Status::already_exists);
  CHECK(store_in(*session, "key", "new") == Status::ok);
  CHECK(find_in(*bench.open(description), "key") == "new");
  if (mode == CacheMode::memory) return;
  session.reset();
  bench.restart();
  CHECK(find_in(*bench.open(description), "key") == "new");
}

TEST_CASE("shader cache: clear removes the files of those in the directory that nobody has open", "[shadercache]") {
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  const bool elsewhere = GENERATE(false, true);  // made by a run before
  for (std::uint32_t i = 1; i <= 5; ++i) {
    CHECK(store_in(*bench.open(default_cache(CacheMode::disk, i)), "key", "value") == Status::ok);
  }
  const CacheDescription of_adapter = driver_versioned(default_cache(CacheMode::disk, 1));
  const CacheDescription working = in_working_directory(default_cache(CacheMode::disk, 1));
  CHECK(store_in(*bench.open(of_adapter, {"adapter", 1}), "key", "value") == Status::ok);
  CHECK(store_in(*bench.open(working), "key", "value") == Status::ok);
  if (elsewhere) bench.restart();
  bench.caches->clear();
  for (std::uint32_t i = 1; i <= 5; ++i) CHECK_FALSE(has_files(bench, default_cache(CacheMode::disk, i)));
  for (const std::string& name : names_in(bench.config.directory)) {
    CHECK(std::filesystem::path(name).extension() != ".val");
    CHECK(std::filesystem::path(name).extension() != ".idx");
  }
  for (std::uint32_t i = 1; i <= 5; ++i) {
    CHECK(find_in(*bench.open(default_cache(CacheMode::disk, i)), "key") == Status::not_found);
  }
  CHECK(find_in(*bench.open(of_adapter, {"adapter", 1}), "key") == Status::not_found);
  CHECK(find_in(*bench.open(working), "key") == "value");  // had no session
}

TEST_CASE("shader cache: clear leaves what is not a cache, and works where there is no directory", "[shadercache]") {
  CacheBench bench;
  bench.caches->clear();
  CHECK(store_in(*bench.open(default_cache(CacheMode::disk)), "key", "value") == Status::ok);
  const std::filesystem::path notes = bench.config.directory / "notes.txt";
  const std::filesystem::path inner = bench.config.directory / "inner" / "notes.txt";
  write_file(notes, "notes");
  write_file(inner, "more");
  bench.caches->clear();
  CHECK(contents_of(notes) == "notes");
  CHECK(contents_of(inner) == "more");
  CHECK_FALSE(has_files(bench, default_cache(CacheMode::disk)));
  std::filesystem::remove_all(bench.config.directory);
  bench.caches->clear();
  CHECK(store_in(*bench.open(default_cache(CacheMode::disk)), "key", "value") == Status::ok);
}

TEST_CASE("shader cache: clear leaves files of a cache's ends that are none", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  CHECK(store_in(*bench.open(description), "key", "value") == Status::ok);
  const std::vector<std::string> others{"notes.val", "notes.idx", "notes.lock", "photos.val"};
  for (const std::string& name : others) write_file(bench.config.directory / name, "of somebody");
  CHECK(bench.caches->clear());
  CHECK_FALSE(has_files(bench, description));
  for (const std::string& name : others) CHECK(contents_of(bench.config.directory / name) == "of somebody");
  // With the name of a cache, too: it is told that it was left.
  write_file(bench.file(description, ".val"), "of somebody");
  CHECK_FALSE(bench.caches->clear());
  CHECK(contents_of(bench.file(description, ".val")) == "of somebody");
}

TEST_CASE("shader cache: clear empties what only another process has open", "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  auto there = CacheBench::open_in(*process, with_version(default_cache(CacheMode::disk), 3));
  CHECK(store_in(*there, "key", "value") == Status::ok);
  CHECK(bench.caches->clear());
  CHECK(find_in(*there, "key") == Status::not_found);
  CHECK(store_in(*there, "next", "value") == Status::ok);
  there.reset();
  const auto again = bench.open(with_version(default_cache(CacheMode::disk), 3));
  CHECK(find_in(*again, "key") == Status::not_found);
  CHECK(find_in(*again, "next") == "value");
}

TEST_CASE("shader cache: clear of one open in two processes empties it for both", "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  auto here = bench.open(default_cache(CacheMode::disk));
  auto there = CacheBench::open_in(*process, default_cache(CacheMode::disk));
  for (int round = 0; round < 5; ++round) {
    const std::string value = pattern(static_cast<std::size_t>(10 + 7 * round), 1);  // in memory of both
    CHECK(store_in(*here, "key", value) == Status::ok);
    CHECK(store_in(*there, "their key", value) == Status::ok);
    CHECK(find_in(*here, "their key") == value);
    CHECK(find_in(*there, "key") == value);
    (round % 2 == 0 ? bench.caches : process)->clear();
    for (const auto* session : {&here, &there}) {
      CHECK(find_in(**session, "key") == Status::not_found);
      CHECK(find_in(**session, "their key") == Status::not_found);
    }
  }
  CHECK(store_in(*there, "key", "last") == Status::ok);
  CHECK(find_in(*here, "key") == "last");
  here.reset();
  there.reset();
  CHECK(find_in(*bench.open(default_cache(CacheMode::disk)), "key") == "last");
}

TEST_CASE("shader cache: clear and a mark go together", "[shadercache]") {
  CacheBench bench;
  auto session = bench.open(default_cache(CacheMode::disk));
  CHECK(store_in(*session, "key", "value") == Status::ok);
  session->set_delete_on_destroy();
  bench.caches->clear();
  CHECK(store_in(*session, "key", "value") == Status::ok);  // marked still
  session.reset();
  CHECK_FALSE(has_files(bench, default_cache(CacheMode::disk)));
}
