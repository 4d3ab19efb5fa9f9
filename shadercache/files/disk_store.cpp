// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/disk_store.hpp"

#include "shadercache/files/file_limit.hpp"
#include "shadercache/files/record_scan.hpp"
#include "shadercache/files/values_header.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

/// Stores between two that say in the index how far it is: as many are looked at again after a crash.
constexpr std::uint32_t told_after = 32;

/// What a system did not write.
DiskStore::Stored refused() {
  if (errno == ETIMEDOUT) return DiskStore::Stored::busy;
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  return full ? DiskStore::Stored::full : DiskStore::Stored::failed;
}

DiskStore::Found not_looked() { return errno == ETIMEDOUT ? DiskStore::Found::busy : DiskStore::Found::failed; }

}  // namespace

class DiskStore::Write {
 public:
  explicit Write(DiskStore& store) : store_(store), has_(store.begin_write()) {}
  ~Write() {
    if (has_) store_.lock_.end_write();
  }
  Write(const Write&) = delete;
  Write& operator=(const Write&) = delete;
  explicit operator bool() const { return has_; }

 private:
  const FileLimit limit_;
  DiskStore& store_;
  bool has_;
};

/// Waits until nobody else writes. The lock is that of the file that has its name now, or others had another one, and
/// of this process: parent and child of a fork would hold one lock together.
bool DiskStore::begin_write() {
  if (process_ == ::getpid()) {
    if (!lock_.begin_write()) return false;
    if (lock_.named()) return true;
    lock_.end_write();
  }
  CacheLock lock = CacheLock::open(directory_, file(".lock"), config_.most_wait);
  if (!lock.is_open() || !lock.share()) return false;
  lock_ = std::move(lock);
  process_ = ::getpid();
  return true;
}

/// The files are those that have the names now, and all that is in .val is in the table. With the lock for writing.
bool DiskStore::catch_up() {
  CacheHeader header;
  if (!read_values_header(values_, header)) {
    if (!index_.valid()) return reset(some_era());
    header = index_.header();
    if (is_ours(header) && !write_values_header(values_, header)) return false;
  }
  if (!is_ours(header)) return leave_files();
  std::uint64_t end = values_.bytes();
  if (end > most_values_bytes) {
    if (!values_.truncate(most_values_bytes)) return false;
    end = most_values_bytes;
  }
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
    if (place.what != CacheIndex::Place::What::found) continue;
    if (place.slot.at != slot.at) return rebuild(header);  // it was stored again where it had been lost
    index_.count(slot);
  }
  return (taken_to == end || values_.truncate(taken_to)) && index_.set_values_end(taken_to);
}

/// The table anew, from all that is whole in .val.
bool DiskStore::rebuild(const CacheHeader& header) {
  RecordScan scan(values_, header.era, header_bytes, std::min(values_.bytes(), most_values_bytes));
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
  const bool whole = index_.for_each([&](const CacheSlot& slot) { slots.push_back(slot); });
  if (!whole || slots.size() > CacheIndex::most_entries) return rebuild(index_.header());
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
  if (values.named && values.bytes == index_.state().values_end && values.bytes <= most_values_bytes &&
      index_.valid() && !unlinked) {
    return true;
  }
  beside_others_ = true;
  if (!values.named || unlinked) {
    if (!open_files()) return false;
  } else {
    index_.refresh();
  }
  return catch_up();
}

/// All that was ever put into the table is in it: after a crash of the system slots that never came to the disk look
/// free. With the lock for writing, after `refresh`.
bool DiskStore::complete() { return index_.is_complete() || rebuild(index_.header()); }

DiskStore::Record DiskStore::read_record(const CacheSlot& slot, std::string_view key, const Room& room) {
  constexpr std::uint64_t surely_there = 1U << 20;
  const std::uint64_t bytes = bytes_of_record(slot.key_bytes, slot.value_bytes);
  if (slot.at > most_values_bytes || bytes > most_values_bytes - slot.at) return Record::damaged;
  if (bytes > surely_there && (slot.at > values_.bytes() || bytes > values_.bytes() - slot.at)) return Record::damaged;
  RecordHeader record;
  const std::size_t body_bytes = slot.key_bytes + std::size_t{slot.value_bytes};
  char* const body = room(body_bytes);
  if (values_.read(slot.at, &record, sizeof record, body, body_bytes) != sizeof record + body_bytes) {
    return Record::damaged;
  }
  const std::string_view stored_key(body, slot.key_bytes);
  const std::string_view value(body + slot.key_bytes, slot.value_bytes);
  if (record.hash != slot.hash || !is_whole(record, index_.header().era, stored_key, value, slot.at)) {
    return Record::damaged;
  }
  return stored_key == key ? Record::of_key : Record::of_other_key;
}

DiskStore::Found DiskStore::find(std::uint64_t hash, std::string_view key, const Room& room) {
  CacheIndex::Place place = index_.find_known(hash);
  if (place.what != CacheIndex::Place::What::found) {
    place = index_.find(hash);
    if (place.what == CacheIndex::Place::What::found) index_.forget(place);
  }
  if (place.what == CacheIndex::Place::What::found && is_current()) {
    const Record record = read_record(place.slot, key, room);
    if (record == Record::of_key) return Found::yes;
    if (record == Record::of_other_key) return Found::other_key;
  }
  const bool nothing = place.what == CacheIndex::Place::What::free && index_.known_complete();
  if (nothing && is_current() && !index_.unlinked()) return Found::no;
  return find_again(hash, key, room);
}

/// Where the table is an old one, or something seems to be damaged: it may have been half written.
DiskStore::Found DiskStore::find_again(std::uint64_t hash, std::string_view key, const Room& room) {
  const Write write(*this);
  if (!write || !refresh() || !complete()) return not_looked();
  CacheIndex::Place place = index_.find(hash);
  if (place.what == CacheIndex::Place::What::damaged) {
    if (!rebuild(index_.header())) return not_looked();
    place = index_.find(hash);
  }
  if (place.what != CacheIndex::Place::What::found) return Found::no;
  const Record record = read_record(place.slot, key, room);
  if (record == Record::of_key) return Found::yes;
  if (record == Record::of_other_key) return Found::other_key;
  index_.drop(place);
  ++damaged_;
  return Found::no;
}

DiskStore::Stored DiskStore::store(std::uint64_t hash, std::string_view key, std::string_view value) {
  const Write write(*this);
  if (!write || !refresh() || !complete()) return refused();
  CacheIndex::Place place = index_.find(hash);
  if (place.what == CacheIndex::Place::What::damaged) {
    if (!rebuild(index_.header())) return refused();
    place = index_.find(hash);
  }
  if (place.what == CacheIndex::Place::What::found) {
    const Record record = read_record(place.slot, key, [this](std::size_t bytes) {
      scratch_.resize(bytes);
      return scratch_.data();
    });
    if (record == Record::of_key) return Stored::there_already;
    if (record == Record::of_other_key) return Stored::other_key;
    ++damaged_;
    if (!index_.drop(place)) return refused();
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
  if (!values_.write(at, parts.data(), static_cast<int>(parts.size())) || (config_.sync_each && !sync())) {
    const Stored answer = refused();
    values_.truncate(at);
    return answer;
  }
  CacheSlot slot;
  slot.hash = hash;
  slot.at = at;
  slot.key_bytes = record.key_bytes;
  slot.value_bytes = record.value_bytes;
  if (!index_.add(place, slot, at + bytes)) {
    const Stored answer = refused();
    values_.truncate(at);  // or whoever comes next would find it there
    return answer;
  }
  if (beside_others_ || ++not_told_ == told_after) tell();
  return Stored::yes;
}

/// How far the table is: whoever comes next looks at what is behind that.
void DiskStore::tell() {
  not_told_ = 0;
  index_.set_values_end(index_.state().values_end);
}

bool DiskStore::clear() {
  const Write write(*this);
  if (!write || (!values_.facts().named && !open_files())) return false;
  CacheHeader header;
  const bool known = read_values_header(values_, header);
  if (known && !is_ours(header)) return leave_files();
  return reset(known ? header.era + 1 : some_era());
}

void DiskStore::look() {
  const Write write(*this);
  if (write && refresh()) complete();
}

void DiskStore::mark_delete_on_destroy() {
  const Write write(*this);
  if (write) lock_.mark(true);
}

bool DiskStore::sync() {
  if (!values_.sync()) return false;
  if (synced_generation_ == generation_) return true;
  if (!directory_.sync()) return false;
  synced_generation_ = generation_;
  return true;
}

void DiskStore::close() {
  if (!lock_.is_open()) return;
  {
    const Write write(*this);
    if (write && not_told_ > 0) tell();
    if (write && lock_.marked() && lock_.alone()) remove_files();
  }
  lock_ = {};
}

void DiskStore::remove_files() const {
  for (const char* const end : {".idx", ".idx.new", ".val", ".val.new", ".lock"}) directory_.remove(file(end));
}

}  // namespace fenceline
