/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#ifdef __cplusplus
#include <cstdint>

namespace fenceline::pix {

/// The colour of the marker that the calling thread sets next, which D3D12's methods have no parameter for: as
/// PIX_COLOR has it, or one of PIX's own; 0: none. Whoever takes the marker sets it back.
inline thread_local std::uint64_t next_color = 0;

}  // namespace fenceline::pix
#endif
