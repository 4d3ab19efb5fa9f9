// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"
#include "shadercache/files/cache_record.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// The .idx file: a table of slots by hash, of open addressing, at most half full. It holds nothing that could not be
/// made again from .val. Whoever changes it has the lock for writing; others read it meanwhile, and take a slot that is
/// half written for a damaged one.
class CacheIndex {
 public:
  /// What the table says of itself.
  struct State {
    std::uint64_t values_end = 0;   ///< of .val, as far as it is in the table
    std::uint64_t entries = 0;      ///< that can be found
    std::uint64_t value_bytes = 0;  ///< theirs
    std::uint64_t taken = 0;        ///< slots that are not free: entries, and those that were dropped
  };
  /// What the table has of a hash.
  struct Place {
    enum class What : std::uint8_t { free, found, damaged } what = What::free;
    CacheSlot slot;        ///< found
    std::uint64_t at = 0;  ///< of the slot; free: where it would go
  };

  static constexpr std::uint64_t most_entries = std::uint64_t{1} << 25;  ///< more than 1 GiB of .val can have

  CacheIndex();
  ~CacheIndex();
  CacheIndex(CacheIndex&& other) noexcept;
  CacheIndex& operator=(CacheIndex&& other) noexcept;
  /// The file with that name, or what would be it.
  static CacheIndex open(const CacheDirectory& directory, const std::string& name);
  /// A file that is looked at and not changed.
  static CacheIndex to_read(CacheFile file);
  /// A new table of these entries in the place of the file with that name, with room for as many more; of several with
  /// one hash the last counts: it was stored where the one before was lost. Who has the old file open finds it
  /// unlinked. Not open, with errno: the system refused, or they are more than `most_entries`.
  static CacheIndex make(const CacheDirectory& directory, const std::string& name, const CacheHeader& header,
                         const std::vector<CacheSlot>& entries, const State& state);

  bool is_open() const { return file_.is_open(); }
  bool unlinked() const { return !file_.facts().named; }
  /// Header and state are whole.
  bool valid() const { return valid_; }
  const CacheHeader& header() const { return header_; }
  const State& state() const { return state_; }
  /// Reads both again: others may have changed them.
  bool refresh();

  /// Reads only. All of what is not valid is damaged.
  Place find(std::uint64_t hash) const;
  /// The same from parts of the table that it keeps in memory once they were read, as far as it keeps any. What it has
  /// found was there; where it is not `found` others may have stored something since.
  Place find_known(std::uint64_t hash);
  /// What is around the place is read anew.
  void forget(const Place& place);
  /// There is room for another entry; else a larger table is needed.
  bool has_room() const { return 2 * (state_.taken + 1) <= slots(); }
  /// Puts an entry into a place that `find` said is free, and counts it. False: the disk is full. The file's state says
  /// so with the next `set_values_end`.
  bool add(const Place& place, const CacheSlot& slot, std::uint64_t values_end);
  /// An entry that is in the table is not in its state.
  void count(const CacheSlot& slot);
  /// Its value is gone.
  bool drop(const Place& place);
  bool set_values_end(std::uint64_t values_end);
  /// As many slots are taken as the state says. Reads all of them, until they once were.
  bool is_complete();
  /// `is_complete` has said so, or the table was made here.
  bool known_complete() const { return known_complete_; }
  /// Every entry, in the order of the table. False: a slot is damaged.
  bool for_each(const std::function<void(const CacheSlot&)>& call) const;
  std::uint64_t slots() const { return std::uint64_t{1} << bits_; }  ///< in its table; where it is valid
  /// Slots as they stand there, whole or not, from that number on. Fewer: the file ends before.
  std::size_t read_slots(std::uint64_t number, CacheSlot* into, std::size_t count) const;
  static std::uint64_t place_of(std::uint64_t number);  ///< of a slot in the file

 private:
  std::uint64_t first_slot(std::uint64_t hash) const;
  void put_state(std::byte* into) const;
  bool write_state();
  template <class Slots>
  Place look_for(std::uint64_t hash, const Slots& slots_from) const;
  bool write_slot(const Place& place, const CacheSlot& slot);
  /// In the order of the table, until the call answers false. False: so it did, or the file is too short.
  template <class Call>
  bool for_each_slot(const Call& call) const;

  CacheFile file_;
  CacheHeader header_;
  State state_;
  std::uint32_t bits_ = 0;
  bool valid_ = false;
  bool known_complete_ = false;
  /// Parts of the table that were read; null: not yet. Empty: none.
  struct Part;
  std::vector<std::unique_ptr<Part>> known_;
};

}  // namespace fenceline
