// SPDX-License-Identifier: Apache-2.0
#include "api/workload/texture_copy.hpp"

#include "sim/config_error.hpp"
#include "sim/rounding.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace fenceline {
namespace {

std::uint64_t pitch(const ResourceInfo& texture) { return rounded_up(texture.row_bytes, texture_row_pitch); }

}  // namespace

CopyTexture texture_copy(const CopyTextureCommand& copy, const ResourceTable& resources, const std::string& file,
                         const std::string& at) {
  const ResourceInfo& source = resources.resource(copy.source, at + "/source");
  const ResourceInfo& destination = resources.resource(copy.destination, at + "/destination");
  if (!source.texture && !destination.texture) {
    throw ConfigError(file, at, "a texture as source or destination", "two buffers");
  }
  const ResourceInfo& texture = source.texture ? source : destination;
  const ResourceInfo& other = source.texture ? destination : source;
  if (texture.samples > 1 && !other.texture) {
    throw ConfigError(file, at + (source.texture ? "/source" : "/destination"),
                      "a texture with one sample, as copies to and from buffers take",
                      fmt::format("{}, which has {}", in_quotes(texture.name), texture.samples));
  }
  const CopyTexture command{route_between(source, destination), texture.row_bytes, texture.rows};
  const std::uint64_t needed = other.texture ? texture.bytes : (texture.rows - 1) * pitch(texture) + texture.row_bytes;
  const bool same = !other.texture || (other.row_bytes == texture.row_bytes && other.rows == texture.rows &&
                                       other.samples == texture.samples);
  if (!same || other.bytes < needed) {
    throw ConfigError(file, at + (source.texture ? "/destination" : "/source"),
                      other.texture ? fmt::format("a texture of the size of {} and {} samples to a texel",
                                                  in_quotes(texture.name), texture.samples)
                                    : fmt::format("a buffer of at least {} bytes (rows at multiples of {})", needed,
                                                  texture_row_pitch),
                      other.texture ? in_quotes(other.name) : fmt::format("{} bytes", other.bytes));
  }
  return command;
}

}  // namespace fenceline
