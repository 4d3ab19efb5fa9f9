// SPDX-License-Identifier: Apache-2.0
#include "shadercache/inspect/cache_verification.hpp"

#include "shadercache/cache_description.hpp"
#include "shadercache/files/cache_record.hpp"
#include "shadercache/files/record_check.hpp"
#include "shadercache/files/record_scan.hpp"
#include "shadercache/inspect/place_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace fenceline {
namespace {

using What = CacheFileLook::What;

/// A verification under way.
class Verifier {
 public:
  Verifier(CacheView& view, const CacheProgress& progress)
      : view_(view),
        progress_(progress),
        end_(view.values_end()),
        header_(view.header()),
        trusts_table_(view.index().valid() && header_ && view.index().header().era == header_->era),
        whole_(header_ ? end_ : 0),
        budget_(4 * end_) {}

  CacheVerification run() {
    look_at_files();
    if (header_) {
      read_values();
      if (trusts_table_) read_table();
      tell_gaps();
    }
    return std::move(result_);
  }

 private:
  /// A part of .val without a whole record. Adjacent ones cannot be told apart.
  struct Gap {
    std::uint64_t from;
    std::uint64_t to;
    bool known = false;  ///< a damaged entry of the table is in it
  };

  void damage(const char* end, std::uint64_t at, std::string expected, std::string found) {
    ++result_.damage_count;
    keep(result_.damage, end, at, std::move(expected), std::move(found));
  }
  void note(const char* end, std::uint64_t at, std::string expected, std::string found) {
    ++result_.notes_count;
    keep(result_.notes, end, at, std::move(expected), std::move(found));
  }
  void keep(std::vector<CacheFinding>& into, const char* end, std::uint64_t at, std::string expected,
            std::string found) const {
    if (into.size() < CacheVerification::most_findings) {
      into.push_back({view_.place().stem + end, at, std::move(expected), std::move(found)});
    }
  }
  void told(std::uint64_t bytes) const {
    if (progress_) progress_(std::min(bytes, total()), total());
  }
  std::uint64_t total() const { return end_ + view_.index_look().bytes; }

  void look_at_files();
  void look_at_index();
  void read_values();
  void add_gap(std::uint64_t from, std::uint64_t to);
  void read_table();
  void look_for_lost_slots();
  void check_slot(const CacheSlot& slot, std::uint64_t at);
  void check_entry(const CacheSlot& slot);
  std::optional<CacheFinding> fault_of(const CacheSlot& slot);
  void tell_gaps();

  CacheView& view_;
  const CacheProgress& progress_;
  const std::uint64_t end_;
  const std::optional<CacheHeader> header_;
  const bool trusts_table_;
  PlaceSet whole_;
  std::vector<Gap> gaps_;
  std::uint64_t more_gap_bytes_ = 0;
  std::uint64_t records_ = 0;  // whole ones, one after the other
  std::uint64_t damaged_slots_ = 0;
  std::uint64_t told_slots_ = 0;  // that lead to what the table says to have
  std::uint64_t budget_;          // of bytes that entries outside of the sequence of records may have: they may overlap
  CacheVerification result_;
};

bool is_there(const CacheFileLook& look) { return look.what == What::file; }

std::string reason_of(const CacheFileLook& look) { return look.what == What::missing ? "no file" : look.reason; }

void Verifier::look_at_files() {
  const std::uint64_t told_entries = view_.index().valid() ? view_.index().state().entries : 0;
  if (!is_there(view_.values_look())) {
    const bool loses = view_.values_look().what != What::missing || told_entries > 0;
    const std::string expected = told_entries > 0 ? fmt::format("the values of {} entries", told_entries) : "a file";
    if (loses) {
      damage(".val", 0, expected, reason_of(view_.values_look()));
      if (!trusts_table_) result_.damaged_entries += told_entries;
    } else {
      note(".val", 0, expected, reason_of(view_.values_look()));
    }
  }
  if (view_.values_look().bytes == 0 && is_there(view_.values_look()) && told_entries == 0) {
    note(".val", 0, "a header of 64 bytes", "an empty file, which a process had just made");
  } else if (const auto& fault = view_.values_fault()) {
    damage(".val", 0, fault->expected, fault->found);
  }
  if (is_there(view_.values_look()) && view_.values_look().bytes > most_cache_file_bytes) {
    damage(".val", most_cache_file_bytes, fmt::format("a file of at most {} bytes", most_cache_file_bytes),
           fmt::format("one of {}, whose rest is not read", view_.values_look().bytes));
  }
  look_at_index();
  const CacheFileLook& lock = view_.lock_look();
  if (lock.what == What::other) damage(".lock", 0, "a file", lock.reason);
  if (lock.what == What::unreadable) damage(".lock", 0, "a file", lock.reason);
}

void Verifier::look_at_index() {
  const CacheFileLook& look = view_.index_look();
  if (look.what == What::missing) {
    note(".idx", 0, "a table", "no file: it is made anew from .val");
  } else if (look.what != What::file) {
    damage(".idx", 0, "a file", look.reason);
  } else if (look.bytes == 0) {
    note(".idx", 0, "a table", "an empty file: it is made anew from .val");
  } else if (const auto& fault = view_.index_fault()) {
    damage(".idx", 0, fault->expected, fault->found);
  } else if (!view_.index().valid()) {
    damage(".idx", header_bytes, "a whole state of the table", "bytes whose check is another");
  } else if (!trusts_table_) {
    note(".idx", 0, fmt::format("era {}", header_ ? header_->era : 0),
         fmt::format("era {}: it is made anew from .val", view_.index().header().era));
  }
}

void Verifier::read_values() {
  if (!view_.values().is_open()) return;
  RecordScan scan(view_.values(), header_->era, header_bytes, end_);
  std::uint64_t so_far = header_bytes;
  for (CacheSlot slot; scan.next(slot); so_far = scan.at()) {
    if (slot.at > so_far) add_gap(so_far, slot.at);
    if (trusts_table_) whole_.add(slot.at);
    ++records_;
    told(scan.at());
  }
  if (end_ > so_far) add_gap(so_far, end_);
  result_.entries = records_;
  result_.bytes_read += end_;
}

void Verifier::add_gap(std::uint64_t from, std::uint64_t to) {
  constexpr std::size_t most_gaps = 100'000;
  if (gaps_.size() < most_gaps) {
    gaps_.push_back({from, to});
  } else {
    more_gap_bytes_ += to - from;
  }
}

void Verifier::read_table() {
  constexpr std::size_t at_once = 4096;
  std::vector<CacheSlot> some(at_once);
  CacheIndex& index = view_.index();
  // What of .val was stored again, or dropped, is no entry.
  result_.entries = 0;
  for (std::uint64_t number = 0; number < index.slots();) {
    const std::size_t got = view_.read_slots(number, some.data(), some.size());
    for (std::size_t i = 0; i < got; ++i) {
      if (!some[i].is_free()) check_slot(some[i], CacheIndex::place_of(number + i));
    }
    number += got;
    result_.bytes_read += got * sizeof(CacheSlot);
    told(end_ + CacheIndex::place_of(number));
    if (got < some.size() && number < index.slots()) {
      damage(".idx", CacheIndex::place_of(number), fmt::format("a table of {} slots", index.slots()),
             fmt::format("{}, then the file ends", number));
      break;
    }
  }
  if (damaged_slots_ > 0) {  // the next session that meets one makes the table anew
    result_.entries = records_;
    return;
  }
  look_for_lost_slots();
  // Behind what the table is told to have: the next writer adds them.
  if (index.state().values_end >= end_) return;
  RecordScan scan(view_.values(), header_->era, std::max<std::uint64_t>(header_bytes, index.state().values_end), end_);
  for (CacheSlot slot; scan.next(slot);) result_.entries += whole_.has(slot.at) ? 1 : 0;
}

/// Slots of zeros are free ones: what the table says of itself shows that there were more.
void Verifier::look_for_lost_slots() {
  const CacheIndex::State& told = view_.index().state();
  if (told_slots_ >= told.entries) return;
  const std::optional<std::uint64_t> first = whole_.first();
  if (!first || *first >= told.values_end) return;
  result_.damaged_entries += told.entries - told_slots_;
  damage(".idx", header_bytes, fmt::format("{} entries in the table", told.entries),
         fmt::format("{}: no slot leads to the entry at byte {} of .val, which is whole", told_slots_, *first));
}

void Verifier::check_slot(const CacheSlot& slot, std::uint64_t at) {
  const std::uint64_t era = view_.index().header().era;
  if (!slot.is_whole(era)) {
    ++damaged_slots_;
    CacheSlot right = slot;
    right.seal(era);
    damage(".idx", at, fmt::format("a slot of era {} with the check {:08x}", right.era, slot.check),
           fmt::format("bytes of era {} with the check {:08x}", slot.era, right.check));
  } else if (!slot.is_dropped()) {
    told_slots_ += slot.at < view_.index().state().values_end ? 1 : 0;
    check_entry(slot);
  }
}

void Verifier::check_entry(const CacheSlot& slot) {
  if (std::optional<CacheFinding> fault = fault_of(slot)) {
    ++result_.damaged_entries;
    damage(".val", slot.at, std::move(fault->expected), std::move(fault->found));
    const auto behind = std::upper_bound(gaps_.begin(), gaps_.end(), slot.at,
                                         [](std::uint64_t at, const Gap& gap) { return at < gap.from; });
    if (behind != gaps_.begin() && slot.at < std::prev(behind)->to) std::prev(behind)->known = true;
  } else {
    ++result_.entries;
    whole_.remove(slot.at);
  }
}

/// Why the entry of a slot would not be found.
std::optional<CacheFinding> Verifier::fault_of(const CacheSlot& slot) {
  const CacheFile& values = view_.values();
  const std::uint64_t bytes = bytes_of_record(slot.key_bytes, slot.value_bytes);
  const std::string expected = fmt::format("an entry with a key of {} bytes and a value of {}, hash {:016x}",
                                           slot.key_bytes, slot.value_bytes, slot.hash);
  const auto fault = [&](std::string found) { return CacheFinding{{}, slot.at, expected, std::move(found)}; };
  if (slot.at >= end_ || bytes > end_ - slot.at) {
    const std::uint64_t now = values.is_open() ? std::min<std::uint64_t>(values.bytes(), most_cache_file_bytes) : 0;
    if (slot.at < now && bytes <= now - slot.at) return std::nullopt;  // stored since the view was opened
    return fault(fmt::format("the end of the file at byte {}", now));
  }
  RecordHeader record{};
  if (values.read(slot.at, &record, sizeof record) != sizeof record) return fault("bytes that cannot be read");
  if (!is_sealed(record, header_->era, slot.at)) return fault("no entry of this era there");
  if (record.hash != slot.hash || record.key_bytes != slot.key_bytes || record.value_bytes != slot.value_bytes) {
    return fault(fmt::format("one with a key of {} bytes and a value of {}, hash {:016x}", record.key_bytes,
                             record.value_bytes, record.hash));
  }
  if (whole_.has(slot.at)) return std::nullopt;
  if (bytes > budget_) return fault("more damage than is read");
  budget_ -= bytes;
  const std::optional<std::uint64_t> check = check_in_file(values, record, slot.at);
  if (!check) return fault("bytes that cannot be read");
  if (*check == record.check) return std::nullopt;
  return fault(fmt::format("bytes with the check {:016x}, not {:016x}", *check, record.check));
}

void Verifier::tell_gaps() {
  for (const Gap& gap : gaps_) {
    if (gap.known) continue;
    const std::string found = fmt::format("{} bytes of no whole entry", gap.to - gap.from);
    if (trusts_table_) {
      note(".val", gap.from, "an entry, or the file's end", found + ": they are passed over");
    } else if (gap.to == end_) {
      note(".val", gap.from, "an entry, or the file's end", found + ": a process did not finish storing them");
    } else {
      damage(".val", gap.from, "an entry", found);
    }
  }
  if (more_gap_bytes_ == 0) return;
  const std::string found = fmt::format("{} more bytes of none, in more places than are kept", more_gap_bytes_);
  if (trusts_table_) {
    note(".val", 0, "entries", found);
  } else {
    damage(".val", 0, "entries", found);
  }
}

}  // namespace

CacheVerification verify_cache(CacheView& view, const CacheProgress& progress) {
  return Verifier(view, progress).run();
}

}  // namespace fenceline
