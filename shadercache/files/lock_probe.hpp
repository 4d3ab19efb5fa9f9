// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace fenceline {

/// The .lock file of a cache, seen from outside: who asks has not the cache open, and changes nothing.
class LockProbe {
 public:
  /// Not made where it is missing.
  LockProbe(const CacheDirectory& directory, const std::string& name);

  bool is_open() const { return file_.is_open(); }
  /// A session has the cache open, here or in another process. Empty: the file cannot be read, or the system does not
  /// say.
  std::optional<bool> in_use() const;
  /// The cache is to be deleted when the last one closes it.
  bool marked() const;
  /// Waits so long at most until nobody writes; until `release` nobody does. False: somebody still did, or there are no
  /// such locks here. Writers wait meanwhile: for a short look alone.
  bool hold(std::chrono::milliseconds at_most);
  void release();

 private:
  CacheFile file_;
};

}  // namespace fenceline
