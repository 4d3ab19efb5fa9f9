// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace fenceline {

/// Which bytes of a .lock file are locked for what. There need not be such bytes.
struct CacheLockBytes {
  static constexpr std::int64_t presence = 0;  ///< shared by all that have the cache open
  static constexpr std::int64_t writing = 1;   ///< by who writes
};
/// What stands in the .lock file of a cache that is to be deleted on destroy.
constexpr char cache_lock_mark = 'D';

/// The .lock file of a cache: who has the cache open, and who writes. Locks are those of open file descriptions: they
/// end with their process, however that ends, and bind nobody in it.
class CacheLock {
 public:
  CacheLock() = default;
  static constexpr std::chrono::milliseconds usual_wait{5000};
  /// Opens the file, or makes it, and waits until nobody else writes: it is locked for writing. Not open with errno
  /// where that cannot be, ETIMEDOUT where somebody writes for longer than `most_wait`.
  static CacheLock open(const CacheDirectory& directory, const std::string& name,
                        std::chrono::milliseconds most_wait = usual_wait);

  bool is_open() const { return file_.is_open(); }
  /// Nobody else has the cache open: it stays so until `share`. Asked with the lock for writing.
  bool alone();
  /// The cache is open here, beside others.
  bool share();
  /// Whether the cache is to be deleted when the last one closes it: stands in the file, for all. With the lock for
  /// writing.
  bool marked() const;
  void mark(bool to_be_deleted);
  /// Nobody has removed it: others lock the same file.
  bool named() const { return file_.facts().named; }
  /// Waits until nobody writes. False, and errno: the system refused, or ETIMEDOUT.
  bool begin_write();
  void end_write();

 private:
  CacheFile file_;
  std::chrono::milliseconds most_wait_ = usual_wait;
};

}  // namespace fenceline
