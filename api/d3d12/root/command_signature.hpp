// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/root/root_signature.hpp"
#include "api/d3d12/root/root_values.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

/// ID3D12CommandSignature: what ExecuteIndirect finds in its argument buffer. Keeps its root signature alive.
class CommandSignature final
    : public DeviceChild<Face<ID3D12CommandSignature, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  CommandSignature(DeviceCore& device, std::uint32_t stride, std::uint32_t arguments_bytes,
                   std::uint32_t operation_offset, UINT operations, D3D12_INDIRECT_ARGUMENT_TYPE operation,
                   std::vector<IndirectConstants::Argument> constants, RootSignature* root_signature)
      : DeviceChild(device),
        stride_(stride),
        arguments_bytes_(arguments_bytes),
        operation_offset_(operation_offset),
        operations_(operations),
        operation_(operation),
        constants_(std::move(constants)),
        root_signature_(root_signature) {}

  std::uint32_t stride() const { return stride_; }
  /// Of one command, at most the stride.
  std::uint32_t arguments_bytes() const { return arguments_bytes_; }
  /// Where the draw's or dispatch's own arguments begin.
  std::uint32_t operation_offset() const { return operation_offset_; }
  /// Arguments in all: state that changes, and the draw or dispatch.
  UINT operations() const { return operations_; }
  /// DRAW, DRAW_INDEXED, DISPATCH or DISPATCH_MESH.
  D3D12_INDIRECT_ARGUMENT_TYPE operation() const { return operation_; }
  /// Root constants that arguments set.
  const std::vector<IndirectConstants::Argument>& constants() const { return constants_; }

 private:
  ~CommandSignature() override = default;
  std::uint32_t stride_;
  std::uint32_t arguments_bytes_;
  std::uint32_t operation_offset_;
  UINT operations_;
  D3D12_INDIRECT_ARGUMENT_TYPE operation_;
  std::vector<IndirectConstants::Argument> constants_;
  Held<RootSignature> root_signature_;  // null: it changes no root parameters
};

HRESULT create_command_signature(DeviceCore& device, const D3D12_COMMAND_SIGNATURE_DESC* desc,
                                 ID3D12RootSignature* root_signature, REFIID iid, void** signature);

}  // namespace fenceline::d3d12
