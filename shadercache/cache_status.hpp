// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// How a call to a shader cache went. In brackets what D3D12 returns for it.
enum class CacheStatus : std::uint8_t {
  ok,                ///< S_OK
  invalid_argument,  ///< E_INVALIDARG
  not_found,         ///< DXGI_ERROR_NOT_FOUND: no entry has the key
  more_data,         ///< DXGI_ERROR_MORE_DATA: the value is larger than the buffer
  already_exists,    ///< DXGI_ERROR_ALREADY_EXISTS: the key has a value; or a session of another version is open
  hash_collision,    ///< DXGI_ERROR_CACHE_HASH_COLLISION: another key has the same hash
  full,              ///< DXGI_ERROR_CACHE_FULL: it would be larger than its maximum, or the disk is full
  disabled,          ///< DXGI_ERROR_NOT_CURRENTLY_AVAILABLE
  corrupt,           ///< DXGI_ERROR_CACHE_CORRUPT: it can be neither opened nor reset
  unavailable,       ///< DXGI_ERROR_NOT_CURRENTLY_AVAILABLE: another process has been writing for too long
};

}  // namespace fenceline
