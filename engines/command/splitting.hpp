// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Where the piece of a split list ends that begins at command `from`: as many commands as fit, `most` of them, and end
/// at a split offset. Where none comes in time the piece goes on to the next one. Source: windows-driver-docs,
/// "Splitting a DMA buffer".
std::size_t piece_end(const CommandStream& stream, std::size_t from, std::size_t most);

/// Before the command a render pass has begun and not ended.
bool in_render_pass(const CommandStream& stream, std::size_t command);

/// Slots, increasing, that are bound where the list is split before command `from` and that its piece up to `end`
/// neither programs again nor unbinds: they leak.
std::vector<std::uint32_t> leaking_slots(const CommandStream& stream, std::size_t from, std::size_t end);

}  // namespace fenceline
