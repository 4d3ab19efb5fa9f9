// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fenceline::windows_compat {

/// A command line that programs split again into those arguments: quotes around what has spaces or is empty, `\` before
/// quotes, as CommandLineToArgvW reads them.
std::string quoted(const std::vector<std::string>& arguments);
/// CommandLineToArgvW's rules: spaces and tabs part arguments outside of quotes; 2n `\` before a quote are n of them,
/// one more makes the quote a letter. The first argument is a path: no `\` counts there.
std::vector<std::wstring> arguments_of(std::wstring_view command_line);
/// This process's.
std::string command_line();

}  // namespace fenceline::windows_compat
