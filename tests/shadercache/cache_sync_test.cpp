// SPDX-License-Identifier: Apache-2.0
// What the system is asked to bring to the disk before a cache says that values survive a loss of power.
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

using File = std::pair<dev_t, ino_t>;
std::vector<File> synced_directories;
bool refuses = false;

File file_at(const std::filesystem::path& path) {
  struct stat what {};
  if (::stat(path.c_str(), &what) != 0) return {};
  return {what.st_dev, what.st_ino};
}

std::size_t synced(const std::filesystem::path& path) {
  std::size_t count = 0;
  for (const File& one : synced_directories) count += one == file_at(path) ? 1 : 0;
  return count;
}

}  // namespace

/// In the place of the C library's: the disk is not what is tested.
extern "C" int fsync(int descriptor) {
  struct stat what {};
  if (::fstat(descriptor, &what) == 0 && S_ISDIR(what.st_mode)) {
    synced_directories.emplace_back(what.st_dev, what.st_ino);
    if (refuses) {
      errno = EIO;
      return -1;
    }
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

TEST_CASE("shader cache: before values survive a loss of power their files' names do, once", "[shadercache]") {
  const bool each = GENERATE(false, true);
  CacheBench bench;
  bench.config.directory = bench.directory / "a" / "b";
  if (each) bench.config.durability = CacheDurability::system;
  bench.restart();
  synced_directories.clear();
  const auto session = bench.open(default_cache(CacheMode::disk));
  CHECK(synced(bench.directory / ".") == 1);  // has the name of a
  CHECK(synced(bench.directory / "a") == 1);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  CHECK(synced(bench.config.directory) == (each ? 1 : 0));
  CHECK(session->sync());
  CHECK(store_in(*session, "other", "value") == Status::ok);
  CHECK(session->sync());
  CHECK(synced(bench.config.directory) == 1);
  bench.caches->clear();  // another file in its place
  CHECK(session->sync());
  CHECK(synced(bench.config.directory) == 2);
  // One who finds them there does not know what the others did.
  const auto process = bench.another_process();
  const auto there = CacheBench::open_in(*process, default_cache(CacheMode::disk));
  CHECK(store_in(*there, "more", "value") == Status::ok);
  CHECK(there->sync());
  CHECK(synced(bench.config.directory) == 3);
  CHECK(synced(bench.directory / ".") == 1);
}

TEST_CASE("shader cache: names that the disk refuses are not said to survive", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(default_cache(CacheMode::disk));
  CHECK(store_in(*session, "key", "value") == Status::ok);
  refuses = true;
  CHECK_FALSE(session->sync());
  refuses = false;
  CHECK(session->sync());
}
