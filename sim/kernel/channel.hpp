// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/callback.hpp"
#include "sim/kernel/channel_config.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/fair_share.hpp"
#include "sim/kernel/timer.hpp"
#include "sim/log.hpp"

#include <systemc>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace fenceline {

/// Bandwidth and latency shared by its users (VRAM, one PCIe direction).
///
/// Users that keep a fixed number of bytes in flight see a latency that grows with what all of them together demand:
/// loaded = unloaded * (1 + (demand / bandwidth)^p)^(1/p). Far below the bandwidth each is bound by latency, far above
/// all share the bandwidth in proportion to their bytes in flight, and the knee between is as sharp as p is large.
/// Source of the form: measured reads on H200, bench/hardware/h200 (see configs/machines/h200.json).
///
/// Progress is kept in integers: every transfer ends at the first picosecond by which its last byte has passed.
class Channel : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  struct Transfer {
    std::uint64_t bytes = 0;
    ShareRequest share{0, 1, no_limit};
    bool latency_bound = false;  ///< `share.limit` is bytes in flight over the unloaded latency: load stretches it
    Callback done;               ///< called once, the latencies after the last byte
    std::uint64_t further_latency_ps = 0;  ///< beyond the channel's own
    std::uint32_t traffic = 0;             ///< which it belongs to, for a channel that tells several apart
  };

  Channel(sc_core::sc_module_name name, const ChannelConfig& config, EventLog& log);

  /// The transfer competes from now on; zero bytes cost the latency alone. The answer names it for `cancel`.
  std::uint64_t start(const Transfer& transfer);
  /// Takes a transfer off the channel and says how many of its bytes have not passed; it is not called back. Nothing
  /// when all have: then it ends as it would have.
  std::optional<std::uint64_t> cancel(std::uint64_t transfer);
  /// Of the transfer's bytes, those that have not passed.
  std::uint64_t bytes_left(std::uint64_t transfer) const;
  /// Its bytes pass now, or have: it does not wait behind others.
  bool has_begun(std::uint64_t transfer) const;
  /// When a transfer all of whose bytes have passed is called back; now, if it has been.
  std::uint64_t delivery_ps(std::uint64_t transfer) const;
  std::size_t transfers() const { return flows_.size(); }
  /// Bytes that have passed, of transfers that have ended or were cancelled.
  std::uint64_t moved_bytes() const { return moved_bytes_; }
  std::uint64_t capacity() const { return capacity_; }

 protected:
  using Wide = unsigned __int128;
  struct Flow {
    Transfer transfer;
    Wide remaining;      // bytes * 1e12: bytes/s times picoseconds
    std::uint64_t rate;  // bytes/s at present
    std::uint64_t id;
  };
  /// Sets the rate of every flow.
  virtual void share_out();
  virtual void log_rate();
  /// The transfer's last byte has passed, or it has been cancelled.
  virtual void left(const Transfer& transfer) { (void)transfer; }
  std::vector<Flow>& flows() { return flows_; }
  double contention_exponent() const { return contention_exponent_; }
  /// How the channel is shared.
  void set_priorities(std::vector<ShareRequest>& requests) const;
  /// Weighted max-min shares of `capacity`, by such priorities, become the flows' rates.
  void share_out(std::uint64_t capacity, std::vector<ShareRequest>& requests);
  std::vector<ShareRequest>& requests() { return requests_; }
  EventLog& log() { return log_; }
  void log_rate(LogName track, std::uint64_t bytes_per_s);

 private:
  // Its last byte has been sent, latency has still to pass.
  struct Delivery {
    std::uint64_t at_ps;
    Callback done;
    std::uint64_t id;
  };
  void update(std::uint64_t);
  void advance();
  std::uint64_t latency_of(const Transfer& transfer) const { return latency_ps_ + transfer.further_latency_ps; }
  void deliver(const Flow& flow);

  std::uint64_t capacity_;  // bytes/s
  std::uint64_t latency_ps_;
  ChannelSharing sharing_;
  double contention_exponent_;
  EventLog& log_;
  LogName log_track_;
  std::vector<Flow> flows_;
  std::vector<Delivery> delivering_;  // by time
  std::uint64_t advanced_to_ps_ = 0;
  std::uint64_t next_id_ = 1;
  std::uint64_t moved_bytes_ = 0;
  bool changed_ = false;
  std::vector<ShareRequest> requests_;  // scratch of share_out
  std::vector<std::size_t> order_;      // scratch of share_out
  std::vector<std::uint64_t> shares_;   // scratch of share_out
  std::vector<Delivery> due_;           // scratch of update
  DeltaCall update_soon_;
  Timer update_later_;
};

}  // namespace fenceline
