// SPDX-License-Identifier: Apache-2.0
// Eight threads at once.
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

constexpr std::uint32_t crew_size = 8;

/// What went wrong in threads, which cannot assert.
std::size_t failures_of(const std::function<void(std::uint32_t, const std::function<void(bool)>&)>& body) {
  std::atomic<std::size_t> failures{0};
  const std::function<void(bool)> expect = [&failures](bool right) { failures += right ? 0 : 1; };
  std::vector<std::thread> crew;
  for (std::uint32_t i = 0; i < crew_size; ++i) {
    crew.emplace_back([&body, &expect, &failures, i] {
      try {
        body(i, expect);
      } catch (...) {
        ++failures;
      }
    });
  }
  for (std::thread& one : crew) one.join();
  return failures;
}

std::string thread_key(std::uint32_t thread, std::uint32_t i) {
  return std::to_string(thread) + " stores " + std::to_string(i);
}
std::string thread_value(std::uint32_t thread, std::uint32_t i) { return pattern(1 + i * 31 % 500, thread * 1000 + i); }

CacheDescription tight(CacheMode mode) {
  CacheDescription description = roomy_cache(mode);
  if (mode == CacheMode::disk) description.memory_bytes = 3000;  // much is read from the file
  return description;
}

}  // namespace

TEST_CASE("shader cache: threads store their own keys and find them and the others'", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  const bool one_session = GENERATE(true, false);
  constexpr std::uint32_t entries = 200;
  CacheBench bench;
  auto session = bench.open(tight(mode));
  CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
          const auto own = one_session ? nullptr : bench.open(tight(mode));
          ShaderCacheSession& used = one_session ? *session : *own;
          for (std::uint32_t i = 0; i < entries; ++i) {
            expect(store_in(used, thread_key(thread, i), thread_value(thread, i)) == Status::ok);
            expect(find_in(used, thread_key(thread, i)) == thread_value(thread, i));
            const std::uint32_t other = (thread + 1 + i) % crew_size;
            const Found found = find_in(used, thread_key(other, i));
            expect(found == thread_value(other, i) || found == Status::not_found);
          }
        }) == 0);
  CHECK(session->statistics().entries == crew_size * entries);
  CHECK(session->statistics().damaged == 0);
  for (int round = 0; round < 2; ++round) {
    CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
            for (std::uint32_t i = 0; i < entries; ++i) {
              const std::uint32_t other = (thread + i) % crew_size;
              expect(find_in(*session, thread_key(other, i)) == thread_value(other, i));
              expect(store_in(*session, thread_key(other, i), "x") == Status::already_exists);
            }
          }) == 0);
    if (mode == CacheMode::memory) break;
    session.reset();
    session = bench.open(tight(mode));
  }
}

TEST_CASE("shader cache: of threads that store one key one does, and all find its value", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  constexpr std::uint32_t keys = 300;
  CacheBench bench;
  const auto session = bench.open(tight(mode));
  std::vector<std::atomic<std::uint32_t>> stored(keys);
  CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
          for (std::uint32_t key = 0; key < keys; ++key) {
            const Status status = store_in(*session, std::to_string(key), thread_value(thread, key));
            if (status == Status::ok) ++stored[key];
            expect(status == Status::ok || status == Status::already_exists);
            const Found found = find_in(*session, std::to_string(key));
            expect(found.status == Status::ok);
            if (status == Status::ok) expect(found == thread_value(thread, key));
          }
        }) == 0);
  for (const auto& count : stored) CHECK(count == 1);
  CHECK(session->statistics().entries == keys);
}

TEST_CASE("shader cache: threads never fill it beyond its limit", "[shadercache]") {
  CacheBench bench;
  CacheDescription description = default_cache(CacheMode::memory);
  description.memory_bytes = 8 * 900;
  description.memory_entries = 800;
  const auto session = bench.open(description);
  std::atomic<std::uint32_t> stored{0};
  CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
          for (std::uint32_t i = 0; i < 200; ++i) {
            const std::string key{static_cast<char>(thread), static_cast<char>(i), 'k', 'e'};
            const Status status = store_in(*session, key, "1234");  // 8 bytes: 900 of them, if 800 were not the limit
            expect(status == Status::ok || status == Status::full);
            stored += status == Status::ok ? 1U : 0U;
          }
        }) == 0);
  CHECK(stored == 800);
  CHECK(session->statistics().entries == 800);
}

TEST_CASE("shader cache: threads that open and close it share it, and it stays or goes as one", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
          for (std::uint32_t i = 0; i < 200; ++i) {
            const auto session = bench.open(tight(mode));
            expect(store_in(*session, thread_key(thread, i), "value") == Status::ok);
            expect(find_in(*session, thread_key(thread, i)) == "value");
            if (i > 0 && mode == CacheMode::disk) expect(find_in(*session, thread_key(thread, i - 1)) == "value");
          }
        }) == 0);
  const auto session = bench.open(tight(mode));
  CHECK(session->statistics().entries == (mode == CacheMode::disk ? crew_size * 200 : 0));
}

TEST_CASE("shader cache: threads that race for versions get one or are told that another exists", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
          std::mt19937 random(thread);
          for (int i = 0; i < 300; ++i) {
            const std::uint64_t version = random() % 3;
            const OpenedCache opened = bench.caches->open(with_version(tight(mode), version));
            expect(opened.status == Status::ok || opened.status == Status::already_exists);
            if (!opened.session) continue;
            expect(opened.session->description().version == version);
            const std::string key = std::to_string(random() % 10);
            const Status status = store_in(*opened.session, key, "of " + std::to_string(version));
            expect(status == Status::ok || status == Status::already_exists);
            expect(find_in(*opened.session, key) == "of " + std::to_string(version));
          }
        }) == 0);
}

TEST_CASE("shader cache: threads that store, find, clear, disable, mark and look find right values or none",
          "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
          std::mt19937 random(thread);
          for (int round = 0; round < 40; ++round) {
            const OpenedCache opened = bench.caches->open(tight(mode));
            expect(opened.status == Status::ok || opened.status == Status::disabled);
            if (!opened.session) continue;
            for (int i = 0; i < 20; ++i) {
              const std::uint32_t key = random() % 40;
              const Status status = store_in(*opened.session, thread_key(0, key), thread_value(0, key));
              expect(status == Status::ok || status == Status::already_exists || status == Status::disabled);
              const Found found = find_in(*opened.session, thread_key(0, random() % 2 == 0 ? key : key / 2));
              if (found.status == Status::ok) {
                expect(found == thread_value(0, key) || found == thread_value(0, key / 2));
              } else {
                expect(found == Status::not_found || found == Status::disabled);
              }
              expect(opened.session->statistics().damaged == 0);
            }
            if (thread == 0) bench.caches->clear();
            if (thread == 1) {
              bench.caches->set_enabled(false);
              bench.caches->set_enabled(true);
            }
            if (thread == 2 && round % 4 == 0) opened.session->set_delete_on_destroy();
            if (thread == 3) expect(same(opened.session->description(), resolved(tight(mode))));
            if (thread == 4 && mode == CacheMode::disk) expect(opened.session->sync());
          }
        }) == 0);
  CHECK(bench.caches->enabled());
  CHECK(bench.status_of(tight(mode)) == Status::ok);
}

TEST_CASE("shader cache: threads use caches of their own side by side", "[shadercache]") {
  const CacheMode mode = GENERATE(CacheMode::memory, CacheMode::disk);
  CacheBench bench;
  CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
          CacheDescription description = tight(mode);
          description.identifier = cache_identifier(100 + thread);
          const auto session = bench.open(with_version(description, thread));
          for (std::uint32_t i = 0; i < 200; ++i) {
            expect(find_in(*session, std::to_string(i)) == Status::not_found);
            expect(store_in(*session, std::to_string(i), thread_value(thread, i)) == Status::ok);
            expect(find_in(*session, std::to_string(i)) == thread_value(thread, i));
          }
          expect(session->statistics().entries == 200);
        }) == 0);
}

TEST_CASE("shader cache: threads of two processes share what is on disk", "[shadercache]") {
  CacheBench bench;
  const auto process = bench.another_process();
  const auto here = bench.open(tight(CacheMode::disk));
  const auto there = CacheBench::open_in(*process, tight(CacheMode::disk));
  std::vector<std::atomic<std::uint32_t>> stored(200);
  CHECK(failures_of([&](std::uint32_t thread, const auto& expect) {
          ShaderCacheSession& used = thread % 2 == 0 ? *here : *there;
          for (std::uint32_t i = 0; i < 200; ++i) {
            const Status status = store_in(used, std::to_string(i), thread_value(0, i));
            if (status == Status::ok) ++stored[i];
            expect(status == Status::ok || status == Status::already_exists);
            expect(find_in(used, std::to_string(i)) == thread_value(0, i));
          }
        }) == 0);
  for (const auto& count : stored) CHECK(count == 1);
}
