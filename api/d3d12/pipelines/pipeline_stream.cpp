// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_stream.hpp"

#include "sim/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {
namespace {

using Type = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE;
constexpr std::size_t types = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MAX_VALID;

/// Goes through the bytes of a stream.
class StreamReader {
 public:
  explicit StreamReader(const D3D12_PIPELINE_STATE_STREAM_DESC& stream)
      : bytes_(static_cast<const std::byte*>(stream.pPipelineStateSubobjectStream)), size_(stream.SizeInBytes) {}

  bool at_end() const { return at_ >= size_; }
  std::size_t at() const { return at_; }
  /// False where the type's own bytes are not there.
  bool read_type(std::uint32_t& type) { return copy(at_, type); }
  /// The value behind the type; goes on to the next subobject.
  template <class T>
  bool read(T& value) {
    const std::size_t from = at_ + rounded_up(sizeof(Type), alignof(T));
    if (!copy(from, value)) return false;
    at_ = rounded_up(from + sizeof(T), sizeof(void*));
    return true;
  }

 private:
  template <class T>
  bool copy(std::size_t from, T& to) const {
    if (from > size_ || size_ - from < sizeof(T)) return false;
    std::memcpy(&to, bytes_ + from, sizeof(T));
    return true;
  }

  const std::byte* bytes_;
  std::size_t size_;
  std::size_t at_ = 0;
};

bool read_root_signature(StreamReader& in, PipelineDesc& desc) {
  struct Value {
    ID3D12RootSignature* signature;
  } value{};
  if (!in.read(value)) return false;
  desc.root_signature = value.signature;
  return true;
}

template <class Old>
bool read_depth_stencil(StreamReader& in, PipelineDesc& desc) {
  Old old{};
  if (!in.read(old)) return false;
  desc.depth_stencil = newest_form(old);
  return true;
}

/// False where the value's bytes are not all there.
bool read_value(StreamReader& in, Type type, PipelineDesc& desc) {
  switch (type) {
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE: return read_root_signature(in, desc);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VS: return in.read(desc[PipelineStage::vertex]);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_PS: return in.read(desc[PipelineStage::pixel]);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DS: return in.read(desc[PipelineStage::domain]);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_HS: return in.read(desc[PipelineStage::hull]);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_GS: return in.read(desc[PipelineStage::geometry]);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CS: return in.read(desc[PipelineStage::compute]);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_AS: return in.read(desc[PipelineStage::amplification]);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MS: return in.read(desc[PipelineStage::mesh]);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_STREAM_OUTPUT: return in.read(desc.stream_output);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_BLEND: return in.read(desc.blend);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_SAMPLE_MASK: return in.read(desc.sample_mask);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_RASTERIZER: return in.read(desc.rasterizer);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL:
      return read_depth_stencil<D3D12_DEPTH_STENCIL_DESC>(in, desc);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL1:
      return read_depth_stencil<D3D12_DEPTH_STENCIL_DESC1>(in, desc);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL2: return in.read(desc.depth_stencil);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_INPUT_LAYOUT: return in.read(desc.input_layout);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_IB_STRIP_CUT_VALUE: return in.read(desc.strip_cut);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_PRIMITIVE_TOPOLOGY: return in.read(desc.topology);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_RENDER_TARGET_FORMATS: return in.read(desc.targets);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL_FORMAT: return in.read(desc.depth_format);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_SAMPLE_DESC: return in.read(desc.sample);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_NODE_MASK: return in.read(desc.node_mask);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_CACHED_PSO: return in.read(desc.cached);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_FLAGS: return in.read(desc.flags);
    case D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VIEW_INSTANCING: return in.read(desc.view_instancing);
    default: return false;
  }
}

bool is_type(std::uint32_t type) {
  constexpr std::uint32_t hole = D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_VIEW_INSTANCING + 1;
  static_assert(hole + 1 == D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_AS);
  return type < types && type != hole;
}

/// All forms of one thing count as the same.
std::size_t family_of(std::uint32_t type) {
  const bool newer = type == D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL1 ||
                     type == D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL2;
  return newer ? std::size_t{D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_DEPTH_STENCIL} : type;
}

std::variant<PipelineDesc, PipelineProblem> with_kind(PipelineDesc desc) {
  const bool vertices = desc.has(PipelineStage::vertex) || desc.has(PipelineStage::mesh);
  if (desc.has(PipelineStage::compute)) {
    if (vertices) {
      return PipelineProblem{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CANNOT_DEDUCE_TYPE,
                             "expected a compute shader or a vertex or mesh shader, found both"};
    }
    desc.kind = PipelineKind::compute;
    return desc;
  }
  if (desc.has(PipelineStage::mesh)) {
    desc.kind = PipelineKind::mesh;
    return desc;
  }
  if (desc.has(PipelineStage::amplification)) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_MS_INCOMPLETE_TYPE,
                           "expected a mesh shader with the amplification shader, found none"};
  }
  if (!desc.has(PipelineStage::vertex)) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CANNOT_DEDUCE_TYPE,
                           "expected a compute, vertex or mesh shader, found none"};
  }
  desc.kind = PipelineKind::graphics;
  return desc;
}

}  // namespace

std::variant<PipelineDesc, PipelineProblem> parse_pipeline_stream(const D3D12_PIPELINE_STATE_STREAM_DESC& stream) {
  if (stream.SizeInBytes == 0) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_ZERO_SIZE_STREAM, "found a stream of 0 bytes"};
  }
  if (stream.pPipelineStateSubobjectStream == nullptr) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_STREAM, "expected a stream, found null"};
  }
  PipelineDesc desc;
  std::array<bool, types> seen{};
  StreamReader in(stream);
  while (!in.at_end()) {
    const std::size_t at = in.at();
    const auto cut_short = [&] {
      return PipelineProblem{
          D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALID_STREAM,
          fmt::format("the subobject at byte {} ends behind the {} bytes of the stream", at, stream.SizeInBytes)};
    };
    std::uint32_t type = 0;
    if (!in.read_type(type)) return cut_short();
    if (!is_type(type)) {
      return PipelineProblem{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_UNKNOWN_SUBOBJECT,
                             fmt::format("expected a type from 0 to 22 or 24 to 26 at byte {}, found {}", at, type)};
    }
    if (std::exchange(seen[family_of(type)], true)) {
      return PipelineProblem{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_DUPLICATE_SUBOBJECT,
                             fmt::format("the subobject of type {} at byte {} is there already", type, at)};
    }
    if (!read_value(in, static_cast<Type>(type), desc)) return cut_short();
  }
  return with_kind(desc);
}

}  // namespace fenceline::d3d12
