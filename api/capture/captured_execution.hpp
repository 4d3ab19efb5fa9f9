// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/captured_outcomes.hpp"
#include "api/queue_rules.hpp"
#include "engines/command/command.hpp"

#include <cstdint>
#include <memory>
#include <tuple>

namespace fenceline {

/// A command stream that is executed by queues of a type.
struct CapturedListKey {
  std::uint64_t number = 0;              ///< CommandStream::number; 0: it has none
  const CommandStream* place = nullptr;  ///< of one without a number
  CommandListType type = CommandListType::direct;
  CapturedListKey() = default;
  CapturedListKey(const CommandStream& stream, CommandListType of)
      : number(stream.number), place(stream.number != 0 ? nullptr : &stream), type(of) {}
  bool operator<(const CapturedListKey& other) const {
    return std::tie(number, place, type) < std::tie(other.number, other.place, other.type);
  }
};
/// A list whose name a step lacks.
struct CapturedExecution {
  CapturedListKey key;
  std::shared_ptr<const CommandStream> stream = {};  ///< null: the list is there already
  CapturedOutcomes outcomes = {};                    ///< what its commands come to
  bool once = false;                                 ///< in this execution alone: it is a list of its own
};
}  // namespace fenceline
