// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace fenceline::cli {

/// A progress bar on standard error, shown only on a terminal and only when the work takes longer than half a second.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// Moves a bar with the packets that complete. The host's clock decides when the bar is drawn, never what is simulated.
class PacketProgress final : public LogSink {
 public:
  explicit PacketProgress(std::uint64_t total) : total_(total) {}
  void packet(const EventLog&, const PacketRecord&) override {
    if ((++done_ & 1023) == 0) bar_.show(done_, total_);
  }

 private:
  ProgressBar bar_{"packets"};
  std::uint64_t total_;
  std::uint64_t done_ = 0;
};

}  // namespace fenceline::cli
