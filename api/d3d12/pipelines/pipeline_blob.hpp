// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "api/machine_config.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace fenceline::d3d12 {

// Bytes in which a program keeps pipeline states from run to run. Both forms begin with a tag, a hash of all that
// follows, their size, the driver's version and the adapter: bytes that somebody changed, another driver's and another
// adapter's are told apart from each other.

/// By whom a blob was made.
struct BlobOrigin {
  std::uint64_t driver = 0;
  DxbcHash adapter{};
};
/// The machine and this version of the driver. An adapter is the same one when its GPU is: name, nodes, shader array
/// and memory; how fast the host calls does not count.
BlobOrigin blob_origin(const MachineConfig& machine);

/// Why a blob is of no use: E_INVALIDARG, D3D12_ERROR_DRIVER_VERSION_MISMATCH or D3D12_ERROR_ADAPTER_NOT_FOUND.
struct BlobRefusal {
  HRESULT result = E_INVALIDARG;
  std::string text;
};

/// The cached blob of one pipeline state.
std::string write_cached_pipeline(const BlobOrigin& origin, const DxbcHash& pipeline);
/// The hash of the pipeline state that the blob was made of.
std::variant<DxbcHash, BlobRefusal> read_cached_pipeline(std::string_view bytes, const BlobOrigin& origin);

/// The pipeline states of a library: their hashes by name.
using PipelineNames = std::map<std::wstring, DxbcHash>;
std::string write_pipeline_library(const BlobOrigin& origin, const PipelineNames& names);
/// What write_pipeline_library will give, in bytes.
std::size_t pipeline_library_bytes(const PipelineNames& names);
std::variant<PipelineNames, BlobRefusal> read_pipeline_library(std::string_view bytes, const BlobOrigin& origin);

}  // namespace fenceline::d3d12
