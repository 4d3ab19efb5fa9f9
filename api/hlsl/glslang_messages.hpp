// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fenceline::d3d12 {

/// The front end's log as a compiler tells it: lines "file:12: error: text" and "file:12: warning: text", without its
/// sums and rules. What it does not place stands at `file`.
std::string compiler_messages(const std::string& log, const std::string& file);

}  // namespace fenceline::d3d12
