// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"
#include "api/timeline/timeline.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace fenceline {

class CommandEffects;
class ResourceContents;
struct Program;

/// The bytes of a program's resources while a player plays it on a machine.
class PlayedContents {
 public:
  /// std::invalid_argument where the contents are another program's.
  PlayedContents(Machine& machine, const Program& program, std::shared_ptr<ResourceContents> contents);

  const std::shared_ptr<ResourceContents>& contents() const { return contents_; }
  /// The queue, by its place in the program, executes the list; `others` hear what bytes hear, too.
  void execute(ContextId queue, std::uint32_t of_program, std::uint32_t list, std::shared_ptr<CommandEffects> others);
  /// A CPU thread comes to a write.
  void write(const std::string& thread, const Step& step);

 private:
  Machine& machine_;
  const Program& program_;
  std::shared_ptr<ResourceContents> contents_;
};

}  // namespace fenceline
