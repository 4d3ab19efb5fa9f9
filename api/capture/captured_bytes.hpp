// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/capture_batch.hpp"
#include "api/contents/stream_bytes.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fenceline {

/// The bytes of a capture (docs/contents.md, rules 17 to 20): memories that lists touch, what they hold then, and what
/// the CPU has written since. What it holds of the program's memory is a copy of what the CPU can see of it.
class CapturedBytes {
 public:
  /// A step `write`, which lacks nothing.
  using Write = std::function<void(nlohmann::json step)>;

  /// Blobs and memories go into the batch, which outlives this.
  explicit CapturedBytes(CaptureBatch& batch) : batch_(batch) {}

  /// A list is submitted: what it touches is in the capture, as it is now, and so is what lists under way touch.
  void look_at(const std::shared_ptr<StreamBytes>& bytes, const Write& write);
  /// The same of all lists that are under way.
  void look_at_those_under_way(const Write& write);
  /// The same of all that is known.
  void look_at_all(const Write& write);

  /// A command's effects in a workload's words; a list has been looked at that has it.
  nlohmann::json effects_of(const ActedCommand& command);
  /// The same of what it has just come to.
  nlohmann::json effects_of(const std::vector<ActedWrite>& writes);
  /// The GPU has just written that: it is not the CPU's.
  void gpu_wrote(const ActedCommand& command);

 private:
  struct Memory {
    std::weak_ptr<const ActedMemory> memory;
    std::string name;                  // in the capture
    std::vector<std::byte> seen = {};  // what was last known of what the CPU can see; empty: it cannot
  };
  /// A list that touches what others can write.
  struct UnderWay {
    std::weak_ptr<StreamBytes> bytes;  // gone: it is over
    std::vector<std::weak_ptr<const ActedMemory>> seen;
  };
  Memory& known(const ActedMemoryPtr& memory);
  void forget_those_gone();
  void look_at(Memory& memory, const ActedMemory& now, const Write& write);
  void see(const ActedRows& rows, const RowShape& shape);
  nlohmann::json rows_of(const char* type, const ActedRows& to, const RowShape& shape);
  nlohmann::json content_of(const std::byte* bytes, std::uint64_t count);
  void add_write(const Memory& memory, std::uint64_t begin, std::uint64_t end, const Write& write);

  CaptureBatch& batch_;
  std::map<const ActedMemory*, Memory> memories_;
  std::size_t kept_ = 0;  // of them, when those that are gone were forgotten last
  std::vector<UnderWay> under_way_;
  std::set<std::string> names_;
  std::set<std::string> blobs_;
};

}  // namespace fenceline
