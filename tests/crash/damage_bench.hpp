// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/shadercache/cache_bench.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// What a file becomes.
struct Damage {
  enum class Kind : std::uint8_t { flip, cut, zeros, random } kind = Kind::flip;
  std::string end;     ///< of the file
  std::size_t at = 0;  ///< from there on, but for a flip
  int bit = 0;         ///< flip
  std::string text() const;
};

/// The files of a small cache, damaged in one way after the other, and what is still in it then.
class DamageBench {
 public:
  DamageBench();

  std::size_t bytes_of(const std::string& end) const;
  /// Among free slots of the index: as any other there.
  bool is_dull(const std::string& end, std::size_t at) const;

  /// With the cache closed, or while two have it open. Counts what is lost to it, and as failures what is lost without,
  /// wrong values, and a cache that cannot be used as if nothing had happened.
  void try_closed(const Damage& damage);
  void try_open(const Damage& damage);

 private:
  struct Entry {
    std::string key;
    std::string value;
    std::size_t from = 0;  ///< in .val
    std::size_t to = 0;
  };
  struct File {
    std::string end;
    std::string bytes;
  };
  using Session = std::unique_ptr<ShaderCacheSession>;

  bool touches(const Damage& damage, const Entry& entry) const;
  void restore();
  void do_damage(const Damage& damage) const;
  /// Entries that are not found.
  std::vector<const Entry*> look(ShaderCacheSession& session, const Damage& damage, bool others_may_be_missing);
  void fail_unless(bool right, const Damage& damage, const char* what) const;
  void check_again(const Damage& damage, const std::vector<std::pair<std::string, std::string>>& stored);

  TemporaryDirectory directory_;
  CacheBench bench_;
  CacheDescription description_;
  std::vector<Entry> entries_;
  std::vector<File> files_;
};

}  // namespace fenceline::testing
