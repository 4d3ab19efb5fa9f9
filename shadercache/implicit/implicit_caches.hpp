// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/implicit/created_pipeline.hpp"
#include "shadercache/implicit/driver_managed_cache.hpp"
#include "shadercache/implicit/implicit_cache.hpp"
#include "shadercache/implicit/implicit_cache_config.hpp"
#include "shadercache/implicit/implicit_cache_kind.hpp"
#include "shadercache/shader_caches.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What creating a pipeline state takes.
struct PipelineCreation {
  CreatedPipeline pipeline;
  std::vector<bool> converts;  ///< by shader of `dxbc`: no cache had it. Empty: the driver takes DXBC
  bool compiles = true;        ///< no cache had it
  std::uint64_t cpu_ps = 0;    ///< of all of it together, picoseconds
};

/// The implicit shader caches of a program on a machine: D3D12's conversions from DXBC to DXIL, and compilations by
/// the driver, which D3D12 keeps for it or it keeps itself. Rules: DirectX-Specs, ShaderCache.md.
class ImplicitCaches {
 public:
  /// `adapter` and `driver_version` tell compilations apart. The program's name is a folder in the configured
  /// directory.
  ImplicitCaches(const ImplicitCacheConfig& config, const CacheDriver& driver, const std::string& program);

  /// Creating begins: what the caches have of it, and what it takes.
  PipelineCreation begin(CreatedPipeline pipeline);
  /// It has taken its time: what was made is kept.
  void end(const PipelineCreation& creation);

  /// This program has a cache of that kind.
  bool has(ImplicitCacheKind kind) const;
  bool enabled(ImplicitCacheKind kind) const;
  /// ShaderCacheControl of one kind; bits of CacheControl, never disable with enable. Where there is no such cache
  /// nothing happens.
  void control(ImplicitCacheKind kind, std::uint32_t control);
  /// Compilations by the former version are of no use.
  void update_driver(const CacheDriver& driver);
  /// Why one of them has no files in the configured directory and finds nothing; empty: all have, or need none.
  std::string refusal() const;

 private:
  ImplicitCache* cache(ImplicitCacheKind kind);
  const ImplicitCache* cache(ImplicitCacheKind kind) const;
  /// Null: nobody keeps them.
  ImplicitCache* compilations();

  ImplicitCacheConfig config_;
  ShaderCaches caches_;
  std::optional<ImplicitCache> for_driver_;
  std::optional<ImplicitCache> conversions_;
  std::optional<DriverManagedCache> driver_managed_;
};

}  // namespace fenceline
