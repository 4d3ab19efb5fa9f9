// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

/// A signed container of these parts: a tag of four characters and its bytes, a multiple of four.
std::string write_dxbc(const std::vector<std::pair<std::string_view, std::string>>& parts);

}  // namespace fenceline::d3d12
