// SPDX-License-Identifier: Apache-2.0
// A mapping's handle is another descriptor of its file.
#include "api/windows_compat/files/descriptor.hpp"
#include "api/windows_compat/files/file.hpp"
#include "api/windows_compat/system_error.hpp"
#include "sim/files/dropped_signal.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <mutex>

using fenceline::windows_compat::descriptor_of;
using fenceline::windows_compat::fail_with;
using fenceline::windows_compat::fail_with_errno;
using fenceline::windows_compat::handle_of;

namespace {

/// Sizes of the views: Windows asks for none when one is to go.
class Views {
 public:
  void add(const void* view, std::size_t bytes) {
    const std::lock_guard<std::mutex> held(mutex_);
    bytes_[view] = bytes;
  }
  /// 0: no view begins there.
  std::size_t bytes(const void* view) {
    const std::lock_guard<std::mutex> held(mutex_);
    const auto found = bytes_.find(view);
    return found != bytes_.end() ? found->second : 0;
  }
  std::size_t remove(const void* view) {
    const std::lock_guard<std::mutex> held(mutex_);
    const auto found = bytes_.find(view);
    if (found == bytes_.end()) return 0;
    const std::size_t size = found->second;
    bytes_.erase(found);
    return size;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, std::size_t> bytes_;
};

Views& views() {
  static auto* const all = new Views;  // threads may outlive static objects
  return *all;
}

off_t together(DWORD high, DWORD low) { return static_cast<off_t>(static_cast<std::uint64_t>(high) << 32 | low); }

}  // namespace

HANDLE CreateFileMappingW(HANDLE file, LPSECURITY_ATTRIBUTES, DWORD protection, DWORD size_high, DWORD size_low,
                          LPCWSTR) {
  const off_t wanted = together(size_high, size_low);
  const bool memory = file == INVALID_HANDLE_VALUE;
  const int mapped =
      memory ? memfd_create("fenceline", MFD_CLOEXEC) : fcntl(descriptor_of(file), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  struct stat status {};
  if (mapped < 0 || fstat(mapped, &status) != 0) {
    fail_with_errno();
    return nullptr;
  }
  const bool grows = wanted > status.st_size;
  const fenceline::DroppedSignal too_long(SIGXFSZ);  // beyond `ulimit -f` growing fails
  DWORD error = ERROR_SUCCESS;
  if (wanted == 0 && status.st_size == 0) {
    error = ERROR_INVALID_PARAMETER;  // an empty file cannot be mapped
  } else if (grows && protection != PAGE_READWRITE) {
    error = ERROR_NOT_ENOUGH_MEMORY;
  } else if (grows && ftruncate(mapped, wanted) != 0) {
    error = ERROR_DISK_FULL;
  }
  SetLastError(error);
  if (error == ERROR_SUCCESS) return handle_of(mapped);
  close(mapped);
  return nullptr;
}

LPVOID MapViewOfFile(HANDLE mapping, DWORD access, DWORD offset_high, DWORD offset_low, SIZE_T bytes) {
  const off_t offset = together(offset_high, offset_low);
  struct stat status {};
  if (fstat(descriptor_of(mapping), &status) != 0 || offset > status.st_size) {
    fail_with(ERROR_INVALID_PARAMETER);
    return nullptr;
  }
  const std::size_t size = bytes != 0 ? bytes : static_cast<std::size_t>(status.st_size - offset);
  const bool copies = access == FILE_MAP_COPY;
  const bool writes = copies || (access & FILE_MAP_WRITE) != 0;
  void* const view = mmap(nullptr, size, writes ? PROT_READ | PROT_WRITE : PROT_READ, copies ? MAP_PRIVATE : MAP_SHARED,
                          descriptor_of(mapping), offset);
  if (view == MAP_FAILED) {
    fail_with_errno();
    return nullptr;
  }
  views().add(view, size);
  return view;
}

BOOL FlushViewOfFile(LPCVOID view, SIZE_T bytes) {
  const std::size_t size = bytes != 0 ? bytes : views().bytes(view);
  return msync(const_cast<void*>(view), size, MS_SYNC) == 0 ? TRUE : fail_with_errno();
}

BOOL UnmapViewOfFile(LPCVOID view) {
  const std::size_t size = views().remove(view);
  if (size == 0) return fail_with(ERROR_INVALID_PARAMETER);
  return munmap(const_cast<void*>(view), size) == 0 ? TRUE : fail_with_errno();
}
