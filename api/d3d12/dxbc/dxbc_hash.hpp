// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fenceline::d3d12 {

/// Four 32-bit numbers, as they stand at byte 4 of a container.
using DxbcHash = std::array<std::uint32_t, 4>;

/// The hash that signs a DXBC container of these bytes: MD5 of all from byte 20 on, with a padding of its own (the
/// length in bits before the rest, a quarter of it with its lowest bit set behind). The bytes of the hash itself do not
/// count. `container` has at least 20 bytes.
DxbcHash dxbc_hash(std::string_view container);

}  // namespace fenceline::d3d12
