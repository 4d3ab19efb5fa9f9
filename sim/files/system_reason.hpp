// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <system_error>

namespace fenceline {

/// What an errno says.
inline std::error_code system_reason(int reason) { return {reason, std::generic_category()}; }

}  // namespace fenceline
