// SPDX-License-Identifier: Apache-2.0
// Directories and files that cannot be used: it says so, nothing is lost, and it goes on when they can be used again.
#include "tests/crash/confined_child.hpp"
#include "tests/crash/crash_figures.hpp"
#include "tests/crash/kill_victim.hpp"
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t many = 600;  // the index grows behind the 512th

/// A cache with an entry, in a directory that something is done to.
class Refused {
 public:
  explicit Refused(const fs::path& place) : directory_(place / "above/caches") {
    config_.directory = directory_;
    description_.memory_bytes = 1;  // every find reads the files
    expect(open() == Status::ok && store(0) == Status::ok, "it is made");
    close();
  }

  fs::path file(const std::string& end) const { return directory_ / (description_.identifier.text() + end); }
  const fs::path& directory() const { return directory_; }
  void name(std::string what) {
    what_ = std::move(what);
    figures().count(CrashFigures::refused);
  }
  void expect(bool right, const std::string& what) const {
    if (!right) figures().fail(CrashFigures::wrong, what_ + ": not " + what);
  }

  Status open() {
    caches_ = std::make_unique<ShaderCaches>(config_);
    OpenedCache opened = caches_->open(description_);
    session_ = std::move(opened.session);
    expect((opened.status == Status::ok) == opened.reason.empty(), "a reason where one is");
    return opened.status;
  }
  void close() {
    session_.reset();
    caches_.reset();
  }
  Status store(std::uint32_t number) {
    const Status status = store_in(*session_, std::to_string(number), pattern(10, number));
    if (status == Status::ok) stored_ = number + 1;
    return status;
  }
  void clear() {
    const bool done = caches_->clear();
    const Found found = find_in(*session_, "0");
    // Values go first: they are gone, too, where no new table can be made.
    const bool gone = found == Status::not_found || (!done && found == Status::corrupt);
    expect(done ? found == Status::not_found : gone || found == pattern(10, 0), "cleared, or said not to be");
    if (gone) stored_ = 0;
  }

  /// It cannot be opened, and then it can.
  void expect_refusal(const std::function<void()>& undo) {
    expect(open() == Status::corrupt, "refused");
    close();
    undo();
    expect_all("when it is undone");
  }
  /// All that was stored is there, and more can be stored.
  void expect_all(const std::string& when) {
    if (!session_) expect(open() == Status::ok, "opened " + when);
    if (!session_) return;
    expect_found(when);
    expect(store(stored_) == Status::ok, "stored into " + when);
    expect_found(when);
    close();
  }
  void expect_found(const std::string& when) {
    for (std::uint32_t number = 0; number < stored_; ++number) {
      const Found found = find_in(*session_, std::to_string(number));
      if (found == pattern(10, number)) continue;
      figures().fail(found == Status::not_found ? CrashFigures::lost : CrashFigures::wrong,
                     fmt::format("{}: {}, entry {}: {}", what_, when, number, name_of(found.status)));
    }
  }
  std::uint32_t stored() const { return stored_; }

 private:
  fs::path directory_;
  ShaderCachesConfig config_;
  CacheDescription description_ = default_cache(CacheMode::disk);
  std::unique_ptr<ShaderCaches> caches_;
  std::unique_ptr<ShaderCacheSession> session_;
  std::uint32_t stored_ = 0;
  std::string what_ = "at first";
};

void permit(const fs::path& path, ::mode_t mode) {
  if (::chmod(path.c_str(), mode) != 0) throw std::runtime_error("chmod " + path.string());
}

void try_permissions(Refused& cache) {
  for (const char* const end : {".val", ".idx", ".lock"}) {
    for (const ::mode_t mode : {0400U, 0200U, 0U}) {
      cache.name(fmt::format("{} of mode {:o}", end, mode));
      permit(cache.file(end), mode);
      cache.expect_refusal([&] { permit(cache.file(end), 0600); });
    }
  }
  for (const ::mode_t mode : {0600U, 0400U, 0200U, 0U}) {
    cache.name(fmt::format("a directory of mode {:o}", mode));
    permit(cache.directory(), mode);
    cache.expect_refusal([&] { permit(cache.directory(), 0700); });
  }
  for (const bool while_open : {false, true}) {
    cache.name(fmt::format("a directory that becomes read-only, {}", while_open ? "open" : "closed"));
    if (while_open) cache.expect(cache.open() == Status::ok, "opened");
    permit(cache.directory(), 0500);
    cache.expect_all("in it");  // the files are there
    cache.expect(cache.open() == Status::ok, "opened");
    while (cache.stored() < many && cache.store(cache.stored()) == Status::ok) {
    }
    cache.expect_found("when the index cannot grow");
    cache.clear();
    permit(cache.directory(), 0700);
    cache.expect_all("when it is writable again");
  }
  cache.name("a directory that is not there, in one that is read-only");
  fs::remove_all(cache.directory());
  permit(cache.directory().parent_path(), 0500);
  cache.expect(cache.open() == Status::corrupt, "refused");
  permit(cache.directory().parent_path(), 0700);
  cache.expect(cache.open() == Status::ok && cache.store(0) == Status::ok, "made when it can be");
  cache.expect_all("when it can be made");
}

/// Something else in the place of a file or of the directory.
void try_others(Refused& cache) {
  struct Other {
    const char* name;
    void (*make)(const fs::path&);
  };
  const Other others[] = {
      {"a directory", [](const fs::path& path) { fs::create_directory(path); }},
      {"a directory that is not empty", [](const fs::path& path) { write_file(path / "file", "text"); }},
      {"a link to nothing", [](const fs::path& path) { fs::create_symlink("nothing", path); }},
      {"a link to itself", [](const fs::path& path) { fs::create_symlink(path.filename(), path); }},
      {"a pipe", [](const fs::path& path) { ::mkfifo(path.c_str(), 0600); }},
  };
  for (const Other& other : others) {
    for (const char* const end : {".val", ".idx", ".lock"}) {
      cache.name(fmt::format("{} as {}", other.name, end));
      const fs::path aside = cache.directory() / "aside";
      fs::rename(cache.file(end), aside);
      other.make(cache.file(end));
      cache.expect_refusal([&] {
        fs::remove_all(cache.file(end));
        fs::rename(aside, cache.file(end));
      });
    }
    for (const char* const end : {".val.new", ".idx.new"}) {
      cache.name(fmt::format("{} as {}", other.name, end));
      other.make(cache.file(end));
      cache.expect(cache.open() == Status::ok, "opened");
      for (std::uint32_t number = cache.stored(); number < many && cache.store(number) == Status::ok; ++number) {
      }
      cache.expect_found("beside it");
      cache.clear();
      fs::remove_all(cache.file(end));
      cache.expect_all("when it is gone");
    }
  }
  cache.name("a file as the directory");
  const fs::path aside = cache.directory().parent_path() / "aside";
  fs::rename(cache.directory(), aside);
  write_file(cache.directory(), "text");
  cache.expect_refusal([&] {
    fs::remove(cache.directory());
    fs::rename(aside, cache.directory());
  });
  cache.name("a file above the directory");
  const fs::path above = cache.directory().parent_path();
  fs::rename(above, above.string() + " aside");
  write_file(above, "text");
  cache.expect_refusal([&] {
    fs::remove(above);
    fs::rename(above.string() + " aside", above);
  });
}

constexpr int no_plain_user = 77;

int as_plain_user(const TemporaryDirectory& directory, void (*body)(Refused&)) {
  ChildProcess child([&] {
    end_with_parent();
    if (!become_plain_user(directory / "")) return no_plain_user;
    Refused cache(directory / "");
    body(cache);
    return 0;
  });
  return child.wait();
}

}  // namespace

TEST_CASE("shader cache crash: what it may not read or write it refuses, and uses when it may", "[crash]") {
  TemporaryDirectory directory;
  const auto body = GENERATE(try_permissions, try_others);
  const int result = as_plain_user(directory, body);
  if (result == no_plain_user) {
    WARN("the system does not let this process become a plain user: nothing was tried");
    return;
  }
  INFO(figures().failures());
  CHECK(result == 0);
  CHECK(figures()[CrashFigures::refused] > 0);
  CHECK(figures()[CrashFigures::lost] == 0);
  CHECK(figures()[CrashFigures::wrong] == 0);
}
