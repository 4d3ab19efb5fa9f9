// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/cache_index.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

constexpr std::uint64_t state_at = header_bytes;
constexpr std::uint64_t slots_at = 2 * header_bytes;
constexpr std::uint32_t least_bits = 10;
constexpr std::uint32_t most_bits = 26;
static_assert(std::uint64_t{1} << (most_bits - 1) == CacheIndex::most_entries);
static_assert(CacheIndex::most_entries * bytes_of_record(0, 0) >= most_values_bytes);
constexpr std::size_t at_a_time = 8;
constexpr std::size_t slots_in_part = 128;  // 4 KB
/// Tables with more slots than that (4 MiB) are not kept in memory.
constexpr std::uint64_t most_known_slots = std::uint64_t{1} << 17;

struct StateBytes {
  CacheIndex::State state;
  std::uint64_t unused[3];
  std::uint64_t check;
};
static_assert(sizeof(StateBytes) == header_bytes);

std::uint64_t check_of(const StateBytes& bytes) { return XXH3_64bits(&bytes, offsetof(StateBytes, check)); }

/// Where a hash is in a table in memory, or goes.
std::byte* place_in(std::byte* table, std::uint64_t number, std::uint64_t slots, std::uint64_t hash) {
  while (true) {
    std::byte* const at = table + number * sizeof(CacheSlot);
    CacheSlot there;
    std::memcpy(&there, at, sizeof there);
    if (there.is_free() || there.hash == hash) return at;
    number = (number + 1) & (slots - 1);
  }
}

std::uint64_t number_of(const CacheIndex::Place& place) { return (place.at - slots_at) / sizeof(CacheSlot); }

std::string next_name(const std::string& name) { return name + ".new"; }

}  // namespace

struct CacheIndex::Part {
  std::array<CacheSlot, slots_in_part> slots;
};

CacheIndex::CacheIndex() = default;
CacheIndex::~CacheIndex() = default;
CacheIndex::CacheIndex(CacheIndex&& other) noexcept = default;
CacheIndex& CacheIndex::operator=(CacheIndex&& other) noexcept = default;

CacheIndex CacheIndex::open(const CacheDirectory& directory, const std::string& name) {
  CacheIndex index;
  index.file_ = CacheFile::open(directory, name);
  if (index.file_.is_open()) index.refresh();
  return index;
}

CacheIndex CacheIndex::to_read(CacheFile file) {
  CacheIndex index;
  index.file_ = std::move(file);
  if (index.file_.is_open()) index.refresh();
  return index;
}

CacheIndex CacheIndex::make(const CacheDirectory& directory, const std::string& name, const CacheHeader& header,
                            const std::vector<CacheSlot>& entries, const State& state) {
  if (entries.size() > most_entries) {
    errno = EFBIG;
    return {};
  }
  CacheIndex index;
  index.bits_ = least_bits;
  while (index.bits_ < most_bits && index.slots() < 4 * entries.size()) ++index.bits_;
  index.header_ = header;
  index.state_ = state;
  index.state_.entries = index.state_.value_bytes = 0;
  // The whole table now, so that no store meets a full disk in it.
  std::vector<std::byte> bytes(slots_at + index.slots() * sizeof(CacheSlot));
  write_header(bytes.data(), "IDX", header, index.bits_);
  for (CacheSlot slot : entries) {
    std::byte* const place = place_in(bytes.data() + slots_at, index.first_slot(slot.hash), index.slots(), slot.hash);
    CacheSlot before;
    std::memcpy(&before, place, sizeof before);
    if (before.is_free()) ++index.state_.entries;
    index.state_.value_bytes += std::uint64_t{slot.value_bytes} - before.value_bytes;
    slot.seal(header.era);
    std::memcpy(place, &slot, sizeof slot);
  }
  index.state_.taken = index.state_.entries;
  index.put_state(bytes.data() + state_at);
  index.file_ = CacheFile::make(directory, next_name(name));
  if (!index.file_.is_open() || !index.file_.write(0, bytes.data(), bytes.size()) ||
      !directory.rename(next_name(name), name)) {
    const int reason = errno;
    directory.remove(next_name(name));  // a full disk has the room again
    errno = reason;
    return {};
  }
  index.valid_ = index.known_complete_ = true;
  return index;
}

bool CacheIndex::refresh() {
  known_.clear();
  std::array<std::byte, slots_at> bytes{};
  valid_ = file_.read(0, bytes.data(), bytes.size()) == bytes.size() &&
           read_header(bytes.data(), "IDX", header_, &bits_) && bits_ >= least_bits && bits_ <= most_bits;
  if (!valid_) {
    bits_ = 0;
    return false;
  }
  StateBytes state;
  std::memcpy(&state, bytes.data() + state_at, sizeof state);
  valid_ = state.check == check_of(state);
  if (valid_) state_ = state.state;
  return valid_;
}

/// `slots_from(number, count)`: that many slots of the table, or null.
template <class Slots>
CacheIndex::Place CacheIndex::look_for(std::uint64_t hash, const Slots& slots_from) const {
  if (!valid_) return {Place::What::damaged, {}, 0};
  std::uint64_t number = first_slot(hash);
  for (std::uint64_t seen = 0; seen < slots();) {
    auto count = static_cast<std::size_t>(std::min<std::uint64_t>(slots_in_part, slots() - number));
    const CacheSlot* const some = slots_from(number, count);
    if (some == nullptr) break;
    for (std::size_t i = 0; i < count; ++i) {
      const CacheSlot& slot = some[i];
      const std::uint64_t slot_at = place_of(number + i);
      if (slot.is_free()) return {Place::What::free, {}, slot_at};
      if (!slot.is_whole(header_.era)) return {Place::What::damaged, slot, slot_at};
      if (!slot.is_dropped() && slot.hash == hash) return {Place::What::found, slot, slot_at};
    }
    seen += count;
    number = (number + count) & (slots() - 1);
  }
  return {Place::What::damaged, {}, 0};
}

CacheIndex::Place CacheIndex::find(std::uint64_t hash) const {
  std::array<CacheSlot, at_a_time> some;
  return look_for(hash, [&](std::uint64_t number, std::size_t& count) -> const CacheSlot* {
    count = std::min(count, at_a_time);
    return read_slots(number, some.data(), count) == count ? some.data() : nullptr;
  });
}

CacheIndex::Place CacheIndex::find_known(std::uint64_t hash) {
  if (!valid_ || slots() > most_known_slots) return find(hash);
  if (known_.empty()) known_.resize(slots() / slots_in_part);
  return look_for(hash, [&](std::uint64_t number, std::size_t& count) -> const CacheSlot* {
    std::unique_ptr<Part>& part = known_[number / slots_in_part];
    const std::size_t first = number % slots_in_part;
    count = slots_in_part - first;
    if (part == nullptr) {
      auto read = std::make_unique<Part>();
      if (read_slots(number - first, read->slots.data(), slots_in_part) != slots_in_part) return nullptr;
      part = std::move(read);
    }
    return part->slots.data() + first;
  });
}

void CacheIndex::forget(const Place& place) {
  if (!known_.empty()) known_[number_of(place) / slots_in_part].reset();
}

bool CacheIndex::write_slot(const Place& place, const CacheSlot& slot) {
  if (!file_.write(place.at, &slot, sizeof slot)) {
    forget(place);
    return false;
  }
  if (known_.empty()) return true;
  const std::uint64_t number = number_of(place);
  if (Part* const part = known_[number / slots_in_part].get()) part->slots[number % slots_in_part] = slot;
  return true;
}

bool CacheIndex::add(const Place& place, const CacheSlot& slot, std::uint64_t values_end) {
  CacheSlot sealed = slot;
  sealed.seal(header_.era);
  if (!write_slot(place, sealed)) return false;
  state_.values_end = values_end;
  count(slot);
  return true;
}

void CacheIndex::count(const CacheSlot& slot) {
  ++state_.entries;
  ++state_.taken;
  state_.value_bytes += slot.value_bytes;
}

bool CacheIndex::drop(const Place& place) {
  CacheSlot dropped;
  dropped.hash = place.slot.hash;
  dropped.at = CacheSlot::dropped;
  dropped.seal(header_.era);
  if (!write_slot(place, dropped)) return false;
  state_.entries -= std::min<std::uint64_t>(1, state_.entries);
  state_.value_bytes -= std::min<std::uint64_t>(place.slot.value_bytes, state_.value_bytes);
  return write_state();
}

bool CacheIndex::set_values_end(std::uint64_t values_end) {
  state_.values_end = values_end;
  return write_state();
}

std::uint64_t CacheIndex::first_slot(std::uint64_t hash) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  return (hash * odd) >> (64 - bits_);
}

void CacheIndex::put_state(std::byte* into) const {
  StateBytes bytes{state_, {}, 0};
  bytes.check = check_of(bytes);
  std::memcpy(into, &bytes, sizeof bytes);
}

bool CacheIndex::write_state() {
  std::array<std::byte, sizeof(StateBytes)> bytes;
  put_state(bytes.data());
  return file_.write(state_at, bytes.data(), bytes.size());
}

template <class Call>
bool CacheIndex::for_each_slot(const Call& call) const {
  constexpr std::size_t many = 2048;  // stays near the processor: opening a cache reads all of the table
  std::vector<CacheSlot> some(many);
  for (std::uint64_t number = 0; number < slots(); number += many) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(many, slots() - number));
    const std::uint64_t at = slots_at + number * sizeof(CacheSlot);
    if (file_.read(at, some.data(), count * sizeof(CacheSlot)) != count * sizeof(CacheSlot)) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!some[i].is_free() && !call(some[i])) return false;
    }
  }
  return true;
}

bool CacheIndex::for_each(const std::function<void(const CacheSlot&)>& call) const {
  return for_each_slot([&](const CacheSlot& slot) {
    if (slot.is_dropped()) return true;
    if (!slot.is_whole(header_.era)) return false;
    call(slot);
    return true;
  });
}

bool CacheIndex::is_complete() {
  if (known_complete_) return true;
  std::uint64_t taken = 0;
  const auto count = [&](const CacheSlot&) {
    ++taken;
    return true;
  };
  known_complete_ = for_each_slot(count) && taken == state_.taken;
  return known_complete_;
}

std::uint64_t CacheIndex::place_of(std::uint64_t number) { return slots_at + number * sizeof(CacheSlot); }

std::size_t CacheIndex::read_slots(std::uint64_t number, CacheSlot* into, std::size_t count) const {
  const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(count, slots() - std::min(slots(), number)));
  return file_.read(place_of(number), into, there * sizeof(CacheSlot)) / sizeof(CacheSlot);
}

}  // namespace fenceline
