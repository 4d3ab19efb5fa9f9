// SPDX-License-Identifier: Apache-2.0
// Disks that are full at any byte: what was stored stays, what has no room is told to have none, and when there is room
// it goes on.
#include "tests/crash/confined_child.hpp"
#include "tests/crash/crash_figures.hpp"
#include "tests/crash/crash_workers.hpp"
#include "tests/crash/keyed_value.hpp"
#include "tests/crash/quick_directory.hpp"
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

/// Fills a cache until nothing fits, by way of sizes that a disk is made to have.
class FullDisk {
 public:
  /// `room(bytes)` makes so much: `no_limit` is more than is wanted. `small`: of values that make the index grow.
  FullDisk(const std::filesystem::path& directory, bool small, std::string what,
           const std::function<void(std::uint64_t)>& room)
      : small_(small), what_(std::move(what)), room_(room) {
    config_.directory = directory;
    description_.memory_bytes = 1;  // every find reads the files
  }

  void play(std::uint64_t bytes) {
    std::filesystem::remove_all(config_.directory);
    stored_ = 0;
    room_(bytes);
    bool opened = fill();
    if (opened) opened = fill();  // as it is found by the next run
    room_(no_limit);
    // One who has it open while there is room again.
    const auto caches = std::make_unique<ShaderCaches>(config_);
    room_(bytes);
    OpenedCache found = caches->open(description_);
    room_(no_limit);
    if (found.status != Status::ok) found = caches->open(description_);
    if (found.status != Status::ok) return fail(CrashFigures::wrong, "with room it is not opened: " + found.reason);
    check(*found.session);
    store(*found.session, Status::ok);
    check(*found.session);
  }

 private:
  /// What a full disk does not let be opened is refused.
  bool fill() {
    const auto caches = std::make_unique<ShaderCaches>(config_);
    const OpenedCache opened = caches->open(description_);
    figures().count(CrashFigures::full_disks);
    if (opened.status != Status::ok) {
      if (opened.status != Status::corrupt || opened.reason.empty()) {
        fail(CrashFigures::wrong, "opened: " + name_of(opened.status) + ' ' + opened.reason);
      }
      if (stored_ > 0) fail(CrashFigures::lost, "what was stored cannot be opened: " + opened.reason);
      return false;
    }
    check(*opened.session);
    while (store(*opened.session, Status::full)) {
    }
    check(*opened.session);
    opened.session->sync();
    return true;
  }

  std::string value(std::uint32_t number) const {
    return small_ ? std::string(1, static_cast<char>(number)) : KeyedValue::value_of(number).substr(0, 3000);
  }

  bool store(ShaderCacheSession& session, Status otherwise) {
    const Status status = store_in(session, KeyedValue::key_of(stored_), value(stored_));
    if (status == Status::ok) {
      ++stored_;
    } else if (status != otherwise) {
      fail(CrashFigures::wrong, fmt::format("store {} answers {}", stored_, name_of(status)));
    }
    return status == Status::ok;
  }

  void check(ShaderCacheSession& session) {
    for (std::uint32_t number = 0; number < stored_; ++number) {
      const Found found = find_in(session, KeyedValue::key_of(number));
      if (found == value(number)) continue;
      fail(found == Status::not_found ? CrashFigures::lost : CrashFigures::wrong,
           fmt::format("entry {} of {}: {}", number, stored_, name_of(found.status)));
    }
    const Found beyond = find_in(session, KeyedValue::key_of(stored_));
    if (!(beyond == Status::not_found)) fail(CrashFigures::wrong, "what had no room is " + name_of(beyond.status));
  }

  void fail(CrashFigures::Row row, const std::string& text) { figures().fail(row, what_ + ": " + text); }

  ShaderCachesConfig config_;
  CacheDescription description_ = default_cache(CacheMode::disk);
  bool small_;
  std::string what_;
  std::function<void(std::uint64_t)> room_;
  std::uint32_t stored_ = 0;
};

void check_figures() {
  INFO(figures().failures());
  CHECK(figures()[CrashFigures::full_disks] > 0);
  CHECK(figures()[CrashFigures::lost] == 0);
  CHECK(figures()[CrashFigures::wrong] == 0);
  CHECK(figures()[CrashFigures::crashes] == 0);
}

}  // namespace

TEST_CASE("shader cache crash: files that may grow no further are a full disk", "[crash]") {
  const std::size_t stride = crash_size("FENCELINE_CRASH_STRIDE", 7);
  std::array<TemporaryDirectory, CrashWorkers::workers> directories{TemporaryDirectory(quick_directory()),
                                                                    TemporaryDirectory(quick_directory())};
  // Below the least index, where it begins to work, and at the places of the first record after that.
  std::vector<std::uint64_t> limits;
  for (std::uint64_t bytes = 0; bytes < 32768; bytes += 97 * stride) limits.push_back(bytes);
  for (std::uint64_t bytes = 32768; bytes < 33600; bytes += stride) limits.push_back(bytes);
  for (const bool small : {false, true}) {
    CrashWorkers("limits of files").each(limits.size(), [&](std::size_t worker, std::size_t number) {
      FullDisk(directories[worker] / "caches", small, fmt::format("files of {} bytes", limits[number]), limit_files)
          .play(limits[number]);
    });
  }
  check_figures();
}

TEST_CASE("shader cache crash: an index that cannot grow is a full disk", "[crash]") {
  std::array<TemporaryDirectory, CrashWorkers::workers> directories{TemporaryDirectory(quick_directory()),
                                                                    TemporaryDirectory(quick_directory())};
  CrashWorkers("indices that cannot grow").each(8, [&](std::size_t worker, std::size_t number) {
    const std::uint64_t bytes = 40000 + 4099 * number;
    FullDisk(directories[worker] / "caches", true, fmt::format("an index of {} bytes", bytes), limit_files).play(bytes);
  });
  check_figures();
}

TEST_CASE("shader cache crash: a disk that is full, and one without room for another file", "[crash]") {
  const std::size_t stride = crash_size("FENCELINE_CRASH_STRIDE", 3);
  constexpr std::uint64_t page = 4096;
  constexpr std::uint64_t many = 1000;
  constexpr int no_disk = 77;
  TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "disk");
  ChildProcess child([&] {
    end_with_parent();
    SmallDisk disk(directory / "disk", page, many);
    if (!disk.is_there()) return no_disk;
    // A disk that holds more than it is to hold from now on stays as it is.
    const auto resize = [&](std::uint64_t pages, std::uint64_t files) {
      if (!disk.resize(pages * page, files) && files == many) throw std::runtime_error("no larger disk");
    };
    for (const bool small : {false, true}) {
      for (std::uint64_t pages = 1; pages < 60; pages += stride) {
        FullDisk(directory / "disk/caches", small, fmt::format("a disk of {} pages", pages), [&](std::uint64_t bytes) {
          bytes == no_limit ? resize(4000, many) : resize(pages, many - 1);
        }).play(pages);
      }
      for (std::uint64_t files = 1; files < 8; ++files) {
        FullDisk(directory / "disk/caches", small, fmt::format("a disk of {} files", files), [&](std::uint64_t bytes) {
          bytes == no_limit ? resize(4000, many) : resize(300, files);
        }).play(files);
      }
    }
    return 0;
  });
  const int result = child.wait();
  if (result == no_disk) {
    WARN("the system lets nobody mount a small disk here: only limits of files were tried");
    return;
  }
  CHECK(result == 0);
  check_figures();
}

namespace {

/// A cache with an entry, every find of which reads the files, in a process whose files may not grow from then on.
int with_full_disk(const std::filesystem::path& directory, std::uint64_t bytes,
                   const std::function<int(ShaderCaches&, const CacheDescription&, ShaderCacheSession&)>& body) {
  ChildProcess child([&] {
    end_with_parent();
    ShaderCachesConfig config;
    config.directory = directory;
    CacheDescription description = default_cache(CacheMode::disk);
    description.memory_bytes = 1;
    ShaderCaches caches(config);
    const OpenedCache opened = caches.open(description);
    if (opened.status != Status::ok || store_in(*opened.session, "key", "value") != Status::ok) return 90;
    limit_files(bytes);
    return body(caches, description, *opened.session);
  });
  return child.wait();
}

}  // namespace

TEST_CASE("shader cache crash: cleared on a full disk it says so, has nothing, and goes on when there is room",
          "[crash]") {
  const std::uint64_t bytes = GENERATE(0U, 63U, 64U, 10000U);
  const TemporaryDirectory directory(quick_directory());
  CAPTURE(bytes);
  CHECK(with_full_disk(directory / "caches", bytes, [](ShaderCaches& caches, const auto&, ShaderCacheSession& session) {
          const bool cleared = caches.clear();
          if (cleared) return 1;
          const Found found = find_in(session, "key");
          if (!(found == "value") && found.status != Status::corrupt) return 2;
          if (store_in(session, "other", "value") == Status::ok && !(found == "value")) return 3;
          limit_files(no_limit);
          if (!caches.clear()) return 4;
          if (!(find_in(session, "key") == Status::not_found)) return 5;
          if (store_in(session, "key", "again") != Status::ok) return 6;
          return find_in(session, "key") == "again" ? 0 : 7;
        }) == 0);
}

TEST_CASE("shader cache crash: a table that cannot be made anew on a full disk is made when there is room", "[crash]") {
  const TemporaryDirectory directory(quick_directory());
  const auto play = [&](ShaderCaches&, const CacheDescription& description, ShaderCacheSession& session) {
    const std::filesystem::path index = directory / "caches" / (description.identifier.text() + ".idx");
    limit_files(no_limit);
    const std::string damaged(contents_of(index).size(), 'x');
    write_file(index, damaged);
    limit_files(10000);
    for (int i = 0; i < 2; ++i) {
      if (find_in(session, "key").status != Status::corrupt) return 1;
      if (store_in(session, "other", "value") == Status::ok) return 2;
    }
    limit_files(no_limit);
    return find_in(session, "key") == "value" && session.statistics().entries == 1 ? 0 : 3;
  };
  CHECK(with_full_disk(directory / "caches", 10000, play) == 0);
}

TEST_CASE("shader cache crash: an entry whose slot has no room is full, and never there", "[crash]") {
  const TemporaryDirectory directory(quick_directory());
  CHECK(with_full_disk(directory / "caches", 10000,
                       [&](ShaderCaches& caches, const CacheDescription& description, ShaderCacheSession& session) {
                         int refused = 0;
                         std::vector<bool> stored;
                         for (int i = 0; i < 100; ++i) {
                           const Status status = store_in(session, std::to_string(i), "v");
                           if (status != Status::ok && status != Status::full) return 1;
                           stored.push_back(status == Status::ok);
                           if (status == Status::full) ++refused;
                         }
                         if (refused == 0 || refused == 100) return 2;
                         limit_files(no_limit);
                         ShaderCachesConfig config;
                         config.directory = directory / "caches";
                         ShaderCaches others(config);
                         const OpenedCache opened = others.open(description);
                         if (opened.status != Status::ok) return 3;
                         for (int i = 0; i < 100; ++i) {
                           for (ShaderCacheSession* const one : {&session, opened.session.get()}) {
                             const Found found = find_in(*one, std::to_string(i));
                             if (stored[static_cast<std::size_t>(i)] ? !(found == "v") : !(found == Status::not_found))
                               return 4;
                           }
                         }
                         (void)caches;
                         return opened.session->statistics().entries == static_cast<std::uint64_t>(101 - refused) ? 0
                                                                                                                  : 5;
                       }) == 0);
}
