// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// Bytes of video memory that a fixed-function command reads and writes: clears, resolves, and what the ends of a
/// render pass come down to. Nothing for any other command.
std::optional<std::uint64_t> access_bytes(const Command& command);

}  // namespace fenceline
