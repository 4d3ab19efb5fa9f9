// SPDX-License-Identifier: Apache-2.0
// Names, modes and places of the files, and what is done where something is in their way.
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <stdlib.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;
namespace fs = std::filesystem;

namespace {

unsigned mode_of(const fs::path& path) { return static_cast<unsigned>(fs::symlink_status(path).permissions()); }

/// Sets the process's mask of modes for a while.
class FileMask {
 public:
  explicit FileMask(mode_t mask) : before_(::umask(mask)) {}
  ~FileMask() { ::umask(before_); }
  FileMask(const FileMask&) = delete;
  FileMask& operator=(const FileMask&) = delete;

 private:
  mode_t before_;
};

/// Sets or removes a variable of the environment for a while.
class EnvironmentVariable {
 public:
  EnvironmentVariable(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
    if (const char* before = ::getenv(name_.c_str())) before_ = before;
    set(value);
  }
  ~EnvironmentVariable() { set(before_); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  void set(const std::optional<std::string>& value) {
    if (value) {
      ::setenv(name_.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }
  std::string name_;
  std::optional<std::string> before_;
};

const CacheDescription plain = default_cache(CacheMode::disk, 0x12345678);

}  // namespace

TEST_CASE("shader cache: its files are named after the identifier", "[shadercache]") {
  CacheBench bench;
  const std::string text = "fc000000-0000-0000-0000-000012345678";
  REQUIRE(plain.identifier.text() == text);
  const auto session = bench.open(plain);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  CHECK(names_in(bench.config.directory) == std::vector<std::string>{text + ".idx", text + ".lock", text + ".val"});
}

TEST_CASE("shader cache: what it leaves when it is closed has these names, and in the working directory too",
          "[shadercache]") {
  CacheBench bench;
  CHECK(store_in(*bench.open(plain), "key", "value") == Status::ok);
  {
    const WorkingDirectory here(bench.directory / "work");
    CHECK(store_in(*bench.open(in_working_directory(plain)), "key", "value") == Status::ok);
  }
  bench.restart();
  const std::string text = plain.identifier.text();
  for (const fs::path& place : {bench.config.directory, bench.directory / "work"}) {
    CHECK(fs::is_regular_file(place / (text + ".val")));
    for (const std::string& name : names_in(place)) {
      CHECK((name == text + ".idx" || name == text + ".val" || name == text + ".lock"));
    }
  }
}

TEST_CASE("shader cache: driver-versioned files begin with the identifier and end as the others", "[shadercache]") {
  CacheBench bench;
  const auto session = bench.open(driver_versioned(plain), {"adapter/0", 3});
  CHECK(store_in(*session, "key", "value") == Status::ok);
  const std::string text = plain.identifier.text();
  std::size_t values = 0;
  for (const std::string& name : names_in(bench.config.directory)) {
    CHECK(name.substr(0, text.size()) == text);
    const std::string extension = fs::path(name).extension().string();
    CHECK((extension == ".idx" || extension == ".val" || extension == ".lock"));
    CHECK(name.size() > text.size() + extension.size());
    values += extension == ".val" ? 1 : 0;
  }
  CHECK(values == 1);
}

TEST_CASE("shader cache: files are for their owner alone, whatever the mask", "[shadercache]") {
  const FileMask mask(GENERATE(0, 022, 077));
  CacheBench bench;
  bench.config.directory = bench.directory / "a" / "b" / "c";
  bench.restart();
  auto session = bench.open(plain);
  CHECK(store_in(*session, "key", "value") == Status::ok);
  const auto versioned = bench.open(driver_versioned(plain), {"adapter", 1});
  const bool closed = GENERATE(false, true);
  if (closed) session.reset();
  for (const auto& entry : fs::directory_iterator(bench.config.directory)) {
    INFO(entry.path().filename().string());
    CHECK(mode_of(entry.path()) == 0600);
  }
  CHECK(mode_of(bench.config.directory) == 0700);
  CHECK(mode_of(bench.directory / "a" / "b") == 0700);
  CHECK(mode_of(bench.directory / "a") == 0700);
}

TEST_CASE("shader cache: a directory that is there keeps its mode, and the working directory too", "[shadercache]") {
  const FileMask mask(0);
  CacheBench bench;
  fs::create_directories(bench.config.directory);
  fs::permissions(bench.config.directory, static_cast<fs::perms>(0755));
  CHECK(store_in(*bench.open(plain), "key", "value") == Status::ok);
  CHECK(mode_of(bench.config.directory) == 0755);
  const WorkingDirectory here(bench.directory / "work");
  fs::permissions(bench.directory / "work", static_cast<fs::perms>(0711));
  CHECK(store_in(*bench.open(in_working_directory(plain)), "key", "value") == Status::ok);
  CHECK(mode_of(bench.directory / "work") == 0711);
  for (const auto& entry : fs::directory_iterator(bench.directory / "work")) CHECK(mode_of(entry.path()) == 0600);
}

TEST_CASE("shader cache: a name that is taken by a directory is corrupt, with a reason, and the others work",
          "[shadercache]") {
  const std::string extension = GENERATE(".val", ".idx", ".lock");
  CacheBench bench;
  write_file(bench.file(plain, extension) / "inner" / "file", "mine");
  for (int again = 0; again < 3; ++again) {
    const OpenedCache opened = bench.caches->open(plain);
    CHECK(opened.status == Status::corrupt);
    CHECK(opened.session == nullptr);
    CHECK_FALSE(opened.reason.empty());
  }
  CHECK(contents_of(bench.file(plain, extension) / "inner" / "file") == "mine");
  CHECK(store_in(*bench.open(default_cache(CacheMode::disk, 2)), "key", "value") == Status::ok);
  CHECK(bench.status_of(default_cache(CacheMode::memory, 0x12345678)) == Status::ok);
  bench.caches->clear();  // does not mind
  CHECK(contents_of(bench.file(plain, extension) / "inner" / "file") == "mine");
  fs::remove_all(bench.file(plain, extension));
  CHECK(store_in(*bench.open(plain), "key", "value") == Status::ok);  // out of the way
}

TEST_CASE("shader cache: a directory that cannot be made is corrupt", "[shadercache]") {
  CacheBench bench;
  write_file(bench.directory / "file", "mine");
  for (const fs::path& directory : {bench.directory / "file", bench.directory / "file" / "a" / "b"}) {
    bench.config.directory = directory;
    bench.restart();
    const OpenedCache opened = bench.caches->open(plain);
    CHECK(opened.status == Status::corrupt);
    CHECK(opened.session == nullptr);
    CHECK_FALSE(opened.reason.empty());
    bench.caches->clear();
    CHECK(bench.status_of(default_cache(CacheMode::memory)) == Status::ok);
  }
  CHECK(contents_of(bench.directory / "file") == "mine");
}

TEST_CASE("shader cache: a symbolic link in place of a file is not followed", "[shadercache]") {
  const std::string extension = GENERATE(".val", ".idx", ".lock");
  const std::string content = GENERATE(std::string("precious"), std::string(), std::string(100000, 'x'));
  CacheBench bench;
  const fs::path target = bench.directory / "target";
  write_file(target, content);
  fs::permissions(target, static_cast<fs::perms>(0644));
  fs::create_directories(bench.config.directory);
  fs::create_symlink(target, bench.file(plain, extension));
  for (int again = 0; again < 2; ++again) {
    CHECK(bench.status_of(plain) == Status::corrupt);
    CHECK(contents_of(target) == content);
    CHECK(mode_of(target) == 0644);
  }
  bench.caches->clear();
  CHECK(contents_of(target) == content);
}

TEST_CASE("shader cache: a symbolic link to nothing makes nothing", "[shadercache]") {
  const std::string extension = GENERATE(".val", ".idx", ".lock");
  CacheBench bench;
  fs::create_directories(bench.config.directory);
  fs::create_symlink(bench.directory / "target", bench.file(plain, extension));
  CHECK(bench.status_of(plain) == Status::corrupt);
  CHECK_FALSE(fs::exists(bench.directory / "target"));
}

TEST_CASE("shader cache: a symbolic link to a cache's own files is not followed either", "[shadercache]") {
  const std::string extension = GENERATE(".val", ".idx");
  CacheBench bench;
  CHECK(store_in(*bench.open(plain), "key", "value") == Status::ok);
  const CacheDescription other = default_cache(CacheMode::disk, 2);
  fs::create_symlink(bench.file(plain, extension), bench.file(other, extension));
  const std::string before = contents_of(bench.file(plain, extension));
  CHECK(bench.status_of(other) == Status::corrupt);
  CHECK(contents_of(bench.file(plain, extension)) == before);
  CHECK(find_in(*bench.open(plain), "key") == "value");
}

TEST_CASE("shader cache: a pipe in place of a file does not stop it", "[shadercache]") {
  const std::string extension = GENERATE(".val", ".idx", ".lock");
  CacheBench bench;
  fs::create_directories(bench.config.directory);
  REQUIRE(::mkfifo(bench.file(plain, extension).c_str(), 0600) == 0);
  OpenedCache opened = bench.caches->open(plain);  // replaced, or corrupt
  CHECK((opened.status == Status::ok || opened.status == Status::corrupt));
  if (opened.session) {
    CHECK(store_in(*opened.session, "key", "value") == Status::ok);
    CHECK(find_in(*opened.session, "key") == "value");
  }
}

TEST_CASE("shader cache: its default directory is in the user's cache and named after the program", "[shadercache]") {
  CacheBench bench;
  const std::string program = fs::read_symlink("/proc/self/exe").filename().string();
  const EnvironmentVariable home("HOME", (bench.directory / "home").string());
  const std::optional<std::string> xdg = GENERATE(as<std::optional<std::string>>{}, std::nullopt, "", "xdg");
  const bool given = xdg && !xdg->empty();
  const EnvironmentVariable cache_home("XDG_CACHE_HOME", given ? (bench.directory / *xdg).string() : xdg);
  const fs::path directory = default_cache_directory();
  const fs::path expected = given ? bench.directory / "xdg" : bench.directory / "home" / ".cache";
  CHECK(directory.parent_path() == expected / "fenceline");
  CHECK(directory.filename().string().substr(0, program.size()) == program);
  CHECK_FALSE(fs::exists(expected));  // only told
  bench.config.directory.clear();
  bench.restart();
  CHECK(store_in(*bench.open(plain), "key", "value") == Status::ok);
  CHECK(fs::is_regular_file(directory / (plain.identifier.text() + ".val")));
  CHECK(mode_of(directory) == 0700);
  bench.restart();
  CHECK(find_in(*bench.open(plain), "key") == "value");
}

TEST_CASE("shader cache: caches of two directories have nothing in common", "[shadercache]") {
  CacheBench bench;
  ShaderCachesConfig other = bench.config;
  other.directory = bench.directory / "elsewhere";
  ShaderCaches elsewhere(other);
  CHECK(store_in(*bench.open(plain), "key", "value") == Status::ok);
  const auto session = CacheBench::open_in(elsewhere, with_version(plain, 2));
  CHECK(find_in(*session, "key") == Status::not_found);
  CHECK(store_in(*session, "key", "elsewhere") == Status::ok);
  bench.caches->clear();
  CHECK(find_in(*session, "key") == "elsewhere");
}
