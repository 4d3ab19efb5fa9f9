// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

/// Of one file.
constexpr std::size_t most_source_bytes = std::size_t{16} << 20;
/// Of a source and all files that it includes; one that is included often counts once.
constexpr std::size_t most_bytes_together = std::size_t{64} << 20;

/// A file that an #include named.
struct HlslInclude {
  std::string name;  ///< as messages call it; what it includes itself is asked for with this as `from`
  std::string text;
};
/// Finds what `#include "header"` (in_quotes) or `#include <header>` names, seen from the file `from`. Nothing: there
/// is no such file. A ConfigError is the compilation's.
using HlslIncluder =
    std::function<std::optional<HlslInclude>(const std::string& header, const std::string& from, bool in_quotes)>;

struct HlslSource {
  std::string text;
  std::string name = "shader.hlsl";  ///< as messages call it
  std::string profile;               ///< "vs_6_0", "ps_5_1"
  std::string entry = "main";
  std::vector<std::pair<std::string, std::string>> defines;  ///< macros: name, text
  HlslIncluder include;                                      ///< empty: an #include is an error
};

struct HlslResult {
  std::string code;      ///< a signed container as fenceline::d3d12::shader makes it; empty: it does not compile
  std::string messages;  ///< lines "file:line: error: text" or "file:line: warning: text"
};

}  // namespace fenceline::d3d12
