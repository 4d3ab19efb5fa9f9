// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/damage_bench.hpp"

#include "tests/crash/crash_figures.hpp"
#include "tests/crash/quick_directory.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

namespace fenceline::testing {
namespace {

constexpr std::size_t dull_bytes = 64;

std::string damaged(std::string bytes, const Damage& damage) {
  switch (damage.kind) {
    case Damage::Kind::flip: bytes[damage.at] = static_cast<char>(bytes[damage.at] ^ 1 << damage.bit); break;
    case Damage::Kind::cut: bytes.resize(damage.at); break;
    case Damage::Kind::zeros:
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(damage.at), bytes.end(), '\0');
      break;
    case Damage::Kind::random:
      bytes.replace(damage.at, std::string::npos,
                    pattern(bytes.size() - damage.at, static_cast<std::uint32_t>(damage.at)));
  }
  return bytes;
}

/// As a disk or another program does it: in the file that is there.
void overwrite(const std::filesystem::path& path, const std::string& bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const bool done = file >= 0 && ::pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()) &&
                    ::ftruncate(file, static_cast<off_t>(bytes.size())) == 0;
  ::close(file);
  if (!done) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

std::string Damage::text() const {
  constexpr std::array<const char*, 4> kinds{"a flipped bit", "cut", "zeros from there", "random bytes from there"};
  return fmt::format("{} at {}, {}, bit {}", end, at, kinds[static_cast<std::size_t>(kind)], bit);
}

DamageBench::DamageBench() : directory_(quick_directory()), description_(default_cache(CacheMode::disk)) {
  bench_.config.directory = directory_ / "caches";
  bench_.restart();
  description_.memory_bytes = 1;  // every find reads the files
  auto session = bench_.open(description_);
  const auto bytes = [&] {
    return static_cast<std::size_t>(std::filesystem::file_size(bench_.file(description_, ".val")));
  };
  std::uint32_t number = 0;
  for (const std::size_t size : {1, 8, 61, 20, 90}) {
    Entry entry{fmt::format("key {}", number), pattern(size, number), bytes(), 0};
    ++number;
    if (store_in(*session, entry.key, entry.value) != CacheStatus::ok) throw std::runtime_error("nothing is stored");
    entry.to = bytes();
    entries_.push_back(std::move(entry));
  }
  session.reset();
  for (const char* const end : {".val", ".idx"}) files_.push_back({end, contents_of(bench_.file(description_, end))});
  files_.push_back({".lock", "D"});  // it is empty but where the cache is to be deleted
}

std::size_t DamageBench::bytes_of(const std::string& end) const {
  for (const File& file : files_) {
    if (file.end == end) return file.bytes.size();
  }
  return 0;
}

bool DamageBench::is_dull(const std::string& end, std::size_t at) const {
  if (end != ".idx") return false;
  for (const File& file : files_) {
    if (file.end != end) continue;
    const std::string around = file.bytes.substr(at - std::min(at, dull_bytes), 2 * dull_bytes);
    return around.find_first_not_of('\0') == std::string::npos;
  }
  return false;
}

bool DamageBench::touches(const Damage& damage, const Entry& entry) const {
  if (damage.end != ".val") return false;
  if (damage.kind == Damage::Kind::flip) return damage.at >= entry.from && damage.at < entry.to;
  return damage.at < entry.to;
}

void DamageBench::restore() {
  for (const File& file : files_) {
    overwrite(bench_.file(description_, file.end), file.end == ".lock" ? std::string() : file.bytes);
  }
}

void DamageBench::do_damage(const Damage& damage) const {
  figures().count(damage.kind == Damage::Kind::flip ? CrashFigures::flips : CrashFigures::torn);
  for (const File& file : files_) {
    if (file.end == damage.end) overwrite(bench_.file(description_, file.end), damaged(file.bytes, damage));
  }
}

void DamageBench::fail_unless(bool right, const Damage& damage, const char* what) const {
  if (!right) figures().fail(CrashFigures::wrong, damage.text() + ": " + what);
}

std::vector<const DamageBench::Entry*> DamageBench::look(ShaderCacheSession& session, const Damage& damage,
                                                         bool others_may_be_missing) {
  std::vector<const Entry*> missing;
  for (const Entry& entry : entries_) {
    const Found found = find_in(session, entry.key);
    if (found == entry.value) continue;
    missing.push_back(&entry);
    fail_unless(found == CacheStatus::not_found, damage, "another value");
    if (touches(damage, entry) || others_may_be_missing) continue;
    figures().fail(CrashFigures::lost, damage.text() + ": " + entry.key + " is lost");
  }
  return missing;
}

/// Opened as by the next run of a program.
void DamageBench::check_again(const Damage& damage, const std::vector<std::pair<std::string, std::string>>& stored) {
  const auto caches = bench_.another_process();
  const auto session = CacheBench::open_in(*caches, description_);
  fail_unless(look(*session, damage, false).empty(), damage, "what was stored again is missing");
  for (const auto& [key, value] : stored) fail_unless(find_in(*session, key) == value, damage, "a new one is missing");
}

void DamageBench::try_closed(const Damage& damage) {
  restore();
  do_damage(damage);
  {
    const auto caches = bench_.another_process();
    const auto session = CacheBench::open_in(*caches, description_);
    const std::vector<const Entry*> missing = look(*session, damage, false);
    figures().count(CrashFigures::damaged, missing.size());
    for (const Entry* const entry : missing) {
      fail_unless(store_in(*session, entry->key, entry->value) == CacheStatus::ok, damage, "it is not stored again");
    }
    fail_unless(store_in(*session, "new", "value") == CacheStatus::ok, damage, "nothing new is stored");
  }
  check_again(damage, {{"new", "value"}});
}

void DamageBench::try_open(const Damage& damage) {
  restore();
  const std::string last(entries_.back().value.size(), 'x');  // a record as long as the last one
  {
    const auto caches = bench_.another_process();
    const auto session = CacheBench::open_in(*caches, description_);
    do_damage(damage);
    // Slots that are zeros look free: found again by the next one to open it who is alone.
    const bool zeros = damage.end == ".idx" && damage.kind == Damage::Kind::zeros;
    const std::size_t lost = look(*session, damage, zeros).size();
    if (!zeros) figures().count(CrashFigures::damaged, lost);
    const auto other_caches = bench_.another_process();
    const auto other = CacheBench::open_in(*other_caches, description_);
    const std::vector<const Entry*> missing = look(*other, damage, zeros);
    fail_unless(store_in(*other, "new 0", last) == CacheStatus::ok, damage, "nothing new is stored");
    fail_unless(find_in(*session, "new 0") == last, damage, "what another stored is not found");
    fail_unless(store_in(*session, "new 0", "other") == CacheStatus::already_exists, damage, "stored a second time");
    fail_unless(store_in(*session, "new 1", "one") == CacheStatus::ok, damage, "nothing new is stored");
    fail_unless(find_in(*other, "new 1") == "one", damage, "what another stored is not found");
    look(*session, damage, zeros);
    for (const Entry* const entry : zeros ? std::vector<const Entry*>{} : missing) {
      fail_unless(store_in(*session, entry->key, entry->value) == CacheStatus::ok, damage, "it is not stored again");
      fail_unless(find_in(*other, entry->key) == entry->value, damage, "what another stored is not found");
    }
  }
  check_again(damage, {{"new 0", last}, {"new 1", "one"}});
}

}  // namespace fenceline::testing
