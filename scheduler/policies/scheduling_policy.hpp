// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fenceline {

/// Who runs next on a node, and for whom the one that runs has to stop. Each has a file in this folder.
enum class SchedulingPolicy : std::uint8_t {
  wddm,             ///< bands, quanta and grace periods, focus, a floor for the normal band
  fifo,             ///< in the order submitted
  round_robin,      ///< contexts in turn, a packet each
  strict_priority,  ///< the highest rank at once; equal ones in the order submitted
  time_slice,       ///< processes take turns inside their packets; within a process as strict_priority
  xe,               ///< Linux's Xe: the highest rank at once, equal ones in time slices
};
constexpr EnumNames<SchedulingPolicy, 6> enum_names(SchedulingPolicy) {
  return {{{SchedulingPolicy::wddm, "wddm"},
           {SchedulingPolicy::fifo, "fifo"},
           {SchedulingPolicy::round_robin, "round_robin"},
           {SchedulingPolicy::strict_priority, "strict_priority"},
           {SchedulingPolicy::time_slice, "time_slice"},
           {SchedulingPolicy::xe, "xe"}}};
}

struct PolicyTraits;
extern const PolicyTraits wddm_policy;
extern const PolicyTraits fifo_policy;
extern const PolicyTraits round_robin_policy;
extern const PolicyTraits strict_priority_policy;
extern const PolicyTraits time_slice_policy;
extern const PolicyTraits xe_policy;

/// What a policy does, in the order of the enumeration.
constexpr std::array<const PolicyTraits*, 6> policy_traits = {
    &wddm_policy, &fifo_policy, &round_robin_policy, &strict_priority_policy, &time_slice_policy, &xe_policy};
constexpr const PolicyTraits& traits_of(SchedulingPolicy policy) {
  return *policy_traits[static_cast<std::size_t>(policy)];
}

}  // namespace fenceline
