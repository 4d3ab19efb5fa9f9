// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/files/cache_file.hpp"
#include "shadercache/files/cache_record.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// What the check of a record that begins at `at` should be, of the key and the value behind it: read piece by piece,
/// however long they are. Empty: the file ends before they do.
std::optional<std::uint64_t> check_in_file(const CacheFile& values, const RecordHeader& record, std::uint64_t at);

}  // namespace fenceline
