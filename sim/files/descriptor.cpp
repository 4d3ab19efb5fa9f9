// SPDX-License-Identifier: Apache-2.0
#include "sim/files/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace fenceline {

int above_standard_streams(int descriptor) noexcept {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const bool for_children = (::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) == 0;
  const int above = ::fcntl(descriptor, for_children ? F_DUPFD : F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return above;
}

void keep_standard_streams() noexcept {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one. Opened the wrong way round: reading and writing fail with EBADF.
    const int mode = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", mode) < 0) return;  // nothing there to protect from
  }
}

}  // namespace fenceline
