// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline::cli {

/// What `fenceline shader` was asked for, in the words of dxc's options.
struct ShaderArguments {
  std::string source;
  std::string profile;                                       ///< -T
  std::string entry;                                         ///< -E; "main"
  std::string object_file;                                   ///< -Fo
  std::string header_file;                                   ///< -Fh
  std::string variable;                                      ///< -Vn; "g_" and the entry's name
  std::vector<std::pair<std::string, std::string>> defines;  ///< -D
  std::vector<std::string> include_directories;              ///< -I
  bool warnings_are_errors = false;                          ///< -WX
  bool help = false;
};

/// Reads dxc's command line: values stand in an argument of their own or right behind the option. Options that change
/// nothing here are taken (-O3, -Zi, -HV 2021, ...). A text says what is wrong.
std::variant<ShaderArguments, std::string> parse_shader_arguments(const std::vector<std::string>& arguments);

/// As `fenceline shader -help` prints it.
std::string shader_help();

}  // namespace fenceline::cli
