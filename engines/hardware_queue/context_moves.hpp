// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/hardware_queue/engine_parts.hpp"
#include "sim/callback.hpp"

#include <cstdint>

namespace fenceline {

/// Moves the context of a hardware queue's front packet: another one in, saved state back, state out. One at a time.
/// What a piece of a split packet has left there is saved before another context comes.
class ContextMoves {
 public:
  /// `loaded` and `saved` are called when that is done.
  ContextMoves(EngineParts& engine, Callback loaded, Callback saved)
      : engine_(engine), loaded_(loaded), saved_(saved) {}

  /// What `packet.load` says: what is saved first, then after the launch a switch, then what the packet was stopped
  /// with. The packet stays where it is until then.
  void load(DmaPacket& packet, std::uint64_t launch_ps);
  /// What the packet has done. Nothing to save takes no time.
  void save(const DmaPacket& packet, PreemptionReport& report);

  /// What is under way counts no more.
  void abandon() { ++move_; }

 private:
  void save_left(std::uint64_t move);
  void left_saved(std::uint64_t move);
  void launch();
  void switched(std::uint64_t move);
  void restore_bytes(std::uint64_t move);
  void restored(std::uint64_t move);
  void save_bytes(std::uint64_t move);
  void saved(std::uint64_t move);

  EngineParts& engine_;
  Callback loaded_;
  Callback saved_;
  DmaPacket* loading_ = nullptr;
  const DmaPacket* saving_ = nullptr;
  PreemptionReport* report_ = nullptr;
  std::uint64_t since_ps_ = 0;
  std::uint64_t move_ = 0;  // number of the one under way: an older one's is stale
  std::uint64_t launch_ps_ = 0;
};

}  // namespace fenceline
