// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/texel_copy.hpp"
#include "api/d3d12/hazards/accesses.hpp"
#include "api/d3d12/pipelines/draw_outputs.hpp"
#include "api/d3d12/resources/target_view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fenceline::d3d12 {

/// The targets and the index buffer that the draws of a list are bound to, and what draws access for certain: targets
/// within viewport and scissor, and indices.
///
/// A view of several slices is not known to be written in one of them, and a texture of simultaneous access may be
/// drawn to and used elsewhere at other texels: such targets are not counted.
class DrawBindings {
 public:
  /// Null views are of nothing.
  void set_targets(const std::vector<TargetView>& colors, const TargetView& depth_stencil);
  void set_index_buffer(const D3D12_INDEX_BUFFER_VIEW* view);
  /// Nothing is bound.
  void clear() { *this = {}; }

  /// A draw of that name, the command at that index of the list, over the area.
  void draw(Accesses& accesses, std::size_t command, const char* name, const DrawOutputs& outputs,
            const D3D12_RECT& area);
  void read_indices(Accesses& accesses, std::size_t command, std::uint64_t first, std::uint64_t count) const;

  /// Draws of a bundle, to the targets of whoever executes it.
  struct BundleDraw {
    std::size_t command;
    const char* name;
    DrawOutputs outputs;
    bool indexed;
    std::uint64_t first_index, indices;
  };
  std::vector<BundleDraw> bundle_draws;
  bool has_index_buffer() const { return index_memory_ != nullptr; }
  /// The bundle has left its own behind.
  void take_index_buffer(const DrawBindings& bundle);
  /// All draws of a bundle whose commands begin at that index of the list.
  void draw_bundle(Accesses& accesses, std::size_t first, const DrawBindings& bundle, const D3D12_RECT& area);

 private:
  struct Target {
    AccessedPart part;
    std::uint64_t base;  // of the resource in its memory, bytes
    TexelGrid grid;
    bool read_only = false;
  };
  static std::optional<Target> target(const TargetView& view, std::uint32_t plane);
  void access(Accesses& accesses, std::size_t command, const char* name, const std::optional<Target>& target,
              bool writes, const D3D12_RECT& area);

  std::array<std::optional<Target>, D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT> colors_;
  std::optional<Target> depth_, stencil_;
  std::shared_ptr<HeapMemory> index_memory_;
  std::uint64_t index_offset_ = 0, index_bytes_ = 0;
  std::uint32_t index_size_ = 2;

  // What draws one after the other have in common is recorded once.
  struct Last {
    DrawOutputs outputs;
    D3D12_RECT area;
    const char* name;
    std::size_t first, count;  // of the accesses
  };
  std::optional<Last> last_;
};

}  // namespace fenceline::d3d12
