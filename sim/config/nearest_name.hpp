// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fenceline {

/// The name that a misspelt one probably means: a few letters away, whatever the case. Empty if none is near.
std::string nearest_name(const std::string& misspelt, const std::vector<std::string>& names);

}  // namespace fenceline
