// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/include_files.hpp"

#include "sim/files/input_file.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace fenceline::d3d12 {

namespace fs = std::filesystem;

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

std::optional<std::string> read_source(const std::string& path) {
  const fs::path file = with_slashes(path);
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return {};
  return read_input(file, most_source_bytes);
}

HlslIncluder include_files(std::vector<std::string> directories) {
  return [directories = std::move(directories)](const std::string& header, const std::string& from,
                                                bool in_quotes) -> std::optional<HlslInclude> {
    std::vector<fs::path> places;
    if (in_quotes) places.push_back(fs::path(with_slashes(from)).parent_path());
    for (const std::string& directory : directories) places.emplace_back(with_slashes(directory));
    for (const fs::path& place : places) {
      const std::string path = (place / with_slashes(header)).generic_string();
      if (auto text = read_source(path)) return HlslInclude{path, std::move(*text)};
    }
    return {};
  };
}

}  // namespace fenceline::d3d12
