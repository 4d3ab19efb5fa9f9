// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

/// An entry of a patch location list: from a command on a slot holds a resource, or nothing. Source:
/// D3DDDI_PATCHLOCATIONLIST, SlotId and PatchOffset.
struct PatchLocation {
  std::size_t command = 0;  ///< index in the stream: from which on it counts
  std::uint32_t slot = 0;   ///< 0 to highest_patch_slot
  bool bound = false;       ///< false: the slot is unbound
};
constexpr std::uint32_t highest_patch_slot = (1u << 24) - 1;  ///< SlotId has 24 bits

/// What a stream says of the places where it may be split.
struct StreamSplits {
  /// Commands before which it may be split, increasing; unset: every boundary between commands.
  std::optional<std::vector<std::size_t>> offsets;
  /// First command of each bundle and the one behind its last: it is not split in between.
  std::vector<std::pair<std::size_t, std::size_t>> bundles;
  /// In order of `command`; empty: it programs what it uses in each piece anew.
  std::vector<PatchLocation> patches;
};

}  // namespace fenceline
