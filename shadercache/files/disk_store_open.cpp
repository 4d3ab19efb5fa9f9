// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/disk_store.hpp"
#include "shadercache/files/values_header.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace fenceline {

DiskStore::Opened DiskStore::fail(const char* what) {
  if (errno != ETIMEDOUT) return fail(what, std::strerror(errno));
  fail(what, "another process has been writing to it all the while: it may be stopped");
  return Opened::busy;
}

DiskStore::Opened DiskStore::fail(const char* what, const char* why) {
  reason_ = (directory_.path() / config_.name).string() + what + ": " + why;
  return Opened::no;
}

DiskStore::Opened DiskStore::open(CacheDirectory directory, const Config& config) {
  directory_ = std::move(directory);
  config_ = config;
  if (!directory_.is_open()) {
    reason_ = directory_.reason();
    return Opened::no;
  }
  lock_ = CacheLock::open(directory_, file(".lock"), config_.most_wait);
  if (!lock_.is_open()) return fail(".lock");
  process_ = ::getpid();
  const bool alone = lock_.alone();
  Opened opened = open_locked(alone);
  if (opened == Opened::yes && !lock_.share()) opened = fail(".lock");
  lock_.end_write();
  return opened;
}

DiskStore::Opened DiskStore::open_locked(bool alone) {
  const bool left_to_delete = alone && lock_.marked();  // by a crash
  const auto start_over = [&](std::uint64_t era) {
    if (!reset(era)) return fail(".val");
    if (left_to_delete) lock_.mark(false);
    return Opened::yes;
  };
  if (!open_files()) return fail(".val, .idx");
  CacheHeader header;
  const bool known = read_values_header(values_, header);
  if (!known && !index_.valid()) {
    if (!alone) return fail(".val, .idx", "neither says of which version they are, and others have them open");
    return start_over(some_era());
  }
  if (!known) {
    header = index_.header();
    if (!write_values_header(values_, header)) return fail(".val");
  }
  if (!is_ours(header)) {
    if (!alone) return Opened::other_version;
    return start_over(header.era + 1);
  }
  if (left_to_delete) return start_over(header.era + 1);
  if (!catch_up()) return fail(".idx");
  return Opened::yes;
}

bool DiskStore::open_files() {
  ++generation_;
  values_ = CacheFile::open(directory_, file(".val"));
  if (!values_.is_open()) return false;
  index_ = CacheIndex::open(directory_, file(".idx"));
  return index_.is_open();
}

/// They have become those of another version: nothing is read from them nor written to them.
bool DiskStore::leave_files() {
  values_ = {};
  index_ = {};
  errno = ESTALE;
  return false;
}

/// Empties it: new files in the place of the old ones, which others notice. Values first: an index of another era is
/// not theirs.
bool DiskStore::reset(std::uint64_t era) {
  ++generation_;
  const CacheHeader header{era, config_.version, config_.driver};
  CacheFile fresh = CacheFile::make(directory_, file(".val.new"));
  if (!fresh.is_open() || !write_values_header(fresh, header) || !directory_.rename(file(".val.new"), file(".val"))) {
    const int reason = errno;
    directory_.remove(file(".val.new"));  // a full disk has the room again
    errno = reason;
    return false;
  }
  values_ = std::move(fresh);
  CacheIndex::State state;
  state.values_end = header_bytes;
  index_ = CacheIndex::make(directory_, file(".idx"), header, {}, state);
  return index_.is_open();
}

}  // namespace fenceline
