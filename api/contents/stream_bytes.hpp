// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/list_bytes.hpp"
#include "api/resources/resource.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace fenceline {

/// Memory of a program whose bytes its lists act on: a heap's, or a committed resource's.
class ActedMemory {
 public:
  virtual ~ActedMemory() = default;

  virtual std::string name() const = 0;    ///< for people; others may have the same
  virtual HeapType heap() const = 0;       ///< on which it lies
  virtual bool cpu_visible() const = 0;    ///< CPU threads, or other devices, may write to it whenever they like
  virtual std::uint64_t size() const = 0;  ///< bytes
  virtual const std::byte* first_byte() const = 0;  ///< where they are, for as long as this exists
};
using ActedMemoryPtr = std::shared_ptr<const ActedMemory>;

/// Where rows of a program's bytes lie.
struct ActedRows {
  ActedMemoryPtr memory;
  std::uint64_t offset = 0;       ///< of the first row
  std::uint64_t row_pitch = 0;    ///< from a row to the next
  std::uint64_t slice_pitch = 0;  ///< from a slice to the next
};
/// Bytes go from one place to another; all is read before anything is written.
struct ActedCopy {
  ActedRows from;
  ActedRows to;
  RowShape shape;
};
/// A value, again and again in each row.
struct ActedFill {
  ActedRows to;
  RowShape shape;
  std::vector<std::byte> value;
};
/// Bytes are written of which only the memory itself tells what they are.
struct ActedWrite {
  ActedRows to;
  RowShape shape;
};
using ActedEffect = std::variant<ActedCopy, ActedFill>;

/// What a command of a list does to bytes.
struct ActedCommand {
  std::size_t command = 0;           ///< its index in the stream
  std::vector<ActedEffect> effects;  ///< known before it runs; none where they show when it is done
  bool shows_when_done = false;      ///< what it does is StreamBytes::done's, once it has been
  bool predicated = true;            ///< a predicate that skips the command skips its effects
};

/// What the commands of a list do to bytes in an execution. Asked by a capture, with the machine standing still.
class StreamBytes {
 public:
  virtual ~StreamBytes() = default;

  /// The commands, which stay as they are for as long as this is kept, whatever becomes of the execution.
  virtual std::shared_ptr<const CommandStream> region() const = 0;
  /// Of each command that does something, in order.
  virtual std::vector<ActedCommand> acts() const = 0;
  /// Each memory that the list reads or writes, at least once.
  virtual void for_each_memory(const std::function<void(const ActedMemoryPtr&)>& visit) const = 0;
  /// `told` hears of each command whose effects have taken place, from inside the simulation, just then.
  virtual void when_done(std::function<void(std::size_t command)> told) = 0;
  /// The same for what the command wrote, which has just been done.
  virtual std::vector<ActedWrite> done(std::size_t command) const = 0;
};

}  // namespace fenceline
