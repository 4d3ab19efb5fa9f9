// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/files/file.hpp"
#include "api/windows_compat/path.hpp"
#include "api/windows_compat/system_error.hpp"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cwchar>
#include <memory>
#include <string>
#include <vector>

using fenceline::windows_compat::fail_with;
using fenceline::windows_compat::host_path;
using fenceline::windows_compat::widen;

namespace {

/// What FindFirstFile's handle points to.
struct Search {
  std::vector<std::string> found;
  std::size_t next = 0;
};

std::vector<std::string> files_like(const std::string& pattern) {
  glob_t names{};
  std::vector<std::string> found;
  if (glob(pattern.c_str(), 0, nullptr, &names) == 0) found.assign(names.gl_pathv, names.gl_pathv + names.gl_pathc);
  globfree(&names);
  return found;
}

bool tell_next(Search& search, LPWIN32_FIND_DATAW data) {
  if (search.next == search.found.size()) return false;
  const std::string& path = search.found[search.next++];
  struct stat status {};
  stat(path.c_str(), &status);
  *data = {};
  data->dwFileAttributes = S_ISDIR(status.st_mode) ? FILE_ATTRIBUTE_DIRECTORY : FILE_ATTRIBUTE_NORMAL;
  data->nFileSizeHigh = static_cast<DWORD>(static_cast<std::uint64_t>(status.st_size) >> 32);
  data->nFileSizeLow = static_cast<DWORD>(status.st_size);
  const std::wstring name = widen(path.substr(path.rfind('/') + 1));
  std::wcsncpy(data->cFileName, name.c_str(), MAX_PATH - 1);
  return true;
}

}  // namespace

HANDLE FindFirstFileW(LPCWSTR name, LPWIN32_FIND_DATAW data) {
  auto search = std::make_unique<Search>();
  search->found = files_like(host_path(name));
  if (tell_next(*search, data)) return search.release();
  fail_with(ERROR_FILE_NOT_FOUND);
  return INVALID_HANDLE_VALUE;
}

HANDLE FindFirstFileExW(LPCWSTR name, FINDEX_INFO_LEVELS, LPVOID data, FINDEX_SEARCH_OPS, LPVOID, DWORD) {
  return FindFirstFileW(name, static_cast<LPWIN32_FIND_DATAW>(data));
}

BOOL FindNextFileW(HANDLE search, LPWIN32_FIND_DATAW data) {
  return tell_next(*static_cast<Search*>(search), data) ? TRUE : fail_with(ERROR_NO_MORE_FILES);
}

BOOL FindClose(HANDLE search) {
  if (search == nullptr || search == INVALID_HANDLE_VALUE) return fail_with(ERROR_INVALID_HANDLE);
  delete static_cast<Search*>(search);
  return TRUE;
}
