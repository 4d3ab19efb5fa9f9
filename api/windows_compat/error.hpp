// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that Windows' headers have

// The calling thread's last error.
#include "api/windows_compat/types.hpp"

#define NO_ERROR 0
#define ERROR_SUCCESS 0
#define ERROR_INVALID_FUNCTION 1
#define ERROR_FILE_NOT_FOUND 2
#define ERROR_PATH_NOT_FOUND 3
#define ERROR_TOO_MANY_OPEN_FILES 4
#define ERROR_ACCESS_DENIED 5
#define ERROR_INVALID_HANDLE 6
#define ERROR_NOT_ENOUGH_MEMORY 8
#define ERROR_NO_MORE_FILES 18
#define ERROR_GEN_FAILURE 31
#define ERROR_HANDLE_EOF 38
#define ERROR_NOT_SUPPORTED 50
#define ERROR_FILE_EXISTS 80
#define ERROR_INVALID_PARAMETER 87
#define ERROR_DISK_FULL 112
#define ERROR_INSUFFICIENT_BUFFER 122
#define ERROR_MOD_NOT_FOUND 126
#define ERROR_PROC_NOT_FOUND 127
#define ERROR_ALREADY_EXISTS 183
#define ERROR_NOT_OWNER 288
#define ERROR_INVALID_WINDOW_HANDLE 1400
#define ERROR_CANNOT_FIND_WND_CLASS 1407
#define ERROR_CLASS_ALREADY_EXISTS 1410
#define ERROR_TIMEOUT 1460

#define FACILITY_WIN32 7
#define HRESULT_FROM_WIN32(error) \
  ((HRESULT)(error) <= 0 ? (HRESULT)(error) : (HRESULT)(((error)&0xffff) | (FACILITY_WIN32 << 16) | 0x80000000U))
#define HRESULT_CODE(result) ((result)&0xffff)
#define HRESULT_FACILITY(result) (((result) >> 16) & 0x1fff)
#define MAKE_HRESULT(severity, facility, code) \
  ((HRESULT)(((uint32_t)(severity) << 31) | ((uint32_t)(facility) << 16) | ((uint32_t)(code))))

#ifdef __cplusplus
extern "C" {
#endif

DWORD GetLastError(void);
void SetLastError(DWORD error);

#ifdef __cplusplus
}
#endif
