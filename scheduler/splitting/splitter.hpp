// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/command/splitting.hpp"
#include "scheduler/config/scheduler_config.hpp"
#include "scheduler/state/context.hpp"
#include "scheduler/state/node.hpp"
#include "scheduler/state/queue_packet.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Splits command lists into DMA buffers: where each piece ends, and what a list that is split keeps of its node.
class Splitter {
 public:
  explicit Splitter(const SchedulerConfig& config);

  /// As many commands as there may be.
  static constexpr std::size_t any_number = ~std::size_t{0};
  /// The submission is the next piece of the packet, or the same again where that was stopped before its end. Of its
  /// next commands `fitting` find what they use in video memory together.
  void take_piece(QueuePacket& packet, DmaPacket& dma, std::size_t fitting = any_number) const;
  /// Behind the last command of the piece that begins at command `from`.
  std::size_t end_of(const CommandStream& stream, std::size_t from, std::size_t fitting = any_number) const {
    return piece_end(stream, from, std::min(most_commands_, std::max<std::size_t>(fitting, 1)));
  }
  /// DMA buffers are patched, and patch location lists say with what.
  bool patches() const { return looks_for_leaks_; }
  /// Slots that leak where the packet, which is between two pieces, goes on with one up to command `end` (binding leak
  /// detection).
  std::vector<std::uint32_t> leaks(const QueuePacket& packet, std::size_t end) const;
  /// Windows 7 model: of the hardware queue others than the context get nothing, because a list of another one is
  /// between its first piece and the end of its last.
  bool kept_from(const NodeQueue& queue, std::uint32_t context) const;
  /// Windows 7 model: a list of the context is between its first piece and the end of its last there.
  bool keeps(const NodeQueue& queue, std::uint32_t context) const {
    return back_to_back_ && queue.split_context == context;
  }
  /// The context is between two pieces of a list, and nothing has taken the place of its state in the hardware queue
  /// where it is.
  static bool goes_back(const Context& context, const NodeQueue& queue);

 private:
  std::size_t most_commands_ = any_number;  // of a piece
  bool looks_for_leaks_;
  bool back_to_back_;
};

}  // namespace fenceline
