// SPDX-License-Identifier: Apache-2.0
#include "engines/draw_in_flight.hpp"

namespace fenceline {

std::uint64_t DrawInFlight::beyond_boundary(std::uint64_t whole) const {
  using Wide = unsigned __int128;
  const std::uint64_t groups = cost.pixel_groups;
  if (groups == 0) return whole;
  std::uint64_t shaded = groups - left.grid.groups;
  for (const SavedGroups& saved : left.grid.saved) shaded -= saved.groups;
  const std::uint64_t triangles = pixel_grid.units;
  if (triangles == 0) return static_cast<std::uint64_t>(Wide{whole} * (groups - shaded) / groups);
  const auto begun = static_cast<std::uint64_t>(Wide{shaded} * triangles / groups);
  return static_cast<std::uint64_t>(Wide{whole} * (triangles - begun) / triangles);
}

}  // namespace fenceline
