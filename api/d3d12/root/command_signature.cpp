// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/root/command_signature.hpp"

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/core/node_mask.hpp"
#include "api/d3d12/host/host.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

/// Bytes of an argument; nothing for a type that D3D12 does not know.
std::optional<std::uint64_t> bytes_of(const D3D12_INDIRECT_ARGUMENT_DESC& argument) {
  switch (argument.Type) {
    case D3D12_INDIRECT_ARGUMENT_TYPE_DRAW: return sizeof(D3D12_DRAW_ARGUMENTS);
    case D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED: return sizeof(D3D12_DRAW_INDEXED_ARGUMENTS);
    case D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH: return sizeof(D3D12_DISPATCH_ARGUMENTS);
    case D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_MESH: return sizeof(D3D12_DISPATCH_MESH_ARGUMENTS);
    case D3D12_INDIRECT_ARGUMENT_TYPE_VERTEX_BUFFER_VIEW: return sizeof(D3D12_VERTEX_BUFFER_VIEW);
    case D3D12_INDIRECT_ARGUMENT_TYPE_INDEX_BUFFER_VIEW: return sizeof(D3D12_INDEX_BUFFER_VIEW);
    case D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT: return std::uint64_t{4} * argument.Constant.Num32BitValuesToSet;
    case D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT_BUFFER_VIEW:
    case D3D12_INDIRECT_ARGUMENT_TYPE_SHADER_RESOURCE_VIEW:
    case D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW: return sizeof(D3D12_GPU_VIRTUAL_ADDRESS);
    default: return {};
  }
}

bool is_operation(D3D12_INDIRECT_ARGUMENT_TYPE type) {
  return type == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW || type == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED ||
         type == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH || type == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_RAYS ||
         type == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_MESH;
}

bool needs_root_signature(D3D12_INDIRECT_ARGUMENT_TYPE type) {
  return type >= D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT && type <= D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW;
}

}  // namespace

HRESULT create_command_signature(DeviceCore& device, const D3D12_COMMAND_SIGNATURE_DESC* desc,
                                 ID3D12RootSignature* root_signature, REFIID iid, void** signature) {
  Host::spend(device.costs().call_ps);
  if (signature != nullptr) *signature = nullptr;
  const auto refuse = [&](const std::string& text) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATECOMMANDSIGNATURE_INVALID,
                   "ID3D12Device::CreateCommandSignature: " + text);
    return E_INVALIDARG;
  };
  if (desc == nullptr || desc->pArgumentDescs == nullptr || desc->NumArgumentDescs == 0) {
    return refuse("expected arguments, found none");
  }
  std::uint64_t bytes = 0;
  std::uint64_t operation_offset = 0;
  bool rooted = false;
  std::vector<IndirectConstants::Argument> constants;
  for (UINT i = 0; i < desc->NumArgumentDescs; ++i) {
    const D3D12_INDIRECT_ARGUMENT_DESC& argument = desc->pArgumentDescs[i];
    const bool last = i + 1 == desc->NumArgumentDescs;
    if (is_operation(argument.Type) != last) {
      return refuse(fmt::format("argument {} of {}: expected one draw or dispatch, and that in the end", i,
                                desc->NumArgumentDescs));
    }
    const auto size = bytes_of(argument);
    if (!size && is_operation(argument.Type)) {
      return not_modelled("ID3D12Device::CreateCommandSignature of DISPATCH_RAYS");
    }
    if (!size) return refuse(fmt::format("argument {}: unknown type {}", i, static_cast<int>(argument.Type)));
    rooted = rooted || needs_root_signature(argument.Type);
    if (argument.Type == D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT) {
      const auto& of = argument.Constant;
      constants.push_back({of.RootParameterIndex, of.DestOffsetIn32BitValues, of.Num32BitValuesToSet,
                           static_cast<std::uint32_t>(bytes)});
    }
    operation_offset = bytes;
    bytes += *size;
  }
  if (desc->ByteStride < bytes || desc->ByteStride % 4 != 0) {
    return refuse(
        fmt::format("expected a stride of at least {} bytes and a multiple of 4, found {}", bytes, desc->ByteStride));
  }
  if (rooted != (root_signature != nullptr)) {
    return refuse(rooted ? "arguments that change root parameters need a root signature"
                         : "without arguments that change root parameters there is no root signature");
  }
  if (const HRESULT nodes = check_nodes(device, desc->NodeMask, "ID3D12Device::CreateCommandSignature");
      nodes != S_OK) {
    return nodes;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  return give_out(new CommandSignature(device, desc->ByteStride, static_cast<std::uint32_t>(bytes),
                                       static_cast<std::uint32_t>(operation_offset), desc->NumArgumentDescs,
                                       desc->pArgumentDescs[desc->NumArgumentDescs - 1].Type, std::move(constants),
                                       com_cast<RootSignature>(root_signature)),
                  iid, signature);
}

}  // namespace fenceline::d3d12
