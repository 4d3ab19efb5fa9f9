// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/cache_lock.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <thread>

namespace fenceline {
namespace {

constexpr off_t presence = CacheLockBytes::presence;
constexpr off_t writing = CacheLockBytes::writing;
/// Others write for microseconds, or for as long as the disk takes.
constexpr std::chrono::microseconds first_pause{10};
constexpr std::chrono::microseconds longest_pause{200};

bool lock(const CacheFile& file, int command, short type, off_t byte) {
  struct flock what {};
  what.l_type = type;
  what.l_whence = SEEK_SET;
  what.l_start = byte;
  what.l_len = 1;
  int answer = 0;
  do {
    answer = ::fcntl(file.descriptor(), command, &what);
  } while (answer != 0 && errno == EINTR);
  return answer == 0;
}

}  // namespace

CacheLock CacheLock::open(const CacheDirectory& directory, const std::string& name,
                          std::chrono::milliseconds most_wait) {
  CacheLock result;
  result.most_wait_ = most_wait;
  do {
    result.file_ = CacheFile::open(directory, name);
    if (!result.file_.is_open()) return {};
    if (!result.begin_write()) return {};
    // Whoever was last here may have removed it meanwhile.
  } while (!result.named());
  return result;
}

bool CacheLock::alone() { return lock(file_, F_OFD_SETLK, F_WRLCK, presence); }
bool CacheLock::share() { return lock(file_, F_OFD_SETLK, F_RDLCK, presence); }

bool CacheLock::marked() const {
  char text = 0;
  return file_.read(0, &text, 1) == 1 && text == cache_lock_mark;
}

void CacheLock::mark(bool to_be_deleted) {
  if (to_be_deleted) {
    file_.write(0, &cache_lock_mark, 1);
  } else {
    file_.truncate(0);
  }
}

/// By asking again and again: a wait that the system does for us has no end while a process is stopped.
bool CacheLock::begin_write() {
  if (lock(file_, F_OFD_SETLK, F_WRLCK, writing)) return true;
  const auto until = std::chrono::steady_clock::now() + most_wait_;
  for (auto pause = first_pause; errno == EAGAIN || errno == EACCES; pause = std::min(2 * pause, longest_pause)) {
    if (std::chrono::steady_clock::now() >= until) {
      errno = ETIMEDOUT;
      return false;
    }
    std::this_thread::sleep_for(pause);
    if (lock(file_, F_OFD_SETLK, F_WRLCK, writing)) return true;
  }
  return false;
}

void CacheLock::end_write() { lock(file_, F_OFD_SETLK, F_UNLCK, writing); }

}  // namespace fenceline
