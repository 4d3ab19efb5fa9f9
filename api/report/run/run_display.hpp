// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace fenceline {

class Display;

/// What the swap chains have shown, for report.json: frames, missed vertical blanks, and the times from one frame to
/// the next on screen.
nlohmann::ordered_json json_of(const Display& display);

}  // namespace fenceline
