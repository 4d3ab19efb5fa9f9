// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fenceline {

/// Names what was compiled or converted: a hash, so that as many as a run creates fit into memory.
using CreationKey = std::array<std::uint32_t, 4>;

/// Of a pipeline or a shader in it.
CreationKey creation_key(std::string_view name);
/// Of one of those that are created of it. Caches outlive workloads: of another size it is other code.
CreationKey numbered_key(const CreationKey& key, std::uint64_t number, double instructions);

/// For tables in memory: keys are hashes. Being noexcept it spares each entry a copy of it.
struct CreationKeyHash {
  std::size_t operator()(const CreationKey& key) const noexcept {
    return static_cast<std::size_t>(std::uint64_t{key[0]} << 32 | key[1]);
  }
};

}  // namespace fenceline
