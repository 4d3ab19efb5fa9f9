// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fenceline {

/// The name that a misspelt one probably means: the one that begins with its three letters or more, else one that is a
/// few letters away, whatever the case. Empty if none is near.
std::string nearest_name(const std::string& misspelt, const std::vector<std::string>& names);

/// ` (did you mean "...?")`, for behind what was found. Empty if none is near.
std::string did_you_mean(const std::string& misspelt, const std::vector<std::string>& names);

}  // namespace fenceline
