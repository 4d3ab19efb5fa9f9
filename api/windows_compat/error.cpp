// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/error.hpp"

#include "api/windows_compat/system_error.hpp"

#include <cerrno>

static thread_local DWORD last_error = ERROR_SUCCESS;

DWORD GetLastError() { return last_error; }

void SetLastError(DWORD error) { last_error = error; }

namespace fenceline::windows_compat {

DWORD error_of(int number) {
  switch (number) {
    case 0: return ERROR_SUCCESS;
    case ENOENT: return ERROR_FILE_NOT_FOUND;
    case ENOTDIR: return ERROR_PATH_NOT_FOUND;
    case EMFILE:
    case ENFILE: return ERROR_TOO_MANY_OPEN_FILES;
    case EACCES:
    case EISDIR:
    case EROFS:
    case EPERM: return ERROR_ACCESS_DENIED;
    case EBADF: return ERROR_INVALID_HANDLE;
    case ENOMEM: return ERROR_NOT_ENOUGH_MEMORY;
    case ENOSPC:
    case EFBIG: return ERROR_DISK_FULL;
    case EEXIST: return ERROR_FILE_EXISTS;
    case EINVAL: return ERROR_INVALID_PARAMETER;
    default: return ERROR_GEN_FAILURE;
  }
}

BOOL fail_with(DWORD error) {
  last_error = error;
  return FALSE;
}

BOOL fail_with_errno() { return fail_with(error_of(errno)); }

}  // namespace fenceline::windows_compat
