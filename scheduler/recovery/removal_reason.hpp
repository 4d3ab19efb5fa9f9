// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// Why a process's device was removed.
enum class RemovalReason : std::uint8_t {
  hung,   ///< DXGI_ERROR_DEVICE_HUNG: a packet of its own was aborted
  reset,  ///< DXGI_ERROR_DEVICE_RESET: the adapter was, for another one's
  leak,   ///< a piece of a split list of its own leaked bindings, and was rejected
};
constexpr const char* name_of(RemovalReason reason) {
  switch (reason) {
    case RemovalReason::hung: return "device_hung";
    case RemovalReason::reset: return "device_reset";
    case RemovalReason::leak: return "binding_leak";
  }
  return "?";
}

}  // namespace fenceline
