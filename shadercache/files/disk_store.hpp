// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"
#include "shadercache/files/cache_index.hpp"
#include "shadercache/files/cache_lock.hpp"
#include "shadercache/files/cache_record.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fenceline {

/// The files of one cache: NAME.idx, NAME.val and NAME.lock (README.md beside this). Several processes may have them
/// open; one at a time writes. In a process one thread at a time calls.
class DiskStore {
 public:
  // `busy`: another process has been writing for longer than is waited.
  enum class Opened : std::uint8_t { yes, other_version, busy, no };
  enum class Found : std::uint8_t { yes, no, other_key, busy, failed };
  enum class Stored : std::uint8_t { yes, there_already, other_key, full, busy, failed };
  /// What is opened, and how it is used.
  struct Config {
    std::string name;                                             ///< of the files, without their ends
    std::uint64_t version = 0;                                    ///< the application's
    std::uint64_t driver = 0;                                     ///< 0: of no matter
    std::uint64_t most_value_bytes = 0;                           ///< of .val
    bool sync_each = false;                                       ///< a value that is stored survives a loss of power
    std::chrono::milliseconds most_wait = CacheLock::usual_wait;  ///< for others that write
  };

  DiskStore() = default;
  /// Makes what is missing, clears what is of another version if nobody else has it open, and mends what is damaged.
  /// What others have open is not made anew where no file says of which version it is.
  Opened open(CacheDirectory directory, const Config& config);
  /// Why it could not be opened.
  const std::string& reason() const { return reason_; }

  /// Nobody else has cleared it since it was opened, or looked at last with the lock.
  bool is_current() const { return values_.facts().named; }
  /// Another number whenever the files are others: of what was read before nothing may be there any more.
  std::uint64_t generation() const { return generation_; }
  /// Where so many bytes may be read to. What comes there is good only with what was asked for.
  using Room = std::function<char*(std::size_t)>;
  /// The key and its value, one after the other, come into the room that was asked for last.
  Found find(std::uint64_t hash, std::string_view key, const Room& room);
  Stored store(std::uint64_t hash, std::string_view key, std::string_view value);
  /// Nothing is in it any more. False: it could not be done, or not all of it.
  bool clear();
  /// It is cleared when the last process closes it.
  void mark_delete_on_destroy();
  /// What was stored survives a loss of power. False: the system does not say so.
  bool sync();
  /// Removes the files if they are to be deleted and nobody else has them open.
  void close();

  /// What others have stored counts, too.
  void look();
  std::uint64_t entries() const { return index_.state().entries; }
  std::uint64_t value_bytes() const { return index_.state().value_bytes; }
  std::uint64_t damaged() const { return damaged_; }

 private:
  /// What a slot leads to.
  enum class Record : std::uint8_t { of_key, of_other_key, damaged };
  /// The time of a change.
  class Write;

  Opened open_locked(bool alone);
  bool begin_write();
  bool open_files();
  bool leave_files();
  bool is_ours(const CacheHeader& header) const {
    return header.version == config_.version && header.driver == config_.driver;
  }
  bool reset(std::uint64_t era);
  bool refresh();
  bool catch_up();
  bool rebuild(const CacheHeader& header);
  bool complete();
  bool grow();
  void tell();
  void remove_files() const;
  Record read_record(const CacheSlot& slot, std::string_view key, const Room& room);
  Found find_again(std::uint64_t hash, std::string_view key, const Room& room);
  Stored append(const CacheIndex::Place& place, std::uint64_t hash, std::string_view key, std::string_view value);
  std::string file(const char* end) const { return config_.name + end; }
  Opened fail(const char* what);
  Opened fail(const char* what, const char* why);

  CacheDirectory directory_;
  Config config_;
  CacheLock lock_;
  CacheFile values_;
  CacheIndex index_;
  std::string scratch_;  // a key and a value that nobody wants
  std::string reason_;
  std::uint64_t generation_ = 0;
  std::uint64_t synced_generation_ = 0;  // whose names survive a loss of power
  pid_t process_ = -1;                   // that opened the lock
  std::uint64_t damaged_ = 0;
  std::uint32_t not_told_ = 0;  // stores since the last `tell`
  bool beside_others_ = false;  // other processes have changed it
};

}  // namespace fenceline
