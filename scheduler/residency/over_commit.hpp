// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// What happens to what does not fit into video memory.
enum class OverCommit : std::uint8_t {
  demote,  ///< it is used in place in system memory
  page     ///< it has to be in video memory, others make room
};

}  // namespace fenceline
