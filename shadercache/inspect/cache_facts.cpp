// SPDX-License-Identifier: Apache-2.0
#include "shadercache/inspect/cache_facts.hpp"

#include "shadercache/files/record_scan.hpp"
#include "shadercache/inspect/place_set.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fenceline {
namespace {

/// Adds entries up.
class EntryCount {
 public:
  /// No more of them than a file of that length may have: a forged table may name any number.
  explicit EntryCount(std::uint64_t values_bytes) : most_(values_bytes / sizeof(RecordHeader)) {}
  void add(const CacheSlot& slot) {
    ++facts.entries;
    facts.key_bytes += slot.key_bytes;
    facts.value_bytes += slot.value_bytes;
    record_bytes_ += bytes_of_record(slot.key_bytes, slot.value_bytes);
    if (sizes_.size() < most_) sizes_.push_back(slot.value_bytes);
  }
  void finish(std::uint64_t values_bytes) {
    const std::uint64_t records = values_bytes - std::min<std::uint64_t>(values_bytes, header_bytes);
    facts.dead_bytes = records - std::min(records, record_bytes_);
    if (sizes_.empty()) return;
    const auto middle = sizes_.begin() + static_cast<std::ptrdiff_t>((sizes_.size() - 1) / 2);
    std::nth_element(sizes_.begin(), middle, sizes_.end());
    facts.sizes.median = *middle;
    const auto [min, max] = std::minmax_element(sizes_.begin(), sizes_.end());
    facts.sizes.min = *min;
    facts.sizes.max = *max;
  }

  CacheFacts facts;

 private:
  std::uint64_t most_;
  std::uint64_t record_bytes_ = 0;
  std::vector<std::uint32_t> sizes_;
};

/// Leaves in `places` the records that are in the table.
void add_table(CacheView& view, EntryCount& count, PlaceSet& places) {
  constexpr std::size_t at_once = 4096;
  std::vector<CacheSlot> some(at_once);
  const CacheIndex& index = view.index();
  for (std::uint64_t number = 0; number < index.slots();) {
    const std::size_t got = view.read_slots(number, some.data(), some.size());
    for (std::size_t i = 0; i < got; ++i) {
      const CacheSlot& slot = some[i];
      if (slot.is_free()) continue;
      if (!slot.is_whole(index.header().era)) {
        ++count.facts.damaged_slots;
      } else if (slot.is_dropped()) {
        ++count.facts.dropped_slots;
      } else {
        count.add(slot);
        places.add(slot.at);
      }
    }
    if (got == 0) break;
    number += got;
  }
}

}  // namespace

CacheFacts facts_of(CacheView& view) {
  const std::uint64_t end = view.values_end();
  EntryCount count(end);
  CacheFacts& facts = count.facts;
  facts.header = view.header();
  facts.in_use = view.lock_look().what == CacheFileLook::What::missing ? std::optional(false) : view.lock().in_use();
  facts.delete_on_destroy = view.lock().marked();
  facts.why_no_table = view.why_no_table();
  facts.values_bytes = view.values_look().bytes;
  facts.index_bytes = view.index_look().bytes;
  facts.changed_s = std::max(view.values_look().changed_s, view.index_look().changed_s);
  for (const char* const name_end : cache_file_ends) {
    if (view.directory().is_open())
      facts.disk_bytes += look_at_file(view.directory(), view.place().stem + name_end).disk_bytes;
  }
  const CacheIndex& index = view.index();
  if (index.valid()) {
    facts.slots = index.slots();
    facts.told = index.state();
  }
  if (!facts.header) return facts;
  const bool table = facts.why_no_table.empty();
  PlaceSet places(table ? end : 0);
  if (table) add_table(view, count, places);
  const std::uint64_t from = table ? std::max<std::uint64_t>(header_bytes, index.state().values_end) : header_bytes;
  if (view.values().is_open()) {
    RecordScan scan(view.values(), facts.header->era, from, end);
    for (CacheSlot slot; scan.next(slot);) {
      if (places.has(slot.at)) continue;
      count.add(slot);
      ++facts.not_in_table;
    }
  }
  count.finish(std::max(end, view.values().is_open() ? view.values().bytes() : 0));
  return facts;
}

}  // namespace fenceline
