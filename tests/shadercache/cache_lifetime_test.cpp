// SPDX-License-Identifier: Apache-2.0
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

using Sessions = std::vector<std::unique_ptr<ShaderCacheSession>>;

bool has_files(const CacheBench& bench, const CacheDescription& description) {
  return std::filesystem::exists(bench.file(description, ".idx")) ||
         std::filesystem::exists(bench.file(description, ".val"));
}

}  // namespace

TEST_CASE("shader cache: a memory cache is gone with its last session, whichever that is", "[shadercache]") {
  CacheBench bench;
  for (const std::size_t count : {1, 2, 5}) {
    for (std::size_t last = 0; last < count; ++last) {
      Sessions sessions;
      for (std::size_t i = 0; i < count; ++i) sessions.push_back(bench.open(default_cache(CacheMode::memory)));
      CHECK(find_in(*sessions[0], "key") == Status::not_found);
      CHECK(store_in(*sessions[0], "key", "value") == Status::ok);
      for (std::size_t i = 0; i < count; ++i) {
        if (i != last) sessions[i].reset();
        CHECK(find_in(*sessions[last], "key") == "value");
      }
      CHECK(find_in(*bench.open(default_cache(CacheMode::memory)), "key") == "value");
    }
  }
}

TEST_CASE("shader cache: a memory cache makes no files", "[shadercache]") {
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  {
    const auto session = bench.open(default_cache(CacheMode::memory, 1));
    CHECK(store_in(*session, "key", "value") == Status::ok);
    const auto other = bench.open(driver_versioned(default_cache(CacheMode::memory, 2)), {"a", 1});
    CHECK(store_in(*other, "key", "value") == Status::ok);
    other->set_delete_on_destroy();
    bench.caches->clear();
  }
  CHECK(names_in(bench.directory / "work").empty());
  if (std::filesystem::exists(bench.config.directory)) CHECK(names_in(bench.config.directory).empty());
}

TEST_CASE("shader cache: a disk cache stays from session to session and from run to run", "[shadercache]") {
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  CacheDescription description = default_cache(CacheMode::disk);
  description.use_working_directory = GENERATE(false, true);
  const bool restart = GENERATE(false, true);
  for (int run = 0; run < 10; ++run) {
    auto session = bench.open(description);
    for (int i = 0; i < run; ++i) CHECK(find_in(*session, std::to_string(i)) == "value " + std::to_string(i));
    CHECK(session->statistics().entries == static_cast<std::uint64_t>(run));
    CHECK(find_in(*session, std::to_string(run)) == Status::not_found);
    CHECK(store_in(*session, std::to_string(run), "value " + std::to_string(run)) == Status::ok);
    if (!restart || run % 3 == 2) continue;
    session.reset();
    bench.restart();
  }
}

TEST_CASE("shader cache: its statistics begin anew when it is opened anew", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  auto one = bench.open(default_cache(mode));
  CHECK(store_in(*one, "key", "value") == Status::ok);
  CHECK(find_in(*one, "key") == "value");
  CHECK(find_in(*one, "other") == Status::not_found);
  auto two = bench.open(default_cache(mode));
  one.reset();
  CHECK(two->statistics().memory_hits > 0);  // still the same
  CHECK(two->statistics().misses > 0);
  two.reset();
  one = bench.open(default_cache(mode));
  const CacheStatistics statistics = one->statistics();
  CHECK(statistics.memory_hits == 0);
  CHECK(statistics.disk_hits == 0);
  CHECK(statistics.misses == 0);
  CHECK(statistics.entries == (mode == CacheMode::disk ? 1 : 0));
  CHECK(statistics.value_bytes == (mode == CacheMode::disk ? 5 : 0));
}

TEST_CASE("shader cache: delete on destroy clears it when its last session goes, not before", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  const std::size_t count = GENERATE(1U, 2U, 4U);
  CacheBench bench;
  const CacheDescription description = default_cache(mode);
  for (std::size_t marking = 0; marking < count; ++marking) {
    INFO("session " << marking << " of " << count);
    Sessions sessions;
    for (std::size_t i = 0; i < count; ++i) sessions.push_back(bench.open(description));
    CHECK(store_in(*sessions[0], "key", "value") == Status::ok);
    sessions[marking]->set_delete_on_destroy();
    CHECK(store_in(*sessions[0], "later", "value") == Status::ok);
    std::swap(sessions[marking], sessions[0]);  // the one that marked it goes first
    while (!sessions.empty()) {
      CHECK(find_in(*sessions.back(), "key") == "value");
      CHECK(find_in(*sessions.back(), "later") == "value");
      sessions.erase(sessions.begin());
    }
    CHECK_FALSE(has_files(bench, description));
    const auto session = bench.open(description);
    CHECK(find_in(*session, "key") == Status::not_found);
    CHECK(find_in(*session, "later") == Status::not_found);
    CHECK(session->statistics().entries == 0);
  }
}

TEST_CASE("shader cache: without the mark its files stay", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  CHECK(store_in(*bench.open(description), "key", "value") == Status::ok);
  CHECK(std::filesystem::exists(bench.file(description, ".val")));
  CHECK(find_in(*bench.open(description), "key") == "value");
}

TEST_CASE("shader cache: sessions opened after the mark share it, and the cache opened after them does not",
          "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  auto one = bench.open(description);
  CHECK(store_in(*one, "key", "value") == Status::ok);
  one->set_delete_on_destroy();
  one->set_delete_on_destroy();  // twice is once
  auto two = bench.open(description);
  one.reset();
  CHECK(find_in(*two, "key") == "value");
  auto three = bench.open(description);
  two.reset();
  CHECK(find_in(*three, "key") == "value");
  three.reset();
  CHECK_FALSE(has_files(bench, description));
  one = bench.open(description);
  CHECK(find_in(*one, "key") == Status::not_found);
  CHECK(store_in(*one, "key", "another") == Status::ok);
  one.reset();
  CHECK(find_in(*bench.open(description), "key") == "another");
}

TEST_CASE("shader cache: a caller resets it by opening, marking, closing and opening", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  for (int round = 0; round < 20; ++round) {
    const std::string value = std::to_string(round);
    {
      const auto session = bench.open(default_cache(mode));
      CHECK(find_in(*session, "key") == (Status::not_found));
      CHECK(store_in(*session, "key", value) == Status::ok);
      CHECK(find_in(*session, "key") == value);
    }
    if (mode == CacheMode::disk) CHECK(find_in(*bench.open(default_cache(mode)), "key") == value);
    bench.open(default_cache(mode))->set_delete_on_destroy();
  }
}

TEST_CASE("shader cache: the mark is of one cache alone", "[shadercache]") {
  CacheBench bench;
  const WorkingDirectory here(bench.directory / "work");
  const std::vector<CacheDescription> descriptions{default_cache(CacheMode::disk, 1), default_cache(CacheMode::disk, 2),
                                                   in_working_directory(default_cache(CacheMode::disk, 1)),
                                                   driver_versioned(default_cache(CacheMode::disk, 1))};
  const CacheDriver driver{"adapter", 1};
  for (std::size_t marked = 0; marked < descriptions.size(); ++marked) {
    INFO("cache " << marked);
    const auto memory = bench.open(default_cache(CacheMode::memory, 1));
    Sessions sessions;
    for (const CacheDescription& description : descriptions) sessions.push_back(bench.open(description, driver));
    for (const auto& session : sessions) store_in(*session, "key", "value");
    CHECK(store_in(*memory, "key", "value") == Status::ok);
    sessions[marked]->set_delete_on_destroy();
    sessions.clear();
    CHECK(find_in(*memory, "key") == "value");
    for (std::size_t i = 0; i < descriptions.size(); ++i) {
      const Found found = find_in(*bench.open(descriptions[i], driver), "key");
      if (i == marked) {
        CHECK(found == Status::not_found);
      } else {
        CHECK(found == "value");
      }
    }
  }
}

TEST_CASE("shader cache: in the working directory the files go where it was opened", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = in_working_directory(default_cache(CacheMode::disk));
  const auto name = [&](const char* place) {
    return bench.directory / place / (description.identifier.text() + ".val");
  };
  std::unique_ptr<ShaderCacheSession> one;
  {
    const WorkingDirectory here(bench.directory / "one");
    one = bench.open(description);
    CHECK(store_in(*one, "key", "one") == Status::ok);
    one->set_delete_on_destroy();
  }
  const WorkingDirectory here(bench.directory / "two");
  CHECK(store_in(*bench.open(description), "key", "two") == Status::ok);
  CHECK(std::filesystem::exists(name("one")));
  CHECK(std::filesystem::exists(name("two")));
  one.reset();
  CHECK_FALSE(std::filesystem::exists(name("one")));
  CHECK(find_in(*bench.open(description), "key") == "two");
}

TEST_CASE("shader cache: a marked driver-versioned one leaves no values and no index", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = driver_versioned(default_cache(CacheMode::disk));
  {
    const auto session = bench.open(description, {"adapter", 1});
    CHECK(store_in(*session, "key", "value") == Status::ok);
    session->set_delete_on_destroy();
  }
  for (const std::string& name : names_in(bench.config.directory)) {
    CHECK(std::filesystem::path(name).extension() != ".val");
    CHECK(std::filesystem::path(name).extension() != ".idx");
  }
}

TEST_CASE("shader cache: a mark made in one process is honoured by the last that closes it", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  const auto process = bench.another_process();
  const bool marked_here = GENERATE(false, true);
  const bool here_first = GENERATE(false, true);
  auto here = bench.open(description);
  auto there = CacheBench::open_in(*process, description);
  CHECK(store_in(*here, "from here", "1") == Status::ok);
  CHECK(store_in(*there, "from there", "2") == Status::ok);
  (marked_here ? here : there)->set_delete_on_destroy();
  (here_first ? here : there).reset();
  const auto& left = here_first ? there : here;
  CHECK(find_in(*left, "from here") == "1");
  CHECK(find_in(*left, "from there") == "2");
  CHECK(store_in(*left, "late", "3") == Status::ok);
  CHECK(find_in(*left, "late") == "3");
  here.reset();
  there.reset();
  CHECK_FALSE(has_files(bench, description));
  CHECK(find_in(*bench.open(description), "from here") == Status::not_found);
}

TEST_CASE("shader cache: a mark that a killed process left behind is not that of the next one", "[shadercache]") {
  const bool files_are_gone = GENERATE(false, true);  // it was killed while it removed them
  const std::uint64_t version = GENERATE(0U, 1U);
  const CacheDescription description = default_cache(CacheMode::disk);
  CacheBench bench;
  ChildProcess child([&] {
    const auto caches = bench.another_process();
    const auto session = CacheBench::open_in(*caches, description);
    store_in(*session, "key", "value");
    session->set_delete_on_destroy();
    return std::raise(SIGKILL);
  });
  CHECK(child.wait() == ChildProcess::killed);
  if (files_are_gone) {
    std::filesystem::remove(bench.file(description, ".idx"));
    std::filesystem::remove(bench.file(description, ".val"));
  }
  auto session = bench.open(with_version(description, version));
  CHECK(find_in(*session, "key") == Status::not_found);
  CHECK(store_in(*session, "key", "another") == Status::ok);
  session.reset();
  session = bench.open(with_version(description, version));
  CHECK(find_in(*session, "key") == "another");
}

TEST_CASE("shader cache: two processes find what the other stored while both have it open", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  const auto process = bench.another_process();
  const auto here = bench.open(description);
  const auto there = CacheBench::open_in(*process, description);
  for (int i = 0; i < 200; ++i) {
    const auto& from = i % 2 == 0 ? here : there;
    const auto& to = i % 2 == 0 ? there : here;
    const std::string key = std::to_string(i);
    CHECK(find_in(*to, key) == Status::not_found);
    CHECK(store_in(*from, key, pattern(1 + static_cast<std::size_t>(i), 1)) == Status::ok);
    CHECK(find_in(*to, key) == pattern(1 + static_cast<std::size_t>(i), 1));
    CHECK(store_in(*to, key, "another") == Status::already_exists);
  }
  for (int i = 0; i < 200; ++i) {
    CHECK(find_in(*here, std::to_string(i)) == pattern(1 + static_cast<std::size_t>(i), 1));
    CHECK(find_in(*there, std::to_string(i)) == pattern(1 + static_cast<std::size_t>(i), 1));
  }
}
