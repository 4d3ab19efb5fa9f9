// SPDX-License-Identifier: Apache-2.0
// What others put in the place of a cache's files and folders so that a program writes elsewhere.
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;
namespace fs = std::filesystem;

namespace {

/// What opening a cache in the default directory answers where XDG_CACHE_HOME is that; -1: it went wrong otherwise.
int default_opening(const fs::path& home) {
  ChildProcess child([&] {
    ::setenv("XDG_CACHE_HOME", home.c_str(), 1);
    ShaderCaches caches;
    const OpenedCache opened = caches.open(default_cache(CacheMode::disk));
    caches.clear();
    return static_cast<int>(opened.status);
  });
  return child.wait();
}

fs::path program_folder(const fs::path& home) { return home / "fenceline" / default_cache_directory().filename(); }

}  // namespace

TEST_CASE("shader cache: a second name of somebody's file in the place of one of its files is not written to",
          "[shadercache]") {
  const std::string end = GENERATE(".val", ".idx", ".lock");
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  const fs::path letter = bench.directory / "letter";
  write_file(letter, "of somebody");
  fs::create_directories(bench.config.directory);
  fs::create_hard_link(letter, bench.file(description, end));
  CHECK(bench.status_of(description) == Status::corrupt);
  CHECK(contents_of(letter) == "of somebody");
  fs::remove(letter);  // its own name alone is left
  CHECK(bench.status_of(description) == Status::ok);
}

TEST_CASE("shader cache: its own file that got a second name while it was closed is refused", "[shadercache]") {
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  CHECK(store_in(*bench.open(description), "key", "value") == Status::ok);
  fs::create_hard_link(bench.file(description, ".val"), bench.directory / "copy");
  CHECK(bench.status_of(description) == Status::corrupt);
  fs::remove(bench.directory / "copy");
  CHECK(find_in(*bench.open(description), "key") == "value");
}

TEST_CASE("shader cache: a file of another user in the place of one of its files is not written to", "[shadercache]") {
  if (::geteuid() != 0) return;  // nobody else may give files away
  CacheBench bench;
  const CacheDescription description = default_cache(CacheMode::disk);
  CHECK(store_in(*bench.open(description), "key", "value") == Status::ok);
  const std::string end = GENERATE(".val", ".idx", ".lock");
  REQUIRE(::chown(bench.file(description, end).c_str(), 65534, 65534) == 0);
  CHECK(bench.status_of(description) == Status::corrupt);
  REQUIRE(::chown(bench.file(description, end).c_str(), 0, 0) == 0);
  CHECK(find_in(*bench.open(description), "key") == "value");
}

TEST_CASE("shader cache: folders of the default directory that are links are not followed", "[shadercache]") {
  const bool of_program = GENERATE(true, false);
  const TemporaryDirectory place;
  const fs::path home = place / "home";
  const fs::path theirs = place / "theirs";
  CHECK(default_opening(home) == static_cast<int>(Status::ok));
  REQUIRE(fs::is_directory(program_folder(home)));
  const fs::path planted = of_program ? program_folder(home) : home / "fenceline";
  fs::rename(planted, theirs);
  fs::create_directory_symlink(theirs, planted);
  const auto before = names_in(theirs);
  CHECK(default_opening(home) == static_cast<int>(Status::corrupt));
  CHECK(names_in(theirs) == before);
  fs::remove(planted);
  CHECK(default_opening(home) == static_cast<int>(Status::ok));
  // What is above them is the user's own to choose.
  fs::create_directory_symlink(home, place / "link");
  CHECK(default_opening(place / "link") == static_cast<int>(Status::ok));
}

TEST_CASE("shader cache: folders of the default directory that are another user's are refused", "[shadercache]") {
  if (::geteuid() != 0) return;
  const bool of_program = GENERATE(true, false);
  const TemporaryDirectory place;
  CHECK(default_opening(place / "home") == static_cast<int>(Status::ok));
  const fs::path folder = of_program ? program_folder(place / "home") : place / "home" / "fenceline";
  REQUIRE(::chown(folder.c_str(), 65534, 65534) == 0);
  CHECK(default_opening(place / "home") == static_cast<int>(Status::corrupt));
}
