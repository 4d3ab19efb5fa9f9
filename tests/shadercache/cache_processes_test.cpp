// SPDX-License-Identifier: Apache-2.0
// One cache on disk and several real processes.
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

const CacheDescription shared = default_cache(CacheMode::disk);

/// What each of so many processes ended with.
std::vector<int> in_processes(int count, const std::function<int(int)>& body) {
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < count; ++i) children.push_back(std::make_unique<ChildProcess>([&body, i] { return body(i); }));
  std::vector<int> results;
  for (const auto& child : children) results.push_back(child->wait());
  return results;
}

std::string own_key(int process, int i) { return "key " + std::to_string(process) + '.' + std::to_string(i); }
std::string own_value(int process, int i) {
  return pattern(static_cast<std::size_t>(1 + (i * 37 + process * 11) % 700), static_cast<std::uint32_t>(process));
}

}  // namespace

TEST_CASE("shader cache: several processes store into one, and all of it is there", "[shadercache]") {
  const int processes = GENERATE(2, 4, 8);
  constexpr int entries = 150;
  const bool parent_has_it_open = GENERATE(false, true);
  CacheBench bench;
  std::unique_ptr<ShaderCacheSession> session;
  if (parent_has_it_open) session = bench.open(shared);
  const std::vector<int> results = in_processes(processes, [&](int process) {
    const auto caches = bench.another_process();
    const auto mine = CacheBench::open_in(*caches, shared);
    for (int i = 0; i < entries; ++i) {
      if (store_in(*mine, own_key(process, i), own_value(process, i)) != Status::ok) return 1;
      if (!(find_in(*mine, own_key(process, i)) == own_value(process, i))) return 2;
      const int other = (process + 1) % processes;
      const Found found = find_in(*mine, own_key(other, i));
      if (!(found == own_value(other, i)) && !(found == Status::not_found)) return 3;
    }
    for (int i = 0; i < entries; ++i) {
      if (!(find_in(*mine, own_key(process, i)) == own_value(process, i))) return 4;
    }
    return 0;
  });
  CHECK(results == std::vector<int>(static_cast<std::size_t>(processes), 0));
  for (int round = 0; round < 2; ++round) {
    if (!session) session = bench.open(shared);
    for (int process = 0; process < processes; ++process) {
      for (int i = 0; i < entries; ++i) {
        if (!(find_in(*session, own_key(process, i)) == own_value(process, i))) FAIL(process << ", entry " << i);
      }
    }
    CHECK(session->statistics().entries == static_cast<std::uint64_t>(processes * entries));
    CHECK(session->statistics().damaged == 0);
    session.reset();
    bench.restart();
  }
}

TEST_CASE("shader cache: of several processes that store one key, one does, and all find its value", "[shadercache]") {
  constexpr int processes = 6;
  constexpr std::uint32_t keys = 100;
  CacheBench bench;
  NumberPipe winners;  // key * processes + who stored it
  const std::vector<int> results = in_processes(processes, [&](int process) {
    const auto caches = bench.another_process();
    const auto session = CacheBench::open_in(*caches, shared);
    for (std::uint32_t key = 0; key < keys; ++key) {
      const Status status = store_in(*session, std::to_string(key), own_value(process, 0));
      if (status == Status::ok) winners.write(key * processes + static_cast<std::uint32_t>(process));
      if (status != Status::ok && status != Status::already_exists) return 1;
      const Found found = find_in(*session, std::to_string(key));
      if (status == Status::ok && !(found == own_value(process, 0))) return 2;
      if (found.status != Status::ok) return 3;
    }
    return 0;
  });
  CHECK(results == std::vector<int>(processes, 0));
  winners.close_writing();
  std::vector<int> stored_by(keys, -1);
  for (std::uint32_t number = 0; winners.read(number);) {
    CHECK(stored_by[number / processes] == -1);
    stored_by[number / processes] = static_cast<int>(number % processes);
  }
  const auto session = bench.open(shared);
  for (std::uint32_t key = 0; key < keys; ++key) {
    REQUIRE(stored_by[key] >= 0);
    CHECK((find_in(*session, std::to_string(key)) == own_value(stored_by[key], 0)));
  }
}

TEST_CASE("shader cache: parent and child find at once what the other stored", "[shadercache]") {
  CacheBench bench;
  NumberPipe to_child;
  NumberPipe to_parent;
  ChildProcess child([&] {
    const auto caches = bench.another_process();
    const auto session = CacheBench::open_in(*caches, shared);
    for (int i = 0; i < 50; ++i) {
      std::uint32_t number = 0;
      if (!to_child.read(number)) return 1;
      if (!(find_in(*session, own_key(0, i)) == own_value(0, i))) return 2;
      if (store_in(*session, own_key(0, i), "other") != Status::already_exists) return 3;
      if (store_in(*session, own_key(1, i), own_value(1, i)) != Status::ok) return 4;
      if (!to_parent.write(number)) return 5;
    }
    return 0;
  });
  to_parent.close_writing();
  const auto session = bench.open(shared);
  for (int i = 0; i < 50; ++i) {
    CHECK(find_in(*session, own_key(1, i)) == Status::not_found);
    CHECK(store_in(*session, own_key(0, i), own_value(0, i)) == Status::ok);
    to_child.write(static_cast<std::uint32_t>(i));
    std::uint32_t number = 0;
    if (!to_parent.read(number)) break;
    CHECK((find_in(*session, own_key(1, i)) == own_value(1, i)));
  }
  CHECK(child.wait() == 0);
}

TEST_CASE("shader cache: a process that has it open keeps other versions out, until it ends, however it does",
          "[shadercache]") {
  const bool by_force = GENERATE(false, true);
  CacheBench bench;
  NumberPipe to_child;
  NumberPipe to_parent;
  ChildProcess child([&] {
    const auto caches = bench.another_process();
    auto session = CacheBench::open_in(*caches, with_version(shared, 1));
    if (store_in(*session, "key", "of 1") != Status::ok) return 1;
    to_parent.write(0);
    std::uint32_t number = 0;
    to_child.read(number);
    return 0;  // ends without closing it
  });
  to_parent.close_writing();
  std::uint32_t number = 0;
  REQUIRE(to_parent.read(number));
  CHECK(bench.status_of(with_version(shared, 2)) == Status::already_exists);
  CHECK(find_in(*bench.open(with_version(shared, 1)), "key") == "of 1");
  CHECK(bench.status_of(with_version(shared, 2)) == Status::already_exists);
  if (by_force) {
    child.kill();
  } else {
    to_child.write(0);
  }
  CHECK(child.wait() == (by_force ? ChildProcess::killed : 0));
  CHECK(find_in(*bench.open(with_version(shared, 1)), "key") == "of 1");
  CHECK(find_in(*bench.open(with_version(shared, 2)), "key") == Status::not_found);
}

TEST_CASE("shader cache: what the parent has open keeps a child's other version out", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(with_version(shared, 1));
  CHECK(store_in(*session, "key", "value") == Status::ok);
  ChildProcess child([&] {
    const auto caches = bench.another_process();
    if (CacheBench::status_in(*caches, with_version(shared, 2)) != Status::already_exists) return 1;
    return find_in(*CacheBench::open_in(*caches, with_version(shared, 1)), "key") == "value" ? 0 : 2;
  });
  CHECK(child.wait() == 0);
  CHECK(find_in(*session, "key") == "value");
}

TEST_CASE("shader cache: the last process to close a marked one clears it", "[shadercache]") {
  const bool child_marks = GENERATE(false, true);
  const bool child_last = GENERATE(false, true);
  CacheBench bench;
  NumberPipe to_child;
  NumberPipe to_parent;
  ChildProcess child([&] {
    const auto caches = bench.another_process();
    auto session = CacheBench::open_in(*caches, shared);
    if (store_in(*session, "of child", "1") != Status::ok) return 1;
    if (child_marks) session->set_delete_on_destroy();
    std::uint32_t number = 0;
    to_parent.write(0);
    if (!to_child.read(number)) return 2;
    if (!(find_in(*session, "of child") == "1")) return 3;
    session.reset();
    return 0;
  });
  to_parent.close_writing();
  std::uint32_t number = 0;
  REQUIRE(to_parent.read(number));
  auto session = bench.open(shared);
  CHECK(find_in(*session, "of child") == "1");
  if (!child_marks) session->set_delete_on_destroy();
  if (child_last) session.reset();
  to_child.write(0);
  CHECK(child.wait() == 0);
  if (!child_last) {
    CHECK(find_in(*session, "of child") == "1");
    session.reset();
  }
  CHECK_FALSE(std::filesystem::exists(bench.file(shared, ".val")));
  CHECK_FALSE(std::filesystem::exists(bench.file(shared, ".idx")));
  CHECK(find_in(*bench.open(shared), "of child") == Status::not_found);
}

TEST_CASE("shader cache: processes that race for two versions find only their own values", "[shadercache]") {
  CacheBench bench;
  const std::vector<int> results = in_processes(4, [&](int process) {
    std::mt19937 random(static_cast<std::uint32_t>(process));
    const auto caches = bench.another_process();
    int opened = 0;
    for (int round = 0; round < 300; ++round) {
      const std::uint64_t version = random() % 2;
      const OpenedCache one = caches->open(with_version(shared, version));
      if (one.status == Status::already_exists) continue;
      if (one.status != Status::ok) return 1;
      ++opened;
      const std::string key = std::to_string(random() % 20);
      const std::string value = "version " + std::to_string(version) + ", key " + key;
      const Status status = store_in(*one.session, key, value);
      if (status != Status::ok && status != Status::already_exists) return 2;
      if (!(find_in(*one.session, key) == value)) return 3;  // nobody clears it while it is open
    }
    return opened > 0 ? 0 : 4;
  });
  CHECK(results == std::vector<int>(4, 0));
}

TEST_CASE("shader cache: processes that open, mark, close and clear at random find right values or none",
          "[shadercache]") {
  CacheBench bench;
  const std::vector<int> results = in_processes(4, [&](int process) {
    std::mt19937 random(static_cast<std::uint32_t>(100 + process));
    const auto caches = bench.another_process();
    for (int round = 0; round < 200; ++round) {
      const OpenedCache one = caches->open(shared);
      if (one.status != Status::ok) return 1;
      for (int i = 0; i < 10; ++i) {
        const int key = static_cast<int>(random() % 30);
        if (random() % 2 == 0) {
          const Status status = store_in(*one.session, own_key(0, key), own_value(0, key));
          if (status != Status::ok && status != Status::already_exists) return 2;
        }
        const Found found = find_in(*one.session, own_key(0, key));
        if (!(found == own_value(0, key)) && !(found == Status::not_found)) return 3;
      }
      if (random() % 8 == 0) one.session->set_delete_on_destroy();
      if (random() % 8 == 0) caches->clear();
      if (one.session->statistics().damaged != 0) return 4;
    }
    return 0;
  });
  CHECK(results == std::vector<int>(4, 0));
  const auto session = bench.open(shared);
  for (int key = 0; key < 30; ++key) {
    const Found found = find_in(*session, own_key(0, key));
    CHECK((found == own_value(0, key) || found == Status::not_found));
  }
}

TEST_CASE("shader cache: one process's clear empties it for the others", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(shared);
  for (int round = 0; round < 10; ++round) {
    CHECK(store_in(*session, "key", std::to_string(round)) == Status::ok);
    ChildProcess child([&] {
      const auto caches = bench.another_process();
      const auto mine = CacheBench::open_in(*caches, shared);
      if (!(find_in(*mine, "key") == std::to_string(round))) return 1;
      caches->clear();
      return find_in(*mine, "key") == Status::not_found ? 0 : 2;
    });
    CHECK(child.wait() == 0);
    CHECK(find_in(*session, "key") == Status::not_found);
  }
}

TEST_CASE("shader cache: processes together do not exceed the file's limit", "[shadercache]") {
  CacheBench bench;
  CacheDescription limited = shared;
  limited.file_bytes = 60000;
  const std::vector<int> results = in_processes(4, [&](int process) {
    const auto caches = bench.another_process();
    const auto session = CacheBench::open_in(*caches, limited);
    for (int i = 0; i < 1000; ++i) {
      const Status status = store_in(*session, own_key(process, i), own_value(process, i));
      if (std::filesystem::file_size(bench.file(limited, ".val")) > 60000) return 1;
      if (status == Status::full) return 0;
      if (status != Status::ok) return 2;
    }
    return 3;
  });
  CHECK(results == std::vector<int>(4, 0));
  CHECK(bench.open(limited)->statistics().entries > 60000 / (700 + 20 + 135 + 1) / 2);
}

TEST_CASE("shader cache: processes that make the directory and the cache at one time all get it", "[shadercache]") {
  for (int round = 0; round < 20; ++round) {
    CacheBench bench;
    bench.config.directory = bench.directory / "a" / "b";
    const std::vector<int> results = in_processes(6, [&](int process) {
      const auto caches = bench.another_process();
      const auto session = CacheBench::open_in(*caches, shared);
      return store_in(*session, own_key(process, 0), own_value(process, 0)) == Status::ok ? 0 : 1;
    });
    CHECK(results == std::vector<int>(6, 0));
    bench.restart();
    const auto session = bench.open(shared);
    for (int process = 0; process < 6; ++process) {
      CHECK((find_in(*session, own_key(process, 0)) == own_value(process, 0)));
    }
  }
}
