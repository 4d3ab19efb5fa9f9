// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace fenceline {

/// A GUID, its bytes in the order in which its text has them.
struct CacheIdentifier {
  std::array<std::uint8_t, 16> bytes{};  ///< all 0: GUID_NULL
  /// "28e2495d-0f64-4ae4-a6ec-129255dc49a8".
  std::string text() const;
  bool operator==(const CacheIdentifier& other) const { return bytes == other.bytes; }  ///< the same one
};

/// D3D12_SHADER_CACHE_MODE.
enum class CacheMode : std::uint8_t {
  memory,  ///< gone with its last session
  disk,    ///< in files
};

/// Of a disk cache's file of values, at most: as a fork of Wine has it, not verified on Windows.
constexpr std::uint32_t most_cache_file_bytes = 1U << 30;

/// D3D12_SHADER_CACHE_SESSION_DESC.
struct CacheDescription {
  CacheIdentifier identifier;          ///< not GUID_NULL
  CacheMode mode = CacheMode::memory;  ///< where entries are
  bool driver_versioned = false;       ///< one for each adapter, and the driver's version is part of the version
  bool use_working_directory = false;  ///< files are in the directory that is current when it is opened
  std::uint32_t memory_bytes = 0;      ///< keys and values in memory; 0: 1024
  std::uint32_t memory_entries = 0;    ///< in memory; 0: 128
  std::uint32_t file_bytes = 0;        ///< of the file of values; 0: 128 MiB; at most 1 GiB
  std::uint64_t version = 0;           ///< a disk cache of another one is cleared
};

/// With what zeros stand for.
CacheDescription resolved(const CacheDescription& description);

/// What no session is created for, after "expected": "a file of at most 1073741824 bytes, found 1073741825"; empty: one
/// is.
std::string refusal_of(const CacheDescription& description);

/// What DRIVER_VERSIONED caches are told apart by.
struct CacheDriver {
  std::string adapter;        ///< any name
  std::uint64_t version = 0;  ///< of the driver
};

}  // namespace fenceline
