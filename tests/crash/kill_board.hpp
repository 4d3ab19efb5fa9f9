// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/cache_description.hpp"
#include "shadercache/shader_cache_session.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fenceline::testing {

/// What processes that are killed have told: in memory that they share with who kills them. It knows of every key that
/// was reported stored whether its value has to be there.
class KillBoard {
 public:
  static constexpr std::size_t companions = 4;
  static constexpr std::size_t processes = companions + 1;
  static constexpr std::size_t victim = 0;
  enum CacheNumber : std::uint8_t {
    shared,  ///< all processes have it open
    own,     ///< the victim alone
    caches
  };
  struct Report {
    std::uint32_t key;
    std::uint32_t clears;  ///< before it was stored; `clearing`: one was under way
  };
  static constexpr std::uint32_t clearing = ~std::uint32_t{0};

  static KillBoard& make();  ///< until the process ends
  static CacheDescription description(CacheNumber cache);

  /// Between the two the cache may be cleared. The victim calls them, or who has killed it.
  void begin_clear(CacheNumber cache) { clears_[cache].begun = clears_[cache].ended + 1; }
  void end_clear(CacheNumber cache) { clears_[cache].ended = clears_[cache].begun.load(); }

  /// Stores a key's value, and reports it.
  void store(CacheNumber cache, std::size_t process, ShaderCacheSession& session, std::uint32_t key);
  /// The next one of a process. None: there is no room for its report.
  std::optional<std::uint32_t> next_key(std::size_t process);
  /// Its value is right, or is rightly not there; else a failure is counted. True: it was found.
  bool look_for(CacheNumber cache, ShaderCacheSession& session, Report report, const char* who);
  bool may_be_gone(CacheNumber cache, Report report) const { return report.clears != clears_[cache].begun; }

  std::size_t reports(CacheNumber cache, std::size_t process) const { return logs_[cache][process].count; }
  Report report(CacheNumber cache, std::size_t process, std::size_t number) const {
    return logs_[cache][process].reports[number];
  }

  std::atomic<bool> stop{false};
  std::atomic<std::uint32_t> round{0};
  std::atomic<std::uint64_t> own_version{0};  ///< of the cache `own`

 private:
  static constexpr std::size_t most = std::size_t{1} << 22;
  struct Clears {
    std::atomic<std::uint32_t> begun{0};
    std::atomic<std::uint32_t> ended{0};
  };
  struct Log {
    std::atomic<std::size_t> count{0};
    std::array<Report, most> reports;
  };
  std::array<Clears, caches> clears_;
  std::array<std::atomic<std::uint32_t>, processes> keys_{};
  std::array<std::array<Log, processes>, caches> logs_;
};

}  // namespace fenceline::testing
