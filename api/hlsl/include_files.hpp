// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/hlsl/hlsl_compiler.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// A path of Windows as one of this system: `\` is a separator, too.
std::string with_slashes(std::string path);

/// The text of a file; nothing for what is none. `\` in the path is a separator, too. A ConfigError names a file that
/// cannot be read or is longer than most_source_bytes.
std::optional<std::string> read_source(const std::string& path);

/// Looks for included files beside the file that names them (in quotes), then in each of the directories. Their names
/// in messages are the paths under which they were found.
HlslIncluder include_files(std::vector<std::string> directories);

}  // namespace fenceline::d3d12
