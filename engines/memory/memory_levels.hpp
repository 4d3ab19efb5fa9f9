// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/memory/by_level.hpp"
#include "engines/memory/cache_cost.hpp"
#include "engines/memory/level_shares.hpp"
#include "engines/memory/memory_config.hpp"
#include "sim/kernel/channel.hpp"
#include "sim/slots.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// The levels of memory: L2, which all traffic of video memory passes, the caches behind it, and video memory, each of
/// which what the one before has not served passes too. One transfer is on its way through all of them at one rate: the
/// slowest decides, and what becomes free is the others'.
///
/// Accesses of threads that keep so many bytes in flight are as fast as the latency that they see on average: that of
/// the level that serves them, longer the more all together ask of it (Channel says how). Source of the form: kernels
/// that read sets of many sizes alone, in pairs and beside a stream on H200 and H100, bench/hardware/h200/l2.json and
/// h100/l2.json.
class MemoryLevels : public Channel {
 public:
  /// All accesses of one grid: they share its sets.
  struct Reads {
    std::uint32_t grid = 0;
    std::array<AccessedSet, 2> sets;  ///< bytes_per_s: the parts of the grid's accesses that go to each; 0: unused
    double vram_latency_ns = 0;       ///< of one access that no cache serves, on an idle machine
  };
  /// Fixed-function units and copies.
  struct Access {
    ByLevel<double> bytes{};  ///< that each level moves for one byte
    std::uint64_t bytes_in_flight = 1;
    std::uint64_t limit = no_limit;  ///< bytes/s
  };

  /// `parent` and a level's name are its track in logs; L2's is the module's own.
  MemoryLevels(sc_core::sc_module_name name, const MemoryConfig& config, const std::string& parent, EventLog& log);
  /// Answers what `cancel` wants.
  std::uint64_t read(std::uint64_t bytes, std::uint64_t bytes_in_flight, const Reads& reads, Callback done);
  std::uint64_t access(std::uint64_t bytes, const Access& access, Callback done);

  /// Video memory, the last of the levels.
  std::size_t vram() const { return caches_.size(); }
  /// Bytes a second.
  std::uint64_t capacity(std::size_t level) const { return shares_.capacity(level); }
  /// The first cache that so many bytes fit, else video memory.
  std::size_t holder_of(std::uint64_t bytes) const;
  /// What the levels move for one byte that `level` holds, where that one moves `cost` bytes.
  static ByLevel<double> bytes_up_to(std::size_t level, double cost);

 private:
  /// Transfers of one kind. All of a grid's reads reach video memory unless they have sets that a cache may hold.
  struct Traffic {
    Reads reads;
    bool of_grid = false;
    bool has_sets = false;
    std::uint32_t transfers = 0;
    ByLevel<double> bytes{};  // that come to each level, of one
    LevelCosts costs{};       // what one byte of one costs each level, in 2^-32
    double bytes_per_s = 0;   // that it would have on an idle machine
    double in_flight = 0;     // bytes, of reads
    ByLevel<double> slow{};   // part of reads that take as long as the level at least
    double latency_ns = 0;    // of reads, on average, with all levels idle
    double loaded_ns = 0;     // of reads, on average, with the load of the levels that have been looked at
  };
  /// How much longer a level's latency gets under a load: what is asked for over what is left for reads.
  struct Stretch {
    double load = 0;
    double longer = 1;
  };
  void share_out() override;
  void log_rate() override;
  void left(const Transfer& transfer) override;
  std::uint64_t begin(std::uint64_t bytes, const ShareRequest& share, std::uint32_t traffic, Callback done);
  void set_bytes(Traffic& traffic, const ByLevel<double>& bytes) const;
  void count_traffic();
  void find_bytes();
  void find_latencies();
  double latency_of(const Traffic& traffic) const;
  void limit_reads();
  double stretch(std::size_t level, double demand);
  double left_for_reads(std::size_t level);
  double load(std::size_t level, double demand, std::size_t next);
  double wait_under(std::size_t level, double rate) const;
  void share_levels();
  Traffic& traffic_of(const Flow& flow) { return traffic_[flow.transfer.traffic]; }

  std::vector<CacheConfig> caches_;
  double hits_wait_;
  bool keeps_any_;
  ByLevel<std::uint64_t> latency_ps_{};  // once to each transfer; L2's is the channel's
  ByLevel<double> contention_{};
  std::vector<std::size_t> contended_;  // levels where latency grows under load, video memory first
  ByLevel<LogName> tracks_{};
  LevelShares shares_;
  ByLevel<std::array<Stretch, 64>> stretches_{};  // by a hash of the load, the last ones asked for
  Slots<Traffic> traffic_;
  std::vector<std::uint32_t> active_;  // of traffic_
  std::uint32_t with_sets_ = 0;        // of those
  std::vector<AccessedSet> sets_;      // scratch of find_bytes
  std::vector<LevelCosts> costs_;      // scratch of share_levels
  std::vector<std::uint64_t> rates_;   // scratch of share_levels
};

}  // namespace fenceline
