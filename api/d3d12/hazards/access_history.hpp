// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/hazards/access.hpp"
#include "api/d3d12/hazards/queue_clock.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// Who executed a list, for messages.
struct ExecutedList {
  std::string list;
  std::string queue;
};

/// An access that a queue has made.
struct PastAccess {
  Access access;
  ByteRegion region;
  std::uint64_t start_ps = 0;
  std::uint64_t end_ps = 0;
  std::uint32_t queue = 0;
  std::uint64_t execution = 0;  ///< of that queue, from 1
  std::shared_ptr<const ExecutedList> by;

  /// Who knows that much comes after it.
  bool before(const QueueClock& clock) const { return clock[queue] >= execution; }
};

/// For all bytes that queues have touched the accesses that a later one may collide with. An access gives way to one
/// that comes after it, covers it and collides with whatever it would: there are no more than distinct regions and
/// queues, however long a program runs.
class AccessHistory {
 public:
  using Past = std::shared_ptr<const PastAccess>;
  /// Told of each earlier access of a common byte, by another queue and one of the two a write, that does not come
  /// before the new one; of each once.
  using Tell = std::function<void(const PastAccess& earlier)>;

  /// `known` is what the new one comes after.
  void add(const Past& access, const QueueClock& known, const Tell& tell);
  /// What everything from now on comes after, and what memory does not exist any more.
  void forget(const QueueClock& known);
  /// Accesses that are kept, counted once for each piece of memory on which they lie.
  std::size_t size() const { return size_; }

 private:
  /// Bytes on which the same accesses lie.
  struct Piece {
    std::uint64_t end;
    std::vector<Past> accesses;
  };
  using Pieces = std::map<std::uint64_t, Piece>;  // by first byte
  void split(Pieces& pieces, std::uint64_t at);
  void put(std::vector<Past>& accesses, const Past& access, const QueueClock& known);

  // Compared by what they point to, never by their order.
  std::map<std::weak_ptr<HeapMemory>, Pieces, std::owner_less<>> memories_;
  std::size_t size_ = 0;
};

}  // namespace fenceline::d3d12
