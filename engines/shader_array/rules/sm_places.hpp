// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/retirement.hpp"
#include "engines/shader_array/rules/sm_occupancy.hpp"

#include <cstdint>

namespace fenceline {

/// State of an SM besides the groups on it: what they hold of it, and when the next may begin and retire.
struct SmPlaces : SmOccupancy {
  std::uint64_t launcher_free = 0;  ///< SM cycle at which the next group can start
  Retirement retirement;
  bool freed = false;               ///< a thread group has left its place in this step
  bool lost = false;                ///< and pixels or vertices have taken one
  bool promised = false;            ///< a group waits for a place on this SM
  std::uint32_t promised_grid = 0;  ///< whose it is, if there is one
};

/// All of it that decides how an SM goes on, between two steps. A visitor is shown each field of two SMs, or of one
/// twice, as what it is: `exact`, a `time` that only matters while it is to come, or a `retirement`; it ends with the
/// first that says no.
template <class Places, class Visitor>
bool visit_places(Places& a, Places& b, Visitor&& visitor) {
  return visitor.exact(a.warps, b.warps) && visitor.exact(a.groups, b.groups) &&
         visitor.exact(a.registers, b.registers) && visitor.exact(a.shared_bytes, b.shared_bytes) &&
         visitor.exact(a.split_bytes, b.split_bytes) && visitor.exact(a.promised, b.promised) &&
         (!a.promised || visitor.exact(a.promised_grid, b.promised_grid)) &&
         visitor.time(a.launcher_free, b.launcher_free) && visitor.retirement(a.retirement, b.retirement);
}

}  // namespace fenceline
