// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/memory/l2_cost.hpp"
#include "sim/kernel/channel.hpp"
#include "sim/slots.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// The last-level cache, which all traffic of video memory passes, and video memory behind it, which what misses passes
/// too. One transfer is on its way through both at one rate: the slower decides, and what becomes free is the others'.
///
/// Accesses of threads that keep so many bytes in flight are as fast as the latency that they see on average: that of a
/// hit or of a miss, the latter longer the more all misses together ask of video memory (Channel says how).
/// Source of the form: kernels that read sets of many sizes alone, in pairs and beside a stream on H200 and H100,
/// bench/hardware/h200/l2.json and h100/l2.json.
class L2Cache : public Channel {
 public:
  /// All accesses of one grid: they share its sets.
  struct Reads {
    std::uint32_t grid = 0;
    std::array<L2Reader, 2> sets;  ///< bytes_per_s: the parts of the grid's accesses that go to each; 0: unused
    double miss_latency_ns = 0;    ///< of one access that misses, on an idle machine
  };
  /// Fixed-function units and copies.
  struct Access {
    double vram_bytes_per_byte = 1;  ///< 0: L2 serves it
    std::uint64_t bytes_in_flight = 1;
    std::uint64_t limit = no_limit;  ///< bytes/s
  };

  /// `vram_track` names video memory in logs.
  L2Cache(sc_core::sc_module_name name, const ChannelConfig& l2, const ChannelConfig& vram, const L2Config& config,
          const std::string& vram_track, EventLog& log);
  /// Answers what `cancel` wants.
  std::uint64_t read(std::uint64_t bytes, std::uint64_t bytes_in_flight, const Reads& reads, Callback done);
  std::uint64_t access(std::uint64_t bytes, const Access& access, Callback done);
  std::uint64_t vram_capacity() const { return vram_capacity_; }

 private:
  using Fixed = std::uint64_t;  // 2^-32
  static constexpr Fixed one = Fixed{1} << 32;
  /// Transfers of one kind. All of a grid's reads miss unless they have sets that L2 may hold.
  struct Traffic {
    Reads reads;
    bool of_grid = false;
    bool has_sets = false;
    double vram_bytes_per_byte = 1;
    Fixed vram = one;  // the same
    std::uint32_t transfers = 0;
    double bytes_per_s = 0;  // that it would have on an idle machine
    double in_flight = 0;    // bytes, of reads
    double slow = 1;         // part of reads at the latency of a miss
    double latency_ns = 0;   // of reads, on average, video memory being idle
  };
  void share_out() override;
  void log_rate() override;
  void left(const Transfer& transfer) override;
  std::uint64_t begin(std::uint64_t bytes, const ShareRequest& share, std::uint32_t traffic, Callback done);
  void count_traffic();
  void find_misses();
  void find_latencies();
  void limit_reads();
  void load_vram(double demand);
  void share_both();
  using Order = std::vector<std::uint32_t>::iterator;
  Order share_level(Order next, Order end, double& l2_left, double& vram_left);
  Traffic& traffic_of(const Flow& flow) { return traffic_[flow.transfer.traffic]; }
  double miss_ns(const Traffic& traffic) const;

  L2Config config_;
  std::uint64_t vram_capacity_;
  std::uint64_t vram_latency_ps_;
  double vram_contention_;
  LogName vram_track_;
  Slots<Traffic> traffic_;
  std::vector<std::uint32_t> active_;  // of traffic_
  std::uint32_t with_sets_ = 0;        // of those
  std::vector<L2Reader> readers_;      // scratch of find_misses
  std::vector<std::uint32_t> order_;   // the same of share_both
};

}  // namespace fenceline
