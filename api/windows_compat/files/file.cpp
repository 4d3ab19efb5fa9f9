// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/files/file.hpp"

#include "api/windows_compat/files/descriptor.hpp"
#include "api/windows_compat/path.hpp"
#include "api/windows_compat/system_error.hpp"
#include "sim/files/dropped_signal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

using fenceline::windows_compat::descriptor_of;
using fenceline::windows_compat::fail_with;
using fenceline::windows_compat::fail_with_errno;
using fenceline::windows_compat::handle_of;
using fenceline::windows_compat::host_path;
using fenceline::windows_compat::widen;

namespace {

/// open(2)'s flags; -1 for a disposition that there is not.
int open_flags(DWORD access, DWORD disposition) {
  const bool reads = (access & (GENERIC_READ | GENERIC_ALL)) != 0;
  const bool writes = (access & (GENERIC_WRITE | GENERIC_ALL)) != 0;
  const int way = (!writes ? O_RDONLY : reads ? O_RDWR : O_WRONLY) | O_CLOEXEC;
  switch (disposition) {
    case CREATE_NEW: return way | O_CREAT | O_EXCL;
    case CREATE_ALWAYS: return way | O_CREAT | O_TRUNC;
    case OPEN_EXISTING: return way;
    case OPEN_ALWAYS: return way | O_CREAT;
    case TRUNCATE_EXISTING: return way | O_TRUNC;
    default: return -1;
  }
}

/// As many bytes as there are, or -1: `transfer` may do less than it is asked for.
template <class Transfer>
ssize_t transfer_all(DWORD bytes, Transfer transfer) {
  DWORD done = 0;
  while (done < bytes) {
    const ssize_t more = transfer(done, bytes - done);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return -1;
    if (more == 0) break;
    done += static_cast<DWORD>(more);
  }
  return done;
}

}  // namespace

HANDLE CreateFileW(LPCWSTR name, DWORD access, DWORD, LPSECURITY_ATTRIBUTES, DWORD disposition, DWORD, HANDLE) {
  const int flags = open_flags(access, disposition);
  if (name == nullptr || flags < 0) {
    fail_with(ERROR_INVALID_PARAMETER);
    return INVALID_HANDLE_VALUE;
  }
  const std::string path = host_path(name);
  const bool was_there = ::access(path.c_str(), F_OK) == 0;
  constexpr mode_t everybody = 0666;
  const int file = open(path.c_str(), flags, everybody);
  if (file < 0) {
    fail_with_errno();
    return INVALID_HANDLE_VALUE;
  }
  SetLastError(was_there && (disposition == CREATE_ALWAYS || disposition == OPEN_ALWAYS) ? ERROR_ALREADY_EXISTS
                                                                                         : ERROR_SUCCESS);
  return handle_of(file);
}

HANDLE CreateFileA(LPCSTR name, DWORD access, DWORD sharing, LPSECURITY_ATTRIBUTES attributes, DWORD disposition,
                   DWORD flags, HANDLE pattern) {
  const std::wstring wide = widen(name != nullptr ? name : "");
  return CreateFileW(wide.c_str(), access, sharing, attributes, disposition, flags, pattern);
}

HANDLE CreateFile2(LPCWSTR name, DWORD access, DWORD sharing, DWORD disposition, LPCREATEFILE2_EXTENDED_PARAMETERS) {
  return CreateFileW(name, access, sharing, nullptr, disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
}

BOOL ReadFile(HANDLE file, LPVOID buffer, DWORD bytes, LPDWORD bytes_read, LPOVERLAPPED overlapped) {
  if (bytes_read != nullptr) *bytes_read = 0;
  if (overlapped != nullptr) return fail_with(ERROR_INVALID_PARAMETER);
  const ssize_t done = transfer_all(
      bytes, [&](DWORD at, DWORD rest) { return read(descriptor_of(file), static_cast<char*>(buffer) + at, rest); });
  if (done < 0) return fail_with_errno();
  if (bytes_read != nullptr) *bytes_read = static_cast<DWORD>(done);
  return TRUE;
}

BOOL WriteFile(HANDLE file, LPCVOID buffer, DWORD bytes, LPDWORD bytes_written, LPOVERLAPPED overlapped) {
  if (bytes_written != nullptr) *bytes_written = 0;
  if (overlapped != nullptr) return fail_with(ERROR_INVALID_PARAMETER);
  // Beyond `ulimit -f` it fails as on a full disk.
  const fenceline::DroppedSignal too_long(SIGXFSZ);
  const ssize_t done = transfer_all(bytes, [&](DWORD at, DWORD rest) {
    return write(descriptor_of(file), static_cast<const char*>(buffer) + at, rest);
  });
  if (done < 0) return fail_with_errno();
  if (bytes_written != nullptr) *bytes_written = static_cast<DWORD>(done);
  return TRUE;
}

BOOL SetFilePointerEx(HANDLE file, LARGE_INTEGER distance, PLARGE_INTEGER new_place, DWORD method) {
  if (method > FILE_END) return fail_with(ERROR_INVALID_PARAMETER);
  const int whence = method == FILE_BEGIN ? SEEK_SET : method == FILE_CURRENT ? SEEK_CUR : SEEK_END;
  const off_t place = lseek(descriptor_of(file), distance.QuadPart, whence);
  if (place < 0) return fail_with_errno();
  if (new_place != nullptr) new_place->QuadPart = place;
  return TRUE;
}

BOOL FlushFileBuffers(HANDLE file) { return fsync(descriptor_of(file)) == 0 ? TRUE : fail_with_errno(); }

BOOL GetFileSizeEx(HANDLE file, PLARGE_INTEGER bytes) {
  struct stat status {};
  if (fstat(descriptor_of(file), &status) != 0) return fail_with_errno();
  bytes->QuadPart = status.st_size;
  return TRUE;
}

DWORD GetFileSize(HANDLE file, LPDWORD high) {
  LARGE_INTEGER bytes{};
  if (!GetFileSizeEx(file, &bytes)) return INVALID_FILE_SIZE;
  if (high != nullptr) *high = static_cast<DWORD>(bytes.HighPart);
  SetLastError(ERROR_SUCCESS);
  return bytes.LowPart;
}

BOOL GetFileInformationByHandleEx(HANDLE file, FILE_INFO_BY_HANDLE_CLASS what, LPVOID information, DWORD bytes) {
  if (what != FileStandardInfo) return fail_with(ERROR_NOT_SUPPORTED);
  if (information == nullptr || bytes < sizeof(FILE_STANDARD_INFO)) return fail_with(ERROR_INVALID_PARAMETER);
  struct stat status {};
  if (fstat(descriptor_of(file), &status) != 0) return fail_with_errno();
  FILE_STANDARD_INFO found{};
  constexpr off_t bytes_per_block = 512;  // stat(2)
  found.AllocationSize.QuadPart = status.st_blocks * bytes_per_block;
  found.EndOfFile.QuadPart = status.st_size;
  found.NumberOfLinks = static_cast<DWORD>(status.st_nlink);
  found.Directory = S_ISDIR(status.st_mode) ? 1 : 0;
  *static_cast<FILE_STANDARD_INFO*>(information) = found;
  return TRUE;
}

DWORD GetFileAttributesW(LPCWSTR name) {
  struct stat status {};
  if (stat(host_path(name).c_str(), &status) != 0) {
    fail_with_errno();
    return INVALID_FILE_ATTRIBUTES;
  }
  return S_ISDIR(status.st_mode) ? FILE_ATTRIBUTE_DIRECTORY : FILE_ATTRIBUTE_NORMAL;
}

BOOL DeleteFileW(LPCWSTR name) { return unlink(host_path(name).c_str()) == 0 ? TRUE : fail_with_errno(); }

BOOL CreateDirectoryW(LPCWSTR name, LPSECURITY_ATTRIBUTES) {
  constexpr mode_t everybody = 0777;
  if (mkdir(host_path(name).c_str(), everybody) == 0) return TRUE;
  return errno == EEXIST ? fail_with(ERROR_ALREADY_EXISTS) : fail_with_errno();
}
