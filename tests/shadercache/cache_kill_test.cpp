// SPDX-License-Identifier: Apache-2.0
// Writers that are killed at any moment: what they had stored is there, what they were storing is right or not there.
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

const CacheDescription written = default_cache(CacheMode::disk);

std::string key_of(std::uint32_t i) { return "key " + std::to_string(i); }
std::string value_of(std::uint32_t i) { return pattern(1 + (i % 50 == 0 ? 20000 : i * 73 % 900), i); }

void pause(std::uint64_t us) { std::this_thread::sleep_for(std::chrono::microseconds(us)); }

/// Stores what nobody has stored, from a number on, and tells each one that it stored.
int store_forever(const CacheBench& bench, NumberPipe& told, std::uint32_t first, std::uint32_t step) {
  const auto caches = bench.another_process();
  const auto session = CacheBench::open_in(*caches, written);
  for (std::uint32_t i = first; i < first + 2000 * step; i += step) {
    const Status status = store_in(*session, key_of(i), value_of(i));
    if (status == Status::already_exists) continue;  // by one that was killed before it could tell
    if (status != Status::ok) return 1;
    if (!told.write(i)) return 2;
  }
  return 0;
}

}  // namespace

TEST_CASE("shader cache: a killed writer's stores are kept, a hundred times", "[shadercache]") {
  const std::uint32_t seed = 7;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const bool index_lost = GENERATE(false, true);
  const std::uint32_t writers = GENERATE(1U, 3U);
  const int rounds = writers == 1 && !index_lost ? 100 : 30;
  CacheBench bench;
  std::vector<std::uint32_t> all;  // that were stored
  std::uint32_t next = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round, writers);
    NumberPipe told;
    {
      std::vector<std::unique_ptr<ChildProcess>> children;
      for (std::uint32_t writer = 0; writer < writers; ++writer) {
        const std::uint32_t first = next + writer;
        children.push_back(
            std::make_unique<ChildProcess>([&, first] { return store_forever(bench, told, first, writers); }));
      }
      pause(random() % (round % 2 == 0 ? 1500 : 6000));  // often while it is opened
      for (const auto& child : children) {
        child->kill();
        const int result = child->wait();
        CHECK((result == ChildProcess::killed || result == 0));
      }
    }
    told.close_writing();
    std::vector<std::uint32_t> checked;  // all new ones, and some of before
    for (int i = 0; i < 100 && !all.empty(); ++i) checked.push_back(all[random() % all.size()]);
    for (std::uint32_t number = 0; told.read(number);) {
      checked.push_back(number);
      all.push_back(number);
      next = std::max(next, number + 1);
    }
    if (index_lost) std::filesystem::remove(bench.file(written, ".idx"));
    bench.restart();
    const auto session = bench.open(written);
    for (const std::uint32_t i : checked) {
      if (!(find_in(*session, key_of(i)) == value_of(i))) FAIL("entry " << i << " was stored");
    }
    for (std::uint32_t i = next; i < next + 3 * writers; ++i) {  // was perhaps being stored
      const Found found = find_in(*session, key_of(i));
      if (!(found == value_of(i)) && !(found == Status::not_found)) FAIL("entry " << i << " is another");
      if (found == Status::not_found) CHECK(store_in(*session, key_of(i), value_of(i)) == Status::ok);
      CHECK((find_in(*session, key_of(i)) == value_of(i)));
      all.push_back(i);
    }
    next += 3 * writers;
    CHECK(session->statistics().entries >= all.size());
  }
  const auto session = bench.open(written);
  for (const std::uint32_t i : all) {
    if (!(find_in(*session, key_of(i)) == value_of(i))) FAIL("entry " << i << " was stored");
  }
}

TEST_CASE("shader cache: a process killed while others work does not stop or damage them", "[shadercache]") {
  const std::uint32_t seed = 11;
  CAPTURE(seed);
  std::mt19937 random(seed);
  CacheBench bench;
  const auto session = bench.open(written);
  std::uint32_t mine = 1000000;
  std::uint32_t first = 0;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    NumberPipe told;
    {
      ChildProcess child([&] { return store_forever(bench, told, first, 1); });
      const std::uint64_t before_kill = random() % 5000;
      const auto started = std::chrono::steady_clock::now();
      do {
        CHECK(store_in(*session, key_of(mine), value_of(mine)) == Status::ok);
        CHECK((find_in(*session, key_of(mine)) == value_of(mine)));
        ++mine;
      } while (std::chrono::steady_clock::now() - started < std::chrono::microseconds(before_kill));
      child.kill();
      child.wait();
    }
    told.close_writing();
    for (std::uint32_t number = 0; told.read(number);) {
      CHECK((find_in(*session, key_of(number)) == value_of(number)));
      first = number + 1;
    }
    first += 1;  // the one that was cut off
    CHECK(store_in(*session, key_of(mine), value_of(mine)) == Status::ok);
    ++mine;
  }
  for (std::uint32_t i = 1000000; i < mine; ++i) CHECK((find_in(*session, key_of(i)) == value_of(i)));
}

TEST_CASE("shader cache: killed while it is cleared, marked or opened anew, it is whole or empty or in between",
          "[shadercache]") {
  const std::uint32_t seed = 13;
  CAPTURE(seed);
  std::mt19937 random(seed);
  CacheBench bench;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    ChildProcess child([&] {
      const auto caches = bench.another_process();
      for (std::uint64_t n = 0;; ++n) {
        auto session = CacheBench::open_in(*caches, with_version(written, n % 3 == 0 ? 1 : 0));
        for (std::uint32_t i = 0; i < 20; ++i) {
          const Status status = store_in(*session, key_of(i), value_of(i));
          if (status != Status::ok && status != Status::already_exists) return 1;
        }
        if (n % 3 == 1) session->set_delete_on_destroy();
        if (n % 3 == 2) caches->clear();
      }
    });
    pause(500 + random() % 6000);
    child.kill();
    CHECK(child.wait() == ChildProcess::killed);
    bench.restart();
    auto session = bench.open(written);
    for (std::uint32_t i = 0; i < 20; ++i) {
      const Found found = find_in(*session, key_of(i));
      if (!(found == value_of(i)) && !(found == Status::not_found)) FAIL("entry " << i << " is another");
      CHECK(store_in(*session, key_of(i), value_of(i)) ==
            (found == Status::not_found ? Status::ok : Status::already_exists));
      CHECK((find_in(*session, key_of(i)) == value_of(i)));
    }
  }
}
