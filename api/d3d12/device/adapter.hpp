// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/machine_config.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

class VideoMemory;

/// A machine that D3D12 sees as an adapter.
struct Adapter {
  MachineConfig machine;
  LUID luid{};
  std::shared_ptr<VideoMemory> video_memory;  ///< as the process uses it
};

/// The machines of a list like "h200:rtx_4090" or "h200,mine.json": built-in ones and files, with LUIDs from 1 on in
/// their order; `sets` as those of --set apply to each. Nothing named: h200. Throws ConfigError for one that cannot be
/// read.
std::vector<Adapter> adapters_of(const std::string& names, const std::vector<std::string>& sets = {});

/// The process's adapters: the machines that FENCELINE_MACHINE names, with what FENCELINE_SET sets, read when first
/// asked for. Throws ConfigError.
const std::vector<Adapter>& adapters();
inline bool same_luid(LUID a, LUID b) { return a.LowPart == b.LowPart && a.HighPart == b.HighPart; }
/// Null for a LUID that no adapter has.
const Adapter* find_adapter(LUID luid);

}  // namespace fenceline::d3d12
