// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/lock_probe.hpp"

#include "shadercache/files/cache_lock.hpp"

#include <fcntl.h>

#include <cerrno>
#include <thread>

namespace fenceline {
namespace {

constexpr std::chrono::milliseconds between_tries{1};

struct flock lock_of(short type, std::int64_t byte) {
  struct flock what {};
  what.l_type = type;
  what.l_whence = SEEK_SET;
  what.l_start = byte;
  what.l_len = 1;
  return what;
}

}  // namespace

LockProbe::LockProbe(const CacheDirectory& directory, const std::string& name)
    : file_(CacheFile::open_to_read(directory, name)) {}

std::optional<bool> LockProbe::in_use() const {
  struct flock what = lock_of(F_WRLCK, CacheLockBytes::presence);
  if (!file_.is_open() || ::fcntl(file_.descriptor(), F_OFD_GETLK, &what) != 0) return std::nullopt;
  return what.l_type != F_UNLCK;
}

bool LockProbe::marked() const {
  char text = 0;
  return file_.is_open() && file_.read(0, &text, 1) == 1 && text == cache_lock_mark;
}

bool LockProbe::hold(std::chrono::milliseconds at_most) {
  if (!file_.is_open()) return false;
  const auto until = std::chrono::steady_clock::now() + at_most;
  while (true) {
    struct flock what = lock_of(F_RDLCK, CacheLockBytes::writing);
    if (::fcntl(file_.descriptor(), F_OFD_SETLK, &what) == 0) return true;
    if (errno != EAGAIN && errno != EACCES && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(between_tries);
  }
}

void LockProbe::release() {
  struct flock what = lock_of(F_UNLCK, CacheLockBytes::writing);
  if (file_.is_open()) ::fcntl(file_.descriptor(), F_OFD_SETLK, &what);
}

}  // namespace fenceline
