// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fenceline::windows_compat {

/// glibc's format for Microsoft's: in wide ones %s, %c, %S, %C, %hs, %hc, and %I64, %I32, %I in both.
std::wstring host_format(std::wstring_view microsofts);
std::string host_format(std::string_view microsofts);

}  // namespace fenceline::windows_compat
