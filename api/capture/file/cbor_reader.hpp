// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fenceline {

/// What a document may be.
struct CborLimits {
  std::size_t depth;      ///< containers in containers
  std::uint64_t& values;  ///< that there may still be, in this document and others
};

/// The document in the CBOR that nlohmann::json writes of what JSON can say: lengths in front, keys that are texts,
/// each once in its map, valid UTF-8, finite numbers, no tags and no byte strings. Anything else calls `refuse`, which
/// throws. (nlohmann's own reader goes as deep as the bytes say, and takes what JSON has no words for.)
nlohmann::json read_cbor(std::string_view bytes, const CborLimits& limits,
                         const std::function<void(const std::string& expected, const std::string& found)>& refuse);

}  // namespace fenceline
