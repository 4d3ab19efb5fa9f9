// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fenceline::cli {

/// What is wrong with a seed: a whole number. Empty: nothing.
std::string refuse_seed(const std::string& text);

}  // namespace fenceline::cli
