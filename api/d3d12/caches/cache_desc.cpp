// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/caches/cache_desc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace fenceline::d3d12 {
namespace {

/// In the order of its text: the first three parts as numbers.
CacheIdentifier identifier_of(const GUID& id) {
  CacheIdentifier result;
  for (std::size_t i = 0; i < 4; ++i) result.bytes[i] = static_cast<std::uint8_t>(id.Data1 >> (24 - 8 * i));
  for (std::size_t i = 0; i < 2; ++i) {
    result.bytes[4 + i] = static_cast<std::uint8_t>(id.Data2 >> (8 - 8 * i));
    result.bytes[6 + i] = static_cast<std::uint8_t>(id.Data3 >> (8 - 8 * i));
  }
  std::copy(std::begin(id.Data4), std::end(id.Data4), result.bytes.begin() + 8);
  return result;
}

GUID guid_of(const CacheIdentifier& id) {
  GUID result{};
  for (std::size_t i = 0; i < 4; ++i) result.Data1 = result.Data1 << 8 | id.bytes[i];
  result.Data2 = static_cast<unsigned short>(id.bytes[4] << 8 | id.bytes[5]);
  result.Data3 = static_cast<unsigned short>(id.bytes[6] << 8 | id.bytes[7]);
  std::copy(id.bytes.begin() + 8, id.bytes.end(), std::begin(result.Data4));
  return result;
}

}  // namespace

CacheDescription description_of(const D3D12_SHADER_CACHE_SESSION_DESC& desc) {
  CacheDescription result;
  result.identifier = identifier_of(desc.Identifier);
  result.mode = desc.Mode == D3D12_SHADER_CACHE_MODE_DISK ? CacheMode::disk : CacheMode::memory;
  result.driver_versioned = (desc.Flags & D3D12_SHADER_CACHE_FLAG_DRIVER_VERSIONED) != 0;
  result.use_working_directory = (desc.Flags & D3D12_SHADER_CACHE_FLAG_USE_WORKING_DIR) != 0;
  result.memory_bytes = desc.MaximumInMemoryCacheSizeBytes;
  result.memory_entries = desc.MaximumInMemoryCacheEntries;
  result.file_bytes = desc.MaximumValueFileSizeBytes;
  result.version = desc.Version;
  return result;
}

D3D12_SHADER_CACHE_SESSION_DESC desc_of(const CacheDescription& description) {
  D3D12_SHADER_CACHE_SESSION_DESC result{};
  result.Identifier = guid_of(description.identifier);
  result.Mode = description.mode == CacheMode::disk ? D3D12_SHADER_CACHE_MODE_DISK : D3D12_SHADER_CACHE_MODE_MEMORY;
  if (description.driver_versioned) result.Flags |= D3D12_SHADER_CACHE_FLAG_DRIVER_VERSIONED;
  if (description.use_working_directory) result.Flags |= D3D12_SHADER_CACHE_FLAG_USE_WORKING_DIR;
  result.MaximumInMemoryCacheSizeBytes = description.memory_bytes;
  result.MaximumInMemoryCacheEntries = description.memory_entries;
  result.MaximumValueFileSizeBytes = description.file_bytes;
  result.Version = description.version;
  return result;
}

std::string refusal_of(const D3D12_SHADER_CACHE_SESSION_DESC* desc) {
  constexpr auto known = D3D12_SHADER_CACHE_FLAG_DRIVER_VERSIONED | D3D12_SHADER_CACHE_FLAG_USE_WORKING_DIR;
  if (desc == nullptr) return "a description, found null";
  if (desc->Mode != D3D12_SHADER_CACHE_MODE_MEMORY && desc->Mode != D3D12_SHADER_CACHE_MODE_DISK) {
    return fmt::format("a mode of 0 or 1, found {}", static_cast<int>(desc->Mode));
  }
  if ((desc->Flags & ~known) != 0) return fmt::format("flags of 0 to 3, found {}", static_cast<int>(desc->Flags));
  return fenceline::refusal_of(description_of(*desc));
}

HRESULT result_of(CacheStatus status) {
  switch (status) {
    case CacheStatus::ok: return S_OK;
    case CacheStatus::invalid_argument: return E_INVALIDARG;
    case CacheStatus::not_found: return DXGI_ERROR_NOT_FOUND;
    case CacheStatus::more_data: return DXGI_ERROR_MORE_DATA;
    case CacheStatus::already_exists: return DXGI_ERROR_ALREADY_EXISTS;
    case CacheStatus::hash_collision: return DXGI_ERROR_CACHE_HASH_COLLISION;
    case CacheStatus::full: return DXGI_ERROR_CACHE_FULL;
    case CacheStatus::disabled:
    case CacheStatus::unavailable: return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
    case CacheStatus::corrupt: return DXGI_ERROR_CACHE_CORRUPT;
  }
  return E_FAIL;
}

}  // namespace fenceline::d3d12
