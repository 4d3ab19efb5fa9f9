// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fenceline::cli {

/// What code takes, puts out and costs, as lines of text.
std::string shader_summary(const std::string& code, const std::string& profile, const std::string& entry);

}  // namespace fenceline::cli
