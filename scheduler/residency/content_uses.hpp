// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace fenceline {

/// What one execution of a list says of the content of allocations, command by command (docs/residency.md, rule 31): a
/// discard is complete once those before it that use the allocation are, and counts until a later one ends.
class ContentUses {
 public:
  /// The content of the allocation is needed, or not any more.
  using Tell = std::function<void(std::uint32_t allocation, bool needed)>;
  ContentUses(std::shared_ptr<const CommandStream> list, Tell tell);

  /// The command has ended, or the front end has passed a discard. Those that pass through the front end before it are
  /// over then, too.
  void ended(std::size_t command);
  /// A predicate has skipped it.
  void skipped(std::size_t command);
  /// All of them are over.
  void finished();

 private:
  struct Event {
    std::size_t command;
    std::uint32_t allocation;
    bool discards;
    bool over;
  };
  struct Discarded {
    std::size_t event;  // the last discard that the front end has passed
    bool waits;         // for the end of earlier uses
  };
  template <class Action>
  void each_of(std::size_t command, const Action& action);
  void is_over(std::size_t event);
  void settle(std::uint32_t allocation);

  std::shared_ptr<const CommandStream> list_;
  Tell tell_;
  std::vector<Event> events_;                    // in the list's order
  std::size_t passed_ = 0;                       // those before it: the front end is beyond them
  std::map<std::uint32_t, Discarded> discards_;  // by allocation
};

}  // namespace fenceline
