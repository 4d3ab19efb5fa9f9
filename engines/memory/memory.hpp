// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/progress.hpp"
#include "engines/memory/by_level.hpp"
#include "engines/memory/memory_config.hpp"
#include "engines/memory/memory_levels.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/channel.hpp"
#include "sim/slots.hpp"

#include <systemc>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// Video memory behind its caches and the two directions of PCIe: channels that all engines share.
class Memory : public sc_core::sc_module {
 public:
  Memory(sc_core::sc_module_name name, const MemoryConfig& config, EventLog& log);

  /// Moves `bytes` along the route; its slowest channel decides. `done` is called once.
  /// `pcie_share` is the part of the bandwidth of PCIe that it takes at most, up to 1. With `left` it goes on where it
  /// was cancelled, after a new setup. The answer names it for `cancel`.
  std::uint32_t copy(CopyRoute route, std::uint64_t bytes, double pcie_share, Callback done,
                     const TransferRemainder* left = nullptr);
  /// Accesses of resident threads that each keep a fixed number of bytes in flight.
  struct Stream {
    std::uint64_t bytes = 0;            ///< > 0
    std::uint64_t bytes_in_flight = 0;  ///< of all the threads
    MemoryLevels::Reads reads;          ///< of whose grid they are
  };
  std::uint32_t stream(const Stream& stream, Callback done);
  /// Stops a copy, stream or access and says what is left to move. It is not called back. Nothing when nothing is left:
  /// then it ends as it would have.
  std::optional<TransferRemainder> cancel(std::uint32_t transfer);
  /// Its bytes pass all of its channels now, or have; it is not being set up, nor waiting behind others.
  bool has_begun(std::uint32_t transfer) const;
  /// Some of its bytes have passed since it began or went on.
  bool has_moved(std::uint32_t transfer) const;
  /// When a transfer that `cancel` found nothing left of is called back.
  std::uint64_t delivery_ps(std::uint32_t transfer) const;
  /// Writes or reads `bytes` of video memory by a fixed-function unit; `cancel` may stop it.
  std::uint32_t access_vram(std::uint64_t bytes, Callback done, const TransferRemainder* left = nullptr);
  /// Saves or restores `bytes` of a context's state, not faster than `gb_per_s`.
  void move_state(std::uint64_t bytes, double gb_per_s, Callback done);
  const MemoryLevels& levels() const { return levels_; }
  const Channel& pcie_to_device() const { return pcie_to_device_; }
  const Channel& pcie_to_host() const { return pcie_to_host_; }

 private:
  // A copy or stream under way on several channels.
  struct Part {
    Channel* channel = nullptr;
    std::uint64_t transfer = 0;
  };
  struct Transfer {
    std::uint32_t parts_left = 0;
    std::uint64_t set_up_ps = 0;  // of a copy within video memory: when it is set up
    bool setting_up = false;
    bool cancelled = false;  // parts that have passed may still be called back
    Callback done;
    std::uint64_t bytes = 0;
    TransferRemainder left{};  // when it began
    std::array<Part, 2> parts;
  };
  std::uint32_t begin(std::uint64_t bytes, const TransferRemainder& left, Callback done);
  /// On PCIe, or in the levels of memory where each byte costs `level`, which holds it, so many.
  void start_pcie_part(std::uint32_t copy, std::size_t part, Channel& channel, std::uint64_t limit);
  void start_memory_part(std::uint32_t copy, std::size_t part, std::size_t level, double cost, std::uint64_t limit);
  /// Of a copy that goes on: one of its parts may be over.
  bool has_passed(std::uint32_t copy, std::size_t part) const;
  void start_device_copy(std::uint64_t copy);
  void part_done(std::uint64_t transfer);

  MemoryConfig config_;
  std::uint64_t copy_limit_;  // bytes/s
  std::uint64_t device_copy_setup_ps_;
  Agenda agenda_;
  MemoryLevels levels_;
  Channel pcie_to_device_;
  Channel pcie_to_host_;
  Slots<Transfer> transfers_;
};

}  // namespace fenceline
