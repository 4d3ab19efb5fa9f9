// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/segment.hpp"
#include "scheduler/residency/video_memory_config.hpp"
#include "scheduler/state/scheduler_state.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// What contexts and devices keep in video memory for themselves, and which contexts are loaded
/// (docs/context_allocations.md).
class ContextAllocations {
 public:
  ContextAllocations(SchedulerState& state, const VideoMemoryConfig& config, Segment& segment)
      : s_(state), config_(config), segment_(segment) {}

  /// Some context has one.
  bool any() const { return any_; }
  void created(std::uint32_t context);
  void freed(std::uint32_t context);
  /// The context's, its device's first.
  std::vector<std::uint32_t> of(std::uint32_t context) const;
  /// Those of the device's contexts, in their order, with its own first: the first one, and as many of the others as
  /// fit together, with so many bytes beside them.
  std::vector<std::uint32_t> of_device(const std::vector<std::uint32_t>& contexts, std::uint64_t beside = 0) const;
  /// Whose it is.
  std::uint32_t process_of(std::uint32_t allocation) const;
  /// As paging.csv calls it.
  std::string name_of(std::uint32_t allocation) const;

  /// A packet of the context that has this list goes to its node: the context is loaded there now.
  void handed_over(std::uint32_t context, std::shared_ptr<const CommandStream> list);
  /// Nodes where a context is loaded that has to do with what moves out; none is loaded there any more.
  std::vector<std::uint32_t> unload(const std::vector<PagingMove>& moves);
  /// No context is loaded anywhere.
  void unload_all() { loaded_.clear(); }

 private:
  struct Device {
    std::uint32_t contexts = 0;                  // that there are
    std::uint32_t first = SchedulerState::none;  // of them, when its allocation was made; none: it has none
  };
  struct Loaded {
    std::uint32_t context = SchedulerState::none;
    std::shared_ptr<const CommandStream> list;  // of its last packet
  };
  std::uint32_t of_process(std::uint32_t process) const;
  std::uint64_t bytes_of(const Context& context) const;
  bool keeps(const Loaded& loaded, std::uint32_t allocation) const;

  SchedulerState& s_;
  const VideoMemoryConfig& config_;
  Segment& segment_;
  bool any_ = false;
  std::vector<Device> devices_;  // by process
  std::vector<Loaded> loaded_;   // by node
};

}  // namespace fenceline
