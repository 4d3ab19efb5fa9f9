// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

class Machine;
struct Program;

/// CPU threads that wait until a process's budget of video memory has changed (docs/residency.md, rule 17a): each has
/// an event for it, which is set from the start of the pass on.
class BudgetWaits {
 public:
  /// `wake` has the thread go on that waited. The machine outlives this.
  BudgetWaits(Machine& machine, const Program& program, std::function<void(std::uint64_t thread)> wake);

  /// A pass begins: no event is set.
  void begin();
  /// The event was set, and is not any more. False: the thread is woken when it is.
  bool wait(std::uint64_t thread, const std::string& process);

 private:
  struct Event {
    bool set = false;
    bool awaited = false;
  };
  std::map<std::pair<std::string, std::uint64_t>, Event> events_;  // by process and thread
  std::function<void(std::uint64_t)> wake_;
  std::shared_ptr<bool> life_ = std::make_shared<bool>(true);  // the machine's listeners look whether it has ended
};

}  // namespace fenceline
