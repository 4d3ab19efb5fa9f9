// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/stream_bytes.hpp"
#include "api/d3d12/bytes/effect.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fenceline::d3d12 {

// Effects as captures say them (docs/contents.md, rule 20).

/// What the effect does to bytes, where that can be said before it does; nothing: only what it has written shows it.
std::optional<ActedEffect> acted(const Effect& effect);
/// What the effect, which has just been done, wrote. Tiles of reserved resources: what they are mapped to now, whole.
std::vector<ActedWrite> written_by(const Effect& effect);
/// Each memory that it reads or writes; not those of reserved resources.
void for_each_memory(const Effect& effect, const std::function<void(const std::shared_ptr<HeapMemory>&)>& visit);

}  // namespace fenceline::d3d12
