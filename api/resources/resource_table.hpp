// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/resources/names.hpp"
#include "api/resources/resource.hpp"
#include "engines/command/command.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What commands want to know of a resource.
struct ResourceInfo {
  std::string name;
  enum class Kind : std::uint8_t { buffer, texture, memory };
  Kind kind = Kind::buffer;
  HeapType heap = HeapType::default_heap;
  std::uint64_t bytes = 0;      ///< of a texture: tightly packed
  std::uint64_t row_bytes = 0;  ///< all samples
  std::uint64_t rows = 0;
  std::uint32_t texel_bytes = 0;  ///< one sample
  std::uint32_t samples = 1;
  std::optional<std::uint32_t> allocation = {};  ///< in video memory: its number among those there

  bool texture() const { return kind == Kind::texture; }
};

/// The channels that a copy from one to the other passes.
CopyRoute route_between(const ResourceInfo& source, const ResourceInfo& destination);

/// The resources of a workload by name. Each look-up throws ConfigError at `pointer` when it finds something else.
class ResourceTable {
 public:
  ResourceTable(const std::vector<Resource>& resources, const std::string& file);
  /// Throws ConfigError for names that are empty or there twice.
  void check_names() const { names_.check(); }

  /// Anything, memory of a captured program among it.
  std::uint32_t index_of_any(const std::string& name, const std::string& pointer) const {
    return names_.index(name, pointer);
  }
  const ResourceInfo& any(const std::string& name, const std::string& pointer) const;
  /// What is on the machine: no memory of a captured program. So are all that follow.
  std::uint32_t index(const std::string& name, const std::string& pointer) const;
  const ResourceInfo& resource(const std::string& name, const std::string& pointer) const;
  const ResourceInfo& buffer(const std::string& name, const std::string& pointer) const;
  /// Anything but system memory.
  const ResourceInfo& in_video_memory(const std::string& name, const std::string& pointer) const;
  const ResourceInfo& texture(const std::string& name, const std::string& pointer) const;
  /// Bytes of the buffer from the offset on, at least one.
  std::uint64_t bytes_from(const ResourceInfo& buffer, std::uint64_t offset, const std::string& pointer) const;

 private:
  std::string file_;
  std::vector<ResourceInfo> infos_;
  Names names_;
};

}  // namespace fenceline
