// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fenceline::windows_compat {

/// UTF-8 of a program's wide text, and back. What is not text becomes U+FFFD.
std::string narrow(std::wstring_view text);
std::wstring widen(std::string_view text);
/// The file that a program names with `\` or `/`. As on Windows the case of letters does not count, where no file has
/// the name as it stands.
std::string host_path(std::wstring_view path);
/// With `\`, as programs look for them: they cut such paths at the last one.
std::wstring program_path(std::string_view host_path);

}  // namespace fenceline::windows_compat
