// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/compare/document_difference.hpp"

#include <filesystem>
#include <vector>

namespace fenceline {

/// Of two runs' frames.csv, the frames that came on screen at another time: "/SWAP_CHAIN/frame N/on_screen_ps", in the
/// order of their numbers, null where one was never shown. None where one of the files is not there. Throws ConfigError
/// where one is no frames.csv.
std::vector<ValueDifference> frame_differences(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace fenceline
