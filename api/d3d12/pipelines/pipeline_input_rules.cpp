// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_input_rules.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/shaders/pipeline_linkage.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace fenceline::d3d12 {
namespace {

using MaybeProblem = std::optional<PipelineProblem>;

PipelineProblem wrong_element(D3D12_MESSAGE_ID id, UINT element, const std::string& text) {
  return {id, fmt::format("input element {}: {}", element, text)};
}

/// The bytes to which an element's place in its vertex is aligned: its components', up to 4.
std::uint32_t alignment_of(const Format& format) {
  const unsigned bits = format.bits[0];
  for (const unsigned others : {format.bits[1], format.bits[2], format.bits[3]}) {
    if (others != 0 && others != bits) return 1;  // packed: not known here
  }
  return bits == 32 ? 4 : bits == 16 ? 2 : 1;
}

bool can_be_vertex(const Format& format) {
  return format.format != DXGI_FORMAT_UNKNOWN && !is_typeless(format) && !is_depth(format) &&
         !is_block_compressed(format) && !is_video(format) && !is_opaque(format);
}

MaybeProblem check_element(UINT i, const D3D12_INPUT_ELEMENT_DESC& element) {
  const auto wrong = [&](D3D12_MESSAGE_ID id, const std::string& text) { return wrong_element(id, i, text); };
  if (element.SemanticName == nullptr) {
    return wrong(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_NULLSEMANTIC, "expected a semantic, found null");
  }
  const Format* const format = find_format(element.Format);
  if (format == nullptr || !can_be_vertex(*format)) {
    return wrong(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDFORMAT,
                 fmt::format("expected a format of vertices, found {}", static_cast<int>(element.Format)));
  }
  if (element.InputSlot >= D3D12_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT) {
    return wrong(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDSLOT,
                 fmt::format("expected a slot from 0 to 31, found {}", element.InputSlot));
  }
  if (element.InputSlotClass != D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA &&
      element.InputSlotClass != D3D12_INPUT_CLASSIFICATION_PER_INSTANCE_DATA) {
    return wrong(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDINPUTSLOTCLASS,
                 fmt::format("expected a class of 0 or 1, found {}", static_cast<int>(element.InputSlotClass)));
  }
  if (element.InputSlotClass == D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA && element.InstanceDataStepRate != 0) {
    return wrong(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_STEPRATESLOTCLASSMISMATCH,
                 fmt::format("expected a step rate of 0 for vertices, found {}", element.InstanceDataStepRate));
  }
  const std::uint32_t alignment = alignment_of(*format);
  if (element.AlignedByteOffset != D3D12_APPEND_ALIGNED_ELEMENT && element.AlignedByteOffset % alignment != 0) {
    return wrong(
        D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDALIGNMENT,
        fmt::format("expected an offset that is a multiple of {}, found {}", alignment, element.AlignedByteOffset));
  }
  return {};
}

MaybeProblem check_pair(UINT i, const D3D12_INPUT_ELEMENT_DESC& one, const D3D12_INPUT_ELEMENT_DESC& before) {
  if (one.SemanticIndex == before.SemanticIndex && same_semantic(one.SemanticName, before.SemanticName)) {
    return wrong_element(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_DUPLICATESEMANTIC, i,
                         fmt::format("semantic {}{} is there already", one.SemanticName, one.SemanticIndex));
  }
  if (one.InputSlot != before.InputSlot) return {};
  if (one.InputSlotClass != before.InputSlotClass) {
    return wrong_element(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDSLOTCLASSCHANGE, i,
                         fmt::format("slot {} holds vertices and instances", one.InputSlot));
  }
  if (one.InstanceDataStepRate != before.InstanceDataStepRate) {
    return wrong_element(D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_INVALIDSTEPRATECHANGE, i,
                         fmt::format("slot {} has two step rates", one.InputSlot));
  }
  return {};
}

/// System values but the position come from elsewhere.
bool needs_element(const SignatureElement& input) {
  return !same_semantic(input.name.substr(0, 3), "SV_") || same_semantic(input.name, "SV_Position");
}

const D3D12_INPUT_ELEMENT_DESC* find_element(const D3D12_INPUT_LAYOUT_DESC& layout, const SignatureElement& input) {
  for (UINT i = 0; i < layout.NumElements; ++i) {
    const D3D12_INPUT_ELEMENT_DESC& element = layout.pInputElementDescs[i];
    if (element.SemanticIndex == input.index && same_semantic(element.SemanticName, input.name)) return &element;
  }
  return nullptr;
}

/// D3D_REGISTER_COMPONENT_TYPE of a format as shaders see it.
std::uint32_t component_type_of(const Format& format) {
  if (format.kind == ComponentKind::uint) return D3D_REGISTER_COMPONENT_UINT32;
  if (format.kind == ComponentKind::sint) return D3D_REGISTER_COMPONENT_SINT32;
  return D3D_REGISTER_COMPONENT_FLOAT32;
}

}  // namespace

bool takes_vertices(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const ShaderBytecode* const vertex = shaders[PipelineStage::vertex];
  if (vertex == nullptr || desc.input_layout.NumElements == 0) return false;
  for (const SignatureElement& input : vertex->inputs) {
    if (needs_element(input)) return true;
  }
  return false;
}

MaybeProblem check_input_layout(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const D3D12_INPUT_LAYOUT_DESC& layout = desc.input_layout;
  if (layout.NumElements > D3D12_IA_VERTEX_INPUT_STRUCTURE_ELEMENT_COUNT) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_TOOMANYELEMENTS,
                           fmt::format("expected at most 32 input elements, found {}", layout.NumElements)};
  }
  if (layout.NumElements > 0 && layout.pInputElementDescs == nullptr) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_EMPTY_LAYOUT,
                           fmt::format("expected {} input elements, found null", layout.NumElements)};
  }
  for (UINT i = 0; i < layout.NumElements; ++i) {
    const D3D12_INPUT_ELEMENT_DESC& element = layout.pInputElementDescs[i];
    if (auto problem = check_element(i, element)) return problem;
    for (UINT before = 0; before < i; ++before) {
      if (auto problem = check_pair(i, element, layout.pInputElementDescs[before])) return problem;
    }
  }
  const ShaderBytecode* const vertex = shaders[PipelineStage::vertex];
  if (vertex == nullptr) return {};
  for (const SignatureElement& input : vertex->inputs) {
    if (!needs_element(input) || find_element(layout, input) != nullptr) continue;
    return PipelineProblem{layout.NumElements == 0 ? D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_INPUTLAYOUT_NOT_SET
                                                   : D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_MISSINGELEMENT,
                           fmt::format("the vertex shader takes semantic {}{}, which the input layout does not have",
                                       input.name, input.index)};
  }
  return {};
}

MaybeProblem input_type_warning(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const ShaderBytecode* const vertex = shaders[PipelineStage::vertex];
  if (vertex == nullptr) return {};
  for (const SignatureElement& input : vertex->inputs) {
    const D3D12_INPUT_ELEMENT_DESC* const element = find_element(desc.input_layout, input);
    const Format* const format = element != nullptr ? find_format(element->Format) : nullptr;
    if (format == nullptr || input.component_type == 0 || input.component_type > D3D_REGISTER_COMPONENT_FLOAT32) {
      continue;
    }
    if (component_type_of(*format) == input.component_type) continue;
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEINPUTLAYOUT_TYPE_MISMATCH,
                           fmt::format("the vertex shader takes semantic {}{} as another type than format {}",
                                       input.name, input.index, format->name)};
  }
  return {};
}

namespace {

constexpr UINT most_entries = D3D12_SO_STREAM_COUNT * D3D12_SO_OUTPUT_COMPONENT_COUNT;

MaybeProblem check_entry(UINT i, const D3D12_SO_DECLARATION_ENTRY& entry, const ShaderBytecode* last) {
  const auto wrong = [&](D3D12_MESSAGE_ID id, const std::string& text) {
    return PipelineProblem{id, fmt::format("stream output entry {}: {}", i, text)};
  };
  if (entry.Stream >= D3D12_SO_STREAM_COUNT) {
    return wrong(D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTREAM,
                 fmt::format("expected a stream from 0 to 3, found {}", entry.Stream));
  }
  if (entry.OutputSlot >= D3D12_SO_BUFFER_SLOT_COUNT) {
    return wrong(D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDOUTPUTSLOT,
                 fmt::format("expected a slot from 0 to 3, found {}", entry.OutputSlot));
  }
  if (entry.SemanticName == nullptr) return {};  // a gap of any size
  if (entry.ComponentCount < 1 || entry.ComponentCount > 4) {
    return wrong(D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDCOMPONENTCOUNT,
                 fmt::format("expected 1 to 4 components, found {}", entry.ComponentCount));
  }
  if (entry.StartComponent + entry.ComponentCount > 4) {
    return wrong(
        D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTARTCOMPONENTANDCOMPONENTCOUNT,
        fmt::format("expected components within 4, found {} from {} on", entry.ComponentCount, entry.StartComponent));
  }
  if (last == nullptr || !last->has_outputs) return {};
  for (const SignatureElement& output : last->outputs) {
    const bool same = output.index == entry.SemanticIndex && output.stream == entry.Stream &&
                      same_semantic(output.name, entry.SemanticName);
    if (same) return {};
  }
  return wrong(D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_MISSINGSEMANTIC,
               fmt::format("expected an output of semantic {}{} in stream {}, found none", entry.SemanticName,
                           entry.SemanticIndex, entry.Stream));
}

}  // namespace

MaybeProblem check_stream_output(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const D3D12_STREAM_OUTPUT_DESC& output = desc.stream_output;
  if (output.RasterizedStream >= D3D12_SO_STREAM_COUNT && output.RasterizedStream != D3D12_SO_NO_RASTERIZED_STREAM) {
    return PipelineProblem{
        D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDSTREAMTORASTERIZER,
        fmt::format("expected a rasterized stream from 0 to 3 or none, found {}", output.RasterizedStream)};
  }
  if (output.NumEntries == 0) return {};
  if (output.NumEntries > most_entries || output.pSODeclaration == nullptr) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDNUMENTRIES,
                           fmt::format("expected at most {} entries of stream output, found {}{}", most_entries,
                                       output.NumEntries, output.pSODeclaration == nullptr ? " at null" : "")};
  }
  if (output.NumStrides > D3D12_SO_BUFFER_SLOT_COUNT || (output.NumStrides > 0 && output.pBufferStrides == nullptr)) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDNUMSTRIDES,
                           fmt::format("expected at most 4 strides, found {}", output.NumStrides)};
  }
  for (UINT i = 0; i < output.NumStrides; ++i) {
    if (output.pBufferStrides[i] <= D3D12_SO_BUFFER_MAX_STRIDE_IN_BYTES && output.pBufferStrides[i] % 4 == 0) continue;
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT_INVALIDOUTPUTSTREAMSTRIDE,
                           fmt::format("stream output stride {}: expected a multiple of 4 up to 2048, found {}", i,
                                       output.pBufferStrides[i])};
  }
  const ShaderBytecode* const last = shaders.before_rasterizer();
  for (UINT i = 0; i < output.NumEntries; ++i) {
    if (auto problem = check_entry(i, output.pSODeclaration[i], last)) return problem;
  }
  return {};
}

}  // namespace fenceline::d3d12
