// SPDX-License-Identifier: Apache-2.0
#include "shadercache/implicit/implicit_caches.hpp"

#include "shadercache/implicit/creation_cost.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline {
namespace {

constexpr std::uint32_t most_file_bytes = 1U << 30;

CacheDescription description_of(ImplicitCacheKind kind) {
  CacheDescription description;
  // Fenceline's own: "FENCELINE-CACHE" and the kind.
  description.identifier = {{'F', 'E', 'N', 'C', 'E', 'L', 'I', 'N', 'E', '-', 'C', 'A', 'C', 'H', 'E',
                             static_cast<std::uint8_t>(1 + static_cast<std::uint8_t>(kind))}};
  description.mode = CacheMode::disk;
  description.driver_versioned = kind != ImplicitCacheKind::d3d_conversions;
  description.file_bytes = most_file_bytes;
  return description;
}

ShaderCachesConfig caches_config(const std::string& directory, const std::string& program) {
  ShaderCachesConfig config;
  if (directory.empty()) return config;
  // Names of files have at most 255 bytes.
  constexpr std::size_t longest = 200;
  const std::string& name = program.size() <= longest ? program : std::string();
  config.directory = std::filesystem::path(directory) / cache_folder_name(name, program);
  return config;
}

}  // namespace

ImplicitCaches::ImplicitCaches(const ImplicitCacheConfig& config, const CacheDriver& driver, const std::string& program)
    : config_(config), caches_(caches_config(config.directory, program)) {
  const auto made = [&](ImplicitCacheKind kind, bool full) {
    return config.directory.empty() ? ImplicitCache(full) : ImplicitCache(caches_, description_of(kind), driver);
  };
  const bool warm = config.start == CacheStart::warm;
  if (config.converts_dxbc) {
    conversions_.emplace(made(ImplicitCacheKind::d3d_conversions, warm || config.start == CacheStart::driver_update));
  }
  if (config.compilations_kept_by == CompilationsKeptBy::d3d) {
    for_driver_.emplace(made(ImplicitCacheKind::d3d_cache_for_driver, warm));
  }
  if (config.compilations_kept_by == CompilationsKeptBy::driver) {
    driver_managed_.emplace(DriverManagedCache{made(ImplicitCacheKind::driver_managed, warm)});
  }
}

const ImplicitCache* ImplicitCaches::cache(ImplicitCacheKind kind) const {
  switch (kind) {
    case ImplicitCacheKind::d3d_cache_for_driver: return for_driver_ ? &*for_driver_ : nullptr;
    case ImplicitCacheKind::d3d_conversions: return conversions_ ? &*conversions_ : nullptr;
    case ImplicitCacheKind::driver_managed: return driver_managed_ ? &driver_managed_->cache : nullptr;
  }
  return nullptr;
}

ImplicitCache* ImplicitCaches::cache(ImplicitCacheKind kind) {
  return const_cast<ImplicitCache*>(std::as_const(*this).cache(kind));
}

ImplicitCache* ImplicitCaches::compilations() {
  ImplicitCache* const of_d3d = cache(ImplicitCacheKind::d3d_cache_for_driver);
  return of_d3d != nullptr ? of_d3d : cache(ImplicitCacheKind::driver_managed);
}

PipelineCreation ImplicitCaches::begin(CreatedPipeline pipeline) {
  PipelineCreation creation;
  creation.pipeline = std::move(pipeline);
  double us = 0;
  if (conversions_) {
    for (const ConvertedShader& shader : creation.pipeline.dxbc) {
      const bool found = conversions_->find(shader.key);
      creation.converts.push_back(!found);
      us += found ? look_up_us(config_, shader.instructions) : convert_us(config_, shader.instructions);
    }
  }
  ImplicitCache* const kept = compilations();
  creation.compiles = kept == nullptr || !kept->find(creation.pipeline.key);
  us += creation.compiles ? compile_us(config_, creation.pipeline.instructions)
                          : look_up_us(config_, creation.pipeline.instructions);
  creation.cpu_ps = creation_ps(us);
  return creation;
}

void ImplicitCaches::end(const PipelineCreation& creation) {
  for (std::size_t i = 0; i < creation.converts.size(); ++i) {
    if (creation.converts[i] && conversions_) conversions_->store(creation.pipeline.dxbc[i].key);
  }
  ImplicitCache* const kept = compilations();
  if (creation.compiles && kept != nullptr) kept->store(creation.pipeline.key);
}

bool ImplicitCaches::has(ImplicitCacheKind kind) const { return cache(kind) != nullptr; }

bool ImplicitCaches::enabled(ImplicitCacheKind kind) const {
  const ImplicitCache* const one = cache(kind);
  return one != nullptr && one->enabled();
}

void ImplicitCaches::control(ImplicitCacheKind kind, std::uint32_t control) {
  if (kind == ImplicitCacheKind::driver_managed) {
    if (driver_managed_) driver_managed_->implicit_shader_cache_control(control);
  } else if (ImplicitCache* const one = cache(kind)) {
    fenceline::control(*one, control);
  }
}

void ImplicitCaches::update_driver(const CacheDriver& driver) {
  if (ImplicitCache* const kept = compilations()) kept->update_driver(driver);
}

std::string ImplicitCaches::refusal() const {
  for (const auto& [kind, name] : enum_names(ImplicitCacheKind())) {
    const ImplicitCache* const one = cache(kind);
    if (one != nullptr && !one->refusal().empty()) return fmt::format("{}: {}", name, one->refusal());
  }
  return {};
}

}  // namespace fenceline
