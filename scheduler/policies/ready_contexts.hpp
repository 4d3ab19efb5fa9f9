// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/represented_contexts.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// A node's contexts whose next packet may run: a list while they are few, and many represented by a few of them.
class ReadyContexts {
 public:
  /// Up to `listed` of them each speaks for itself.
  ReadyContexts(const PolicyTraits& policy, std::uint32_t listed) : policy_(&policy), listed_(listed) {}

  void add(const ReadyContext& one);
  void remove(std::uint32_t context);
  /// One whose place, or whose process's place, in the order is another now.
  void update(const ReadyContext& one);
  /// The process has another place among those of that height.
  void move_process(std::uint32_t process, std::uint32_t height, const Arrival& arrival);

  bool empty() const { return size() == 0; }
  std::size_t size() const { return many_ ? many_->size() : few_.size(); }
  /// How many are of the process.
  std::size_t of_process(std::uint32_t process) const;
  /// The process with a ready context that is next in order of creation behind `process`, cyclically and never itself;
  /// `none` if there is no other. Behind `none` comes the first.
  std::uint32_t process_after(std::uint32_t process) const;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// The contexts among which the next one is, and any that may have something stopped: `visit(context)` for each, in
  /// the order in which they came.
  template <class Named, class Visit>
  void for_each(const Named& named, const Visit& visit) const {
    if (!many_) {
      for (const ReadyContext& one : few_) visit(one.context);
      return;
    }
    for (const std::uint32_t context : many_->representatives(named())) visit(context);
  }

 private:
  auto listed(std::uint32_t context) {
    return std::find_if(few_.begin(), few_.end(), [&](const ReadyContext& one) { return one.context == context; });
  }

  const PolicyTraits* policy_;
  std::uint32_t listed_;
  std::vector<ReadyContext> few_;  // in the order in which they came
  std::optional<RepresentedContexts> many_;
};

}  // namespace fenceline
