// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/disk_store.hpp"

#include "shadercache/files/record_scan.hpp"

#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

/// Stores between two that say in the index how far it is: as many are looked at again after a crash.
constexpr std::uint32_t told_after = 32;

/// A number that no cache before had: where nothing says what era it is.
std::uint64_t some_era() {
  return static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
}

/// What a system did not write.
DiskStore::Stored refused() {
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  return full ? DiskStore::Stored::full : DiskStore::Stored::failed;
}

bool read_values_header(const CacheFile& values, CacheHeader& header) {
  std::array<std::byte, header_bytes> bytes{};
  return values.read(0, bytes.data(), bytes.size()) == bytes.size() && read_header(bytes.data(), "VAL", header);
}

bool write_values_header(CacheFile& values, const CacheHeader& header) {
  std::array<std::byte, header_bytes> bytes{};
  write_header(bytes.data(), "VAL", header);
  return values.write(0, bytes.data(), bytes.size());
}

}  // namespace

DiskStore::Opened DiskStore::fail(const char* what) {
  reason_ = (directory_.path() / config_.name).string() + what + ": " + std::strerror(errno);
  return Opened::no;
}

DiskStore::Opened DiskStore::open(CacheDirectory directory, const Config& config) {
  directory_ = std::move(directory);
  config_ = config;
  if (!directory_.is_open()) {
    reason_ = directory_.reason();
    return Opened::no;
  }
  lock_ = CacheLock::open(directory_, file(".lock"));
  if (!lock_.is_open()) return fail(".lock");
  const bool alone = lock_.alone();
  const Opened opened = open_locked(alone);
  if (opened == Opened::yes) lock_.share();
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
  if (!known && !index_.valid()) return start_over(some_era());
  if (!known) {
    header = index_.header();
    if (!write_values_header(values_, header)) return fail(".val");
  }
  if (header.version != config_.version || header.driver != config_.driver) {
    if (!alone) return Opened::other_version;
    return start_over(header.era + 1);
  }
  if (left_to_delete) return start_over(header.era + 1);
  if (!catch_up()) return fail(".idx");
  // After a crash of the system slots that never came to the disk look free.
  if (alone && !index_.is_complete() && !rebuild(index_.header())) return fail(".idx");
  return Opened::yes;
}

bool DiskStore::open_files() {
  ++generation_;
  values_ = CacheFile::open(directory_, file(".val"));
  if (!values_.is_open()) return false;
  index_ = CacheIndex::open(directory_, file(".idx"));
  return index_.is_open();
}

/// Empties it: new files in the place of the old ones, which others notice. Values first: an index of another era is
/// not theirs.
bool DiskStore::reset(std::uint64_t era) {
  ++generation_;
  const CacheHeader header{era, config_.version, config_.driver};
  CacheFile fresh = CacheFile::make(directory_, file(".val.new"));
  if (!fresh.is_open() || !write_values_header(fresh, header)) return false;
  if (!directory_.rename(file(".val.new"), file(".val"))) return false;
  values_ = std::move(fresh);
  CacheIndex::State state;
  state.values_end = header_bytes;
  index_ = CacheIndex::make(directory_, file(".idx"), header, {}, state);
  return index_.is_open();
}

/// The files are those that have the names now, and all that is in .val is in the table. With the lock for writing.
bool DiskStore::catch_up() {
  CacheHeader header;
  if (!read_values_header(values_, header)) {
    if (!index_.valid()) return reset(some_era());
    header = index_.header();
    if (!write_values_header(values_, header)) return false;
  }
  const std::uint64_t end = values_.bytes();
  if (!index_.valid() || index_.header().era != header.era || end < index_.state().values_end) {
    return rebuild(header);
  }
  if (end == index_.state().values_end) return true;
  // Whoever wrote there has not come to its end.
  RecordScan scan(values_, header.era, index_.state().values_end, end);
  std::uint64_t taken_to = index_.state().values_end;
  for (CacheSlot slot; scan.next(slot);) {
    taken_to = scan.at();
    const CacheIndex::Place place = index_.find(slot.hash);
    if (place.what == CacheIndex::Place::What::damaged || !index_.has_room()) return rebuild(header);
    if (place.what == CacheIndex::Place::What::free && !index_.add(place, slot, taken_to)) return false;
    if (place.what == CacheIndex::Place::What::found && place.slot.at == slot.at) index_.count(slot);
  }
  return (taken_to == end || values_.truncate(taken_to)) && index_.set_values_end(taken_to);
}

/// The table anew, from all that is whole in .val.
bool DiskStore::rebuild(const CacheHeader& header) {
  RecordScan scan(values_, header.era, header_bytes, values_.bytes());
  std::vector<CacheSlot> slots;
  CacheIndex::State state;
  state.values_end = header_bytes;
  for (CacheSlot slot; scan.next(slot);) {
    slots.push_back(slot);
    state.values_end = scan.at();
  }
  if (!values_.truncate(state.values_end)) return false;
  index_ = CacheIndex::make(directory_, file(".idx"), header, slots, state);
  return index_.is_open();
}

bool DiskStore::grow() {
  std::vector<CacheSlot> slots;
  if (!index_.for_each([&](const CacheSlot& slot) { slots.push_back(slot); })) return rebuild(index_.header());
  CacheIndex larger = CacheIndex::make(directory_, file(".idx"), index_.header(), slots, index_.state());
  if (!larger.is_open()) return false;
  index_ = std::move(larger);
  return true;
}

/// Others may have stored something, or put other files in the place of these: every change makes .val longer or
/// another, but one who cuts damage off makes a new table. With the lock for writing.
bool DiskStore::refresh() {
  const CacheFile::Facts values = values_.facts();
  const bool unlinked = index_.unlinked();
  if (values.named && values.bytes == index_.state().values_end && index_.valid() && !unlinked) return true;
  beside_others_ = true;
  if (!values.named || unlinked) {
    if (!open_files()) return false;
  } else {
    index_.refresh();
  }
  return catch_up();
}

DiskStore::Record DiskStore::read_record(const CacheSlot& slot, std::string_view key, std::string& value) {
  constexpr std::uint64_t surely_there = 1U << 20;
  const std::uint64_t bytes = bytes_of_record(slot.key_bytes, slot.value_bytes);
  if (bytes > surely_there && (slot.at > values_.bytes() || bytes > values_.bytes() - slot.at)) return Record::damaged;
  RecordHeader record;
  front_.resize(sizeof record + slot.key_bytes);
  value.resize(slot.value_bytes);
  if (values_.read(slot.at, front_.data(), front_.size(), value.data(), value.size()) != front_.size() + value.size()) {
    return Record::damaged;
  }
  std::memcpy(&record, front_.data(), sizeof record);
  const std::string_view stored_key = std::string_view(front_).substr(sizeof record);
  if (record.hash != slot.hash || !is_whole(record, index_.header().era, stored_key, value, slot.at)) {
    return Record::damaged;
  }
  return stored_key == key ? Record::of_key : Record::of_other_key;
}

DiskStore::Found DiskStore::find(std::uint64_t hash, std::string_view key, std::string& value) {
  const CacheIndex::Place place = is_current() ? index_.find(hash) : CacheIndex::Place{};
  if (place.what == CacheIndex::Place::What::found) {
    const Record record = read_record(place.slot, key, value);
    if (record == Record::of_key) return Found::yes;
    if (record == Record::of_other_key) return Found::other_key;
  }
  if (place.what == CacheIndex::Place::What::free && is_current() && !index_.unlinked()) return Found::no;
  return find_again(hash, key, value);
}

/// Where the table is an old one, or something seems to be damaged: it may have been half written.
DiskStore::Found DiskStore::find_again(std::uint64_t hash, std::string_view key, std::string& value) {
  const CacheWrite write(lock_);
  if (!write || !refresh()) return Found::no;
  CacheIndex::Place place = index_.find(hash);
  if (place.what == CacheIndex::Place::What::damaged) {
    if (!rebuild(index_.header())) return Found::no;
    place = index_.find(hash);
  }
  if (place.what != CacheIndex::Place::What::found) return Found::no;
  const Record record = read_record(place.slot, key, value);
  if (record == Record::of_key) return Found::yes;
  if (record == Record::of_other_key) return Found::other_key;
  index_.drop(place);
  ++damaged_;
  return Found::no;
}

DiskStore::Stored DiskStore::store(std::uint64_t hash, std::string_view key, std::string_view value) {
  const CacheWrite write(lock_);
  if (!write || !refresh()) return Stored::failed;
  CacheIndex::Place place = index_.find(hash);
  if (place.what == CacheIndex::Place::What::damaged) {
    if (!rebuild(index_.header())) return Stored::failed;
    place = index_.find(hash);
  }
  if (place.what == CacheIndex::Place::What::found) {
    const Record record = read_record(place.slot, key, scratch_);
    if (record == Record::of_key) return Stored::there_already;
    if (record == Record::of_other_key) return Stored::other_key;
    ++damaged_;
    if (!index_.drop(place)) return Stored::failed;
    place = index_.find(hash);
  }
  if (!index_.has_room()) {
    if (!grow()) return refused();
    place = index_.find(hash);
  }
  if (place.what != CacheIndex::Place::What::free) return Stored::failed;
  return append(place, hash, key, value);
}

DiskStore::Stored DiskStore::append(const CacheIndex::Place& place, std::uint64_t hash, std::string_view key,
                                    std::string_view value) {
  const std::uint64_t at = index_.state().values_end;
  const std::uint64_t bytes = bytes_of_record(key.size(), value.size());
  if (at > config_.most_value_bytes || bytes > config_.most_value_bytes - at) return Stored::full;
  RecordHeader record = record_of(index_.header().era, hash, key, value, at);
  std::array<char, record_alignment> padding{};
  std::array<iovec, 4> parts{{{&record, sizeof record},
                              {const_cast<char*>(key.data()), key.size()},
                              {const_cast<char*>(value.data()), value.size()},
                              {padding.data(), bytes - sizeof record - key.size() - value.size()}}};
  if (!values_.write(at, parts.data(), static_cast<int>(parts.size())) || (config_.sync_each && !values_.sync())) {
    const Stored answer = refused();
    values_.truncate(at);
    return answer;
  }
  CacheSlot slot;
  slot.hash = hash;
  slot.at = at;
  slot.key_bytes = record.key_bytes;
  slot.value_bytes = record.value_bytes;
  if (!index_.add(place, slot, at + bytes)) return Stored::failed;
  if (beside_others_ || ++not_told_ == told_after) tell();
  return Stored::yes;
}

/// How far the table is: whoever comes next looks at what is behind that.
void DiskStore::tell() {
  not_told_ = 0;
  index_.set_values_end(index_.state().values_end);
}

bool DiskStore::clear() {
  const CacheWrite write(lock_);
  if (!write || (!values_.facts().named && !open_files())) return false;
  CacheHeader header;
  return reset(read_values_header(values_, header) ? header.era + 1 : some_era());
}

void DiskStore::look() {
  const CacheWrite write(lock_);
  if (write) refresh();
}

void DiskStore::mark_delete_on_destroy() {
  const CacheWrite write(lock_);
  if (write) lock_.mark(true);
}

bool DiskStore::sync() { return values_.sync(); }

void DiskStore::close() {
  if (!lock_.is_open()) return;
  {
    const CacheWrite write(lock_);
    if (write && not_told_ > 0) tell();
    if (write && lock_.marked() && lock_.alone()) remove_files();
  }
  lock_ = {};
}

void DiskStore::remove_files() const {
  for (const char* const end : {".idx", ".idx.new", ".val", ".val.new", ".lock"}) directory_.remove(file(end));
}

bool DiskStore::remove(CacheDirectory directory, const std::string& name) {
  DiskStore store;
  store.directory_ = std::move(directory);
  store.config_.name = name;
  store.lock_ = CacheLock::open(store.directory_, store.file(".lock"));
  if (!store.lock_.is_open() || !store.lock_.alone()) return false;
  store.remove_files();
  return true;
}

}  // namespace fenceline
