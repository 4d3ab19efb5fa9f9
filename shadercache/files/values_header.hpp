// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"
#include "shadercache/files/cache_record.hpp"

#include <cstdint>

namespace fenceline {

/// The beginning of .val. False: it is damaged, or no such file.
bool read_values_header(const CacheFile& values, CacheHeader& header);
bool write_values_header(CacheFile& values, const CacheHeader& header);
/// A number that no cache before had: where nothing says what era it is.
std::uint64_t some_era();

}  // namespace fenceline
