// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that Windows' headers have

// Files. A HANDLE is a file descriptor, as those of events are, and CloseHandle closes it.
#include "api/windows_compat/error.hpp"

#define INVALID_HANDLE_VALUE ((HANDLE)(LONG_PTR)-1)
#define INVALID_FILE_SIZE 0xFFFFFFFFU
#define INVALID_FILE_ATTRIBUTES 0xFFFFFFFFU
#define INVALID_SET_FILE_POINTER 0xFFFFFFFFU

#define GENERIC_READ 0x80000000U
#define GENERIC_WRITE 0x40000000U
#define FILE_SHARE_READ 0x1U
#define FILE_SHARE_WRITE 0x2U
#define FILE_SHARE_DELETE 0x4U
#define CREATE_NEW 1
#define CREATE_ALWAYS 2
#define OPEN_EXISTING 3
#define OPEN_ALWAYS 4
#define TRUNCATE_EXISTING 5
#define FILE_ATTRIBUTE_READONLY 0x1U
#define FILE_ATTRIBUTE_HIDDEN 0x2U
#define FILE_ATTRIBUTE_DIRECTORY 0x10U
#define FILE_ATTRIBUTE_NORMAL 0x80U
#define FILE_ATTRIBUTE_TEMPORARY 0x100U
#define FILE_FLAG_WRITE_THROUGH 0x80000000U
#define FILE_FLAG_OVERLAPPED 0x40000000U
#define FILE_FLAG_NO_BUFFERING 0x20000000U
#define FILE_FLAG_RANDOM_ACCESS 0x10000000U
#define FILE_FLAG_SEQUENTIAL_SCAN 0x08000000U
#define SECURITY_ANONYMOUS 0
#define SECURITY_SQOS_PRESENT 0x00100000U
#define FILE_BEGIN 0
#define FILE_CURRENT 1
#define FILE_END 2

typedef struct _OVERLAPPED OVERLAPPED, *LPOVERLAPPED;  // there is none: reads and writes end before they return
typedef struct _CREATEFILE2_EXTENDED_PARAMETERS {
  DWORD dwSize;
  DWORD dwFileAttributes;
  DWORD dwFileFlags;
  DWORD dwSecurityQosFlags;
  LPSECURITY_ATTRIBUTES lpSecurityAttributes;
  HANDLE hTemplateFile;
} CREATEFILE2_EXTENDED_PARAMETERS, *LPCREATEFILE2_EXTENDED_PARAMETERS;
typedef enum _FILE_INFO_BY_HANDLE_CLASS { FileBasicInfo = 0, FileStandardInfo = 1 } FILE_INFO_BY_HANDLE_CLASS;
typedef struct _FILE_STANDARD_INFO {
  LARGE_INTEGER AllocationSize;
  LARGE_INTEGER EndOfFile;
  DWORD NumberOfLinks;
  BYTE DeletePending;
  BYTE Directory;
} FILE_STANDARD_INFO, *PFILE_STANDARD_INFO;
typedef struct _WIN32_FIND_DATAW {
  DWORD dwFileAttributes;
  FILETIME ftCreationTime;
  FILETIME ftLastAccessTime;
  FILETIME ftLastWriteTime;
  DWORD nFileSizeHigh;
  DWORD nFileSizeLow;
  DWORD dwReserved0;
  DWORD dwReserved1;
  WCHAR cFileName[MAX_PATH];
  WCHAR cAlternateFileName[14];
} WIN32_FIND_DATAW, *LPWIN32_FIND_DATAW;
typedef enum _FINDEX_INFO_LEVELS { FindExInfoStandard = 0, FindExInfoBasic = 1 } FINDEX_INFO_LEVELS;
typedef enum _FINDEX_SEARCH_OPS { FindExSearchNameMatch = 0, FindExSearchLimitToDirectories = 1 } FINDEX_SEARCH_OPS;
#define WIN32_FIND_DATA WIN32_FIND_DATAW  // names of files are wide in all of this

#define PAGE_READONLY 0x02U
#define PAGE_READWRITE 0x04U
#define PAGE_WRITECOPY 0x08U
#define SECTION_MAP_WRITE 0x2U
#define SECTION_MAP_READ 0x4U
#define FILE_MAP_COPY 0x1U
#define FILE_MAP_WRITE SECTION_MAP_WRITE
#define FILE_MAP_READ SECTION_MAP_READ
#define FILE_MAP_ALL_ACCESS 0x000F001FU

#ifdef __cplusplus
extern "C" {
#endif

/// INVALID_HANDLE_VALUE for what cannot be opened. Attributes, flags and sharing are not looked at.
HANDLE CreateFileW(LPCWSTR name, DWORD access, DWORD sharing, LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
                   DWORD flags, HANDLE pattern);
HANDLE CreateFileA(LPCSTR name, DWORD access, DWORD sharing, LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
                   DWORD flags, HANDLE pattern);
HANDLE CreateFile2(LPCWSTR name, DWORD access, DWORD sharing, DWORD disposition,
                   LPCREATEFILE2_EXTENDED_PARAMETERS parameters);
/// `overlapped` has to be null.
BOOL ReadFile(HANDLE file, LPVOID buffer, DWORD bytes, LPDWORD bytes_read, LPOVERLAPPED overlapped);
BOOL WriteFile(HANDLE file, LPCVOID buffer, DWORD bytes, LPDWORD bytes_written, LPOVERLAPPED overlapped);
BOOL SetFilePointerEx(HANDLE file, LARGE_INTEGER distance, PLARGE_INTEGER new_place, DWORD method);
BOOL FlushFileBuffers(HANDLE file);
BOOL GetFileSizeEx(HANDLE file, PLARGE_INTEGER bytes);
DWORD GetFileSize(HANDLE file, LPDWORD high);
/// FileStandardInfo alone.
BOOL GetFileInformationByHandleEx(HANDLE file, FILE_INFO_BY_HANDLE_CLASS what, LPVOID information, DWORD bytes);
DWORD GetFileAttributesW(LPCWSTR name);
BOOL DeleteFileW(LPCWSTR name);
BOOL CreateDirectoryW(LPCWSTR name, LPSECURITY_ATTRIBUTES attributes);
/// Names may have `*` and `?`; files come in order of their names.
HANDLE FindFirstFileExW(LPCWSTR name, FINDEX_INFO_LEVELS level, LPVOID data, FINDEX_SEARCH_OPS search, LPVOID filter,
                        DWORD flags);
HANDLE FindFirstFileW(LPCWSTR name, LPWIN32_FIND_DATAW data);
BOOL FindNextFileW(HANDLE search, LPWIN32_FIND_DATAW data);
BOOL FindClose(HANDLE search);

/// A file grows to the size that is asked for. INVALID_HANDLE_VALUE as file: memory without one.
HANDLE CreateFileMappingW(HANDLE file, LPSECURITY_ATTRIBUTES attributes, DWORD protection, DWORD size_high,
                          DWORD size_low, LPCWSTR name);
LPVOID MapViewOfFile(HANDLE mapping, DWORD access, DWORD offset_high, DWORD offset_low, SIZE_T bytes);
BOOL FlushViewOfFile(LPCVOID view, SIZE_T bytes);
BOOL UnmapViewOfFile(LPCVOID view);

#ifdef __cplusplus
}
#endif

#define CreateFile FENCELINE_NARROW_OR_WIDE(CreateFile)
#define GetFileAttributes GetFileAttributesW
#define DeleteFile DeleteFileW
#define CreateDirectory CreateDirectoryW
#define FindFirstFile FindFirstFileW
#define FindFirstFileEx FindFirstFileExW
#define FindNextFile FindNextFileW
#define CreateFileMapping CreateFileMappingW
