// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace fenceline::testing {

// Known to one file alone (main.cpp), so that the others are the same in every clone.

/// The tree that the tests are of.
const std::filesystem::path& source_directory();
/// The `fenceline` that was built with them.
const std::string& fenceline_binary();

}  // namespace fenceline::testing
