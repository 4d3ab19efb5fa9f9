// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/shader_caches.hpp"
#include "tests/crash/kill_board.hpp"

#include <cstddef>
#include <cstdint>

namespace fenceline::testing {

/// What a process is killed in.
enum class VictimTask : std::uint8_t {
  store,
  reopen,
  sync,
  clear,
  own_store,     ///< its index grows
  own_versions,  ///< opened with other versions, and so cleared
  own_deleted,   ///< deleted on destroy
  own_mended,    ///< its index is made again
};

/// Goes on until it is killed. What it ends with otherwise is 0 where it has no more to do.
int be_victim(KillBoard& board, const ShaderCachesConfig& config, VictimTask task, std::uint32_t seed);

/// Opens the cache `shared` now and then, stores a little and looks for what all have reported, until it is told to
/// stop.
int be_companion(KillBoard& board, const ShaderCachesConfig& config, std::size_t process, std::uint32_t seed);

/// No process is left behind by one that ends early.
void end_with_parent();

}  // namespace fenceline::testing
