// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string_view>

namespace fenceline {

/// Outputs that are asked for by name, as `--KEY` of `fenceline run` does; `outputs` (outputs.hpp) has all there are.
using OutputKeys = std::set<std::string_view>;

}  // namespace fenceline
