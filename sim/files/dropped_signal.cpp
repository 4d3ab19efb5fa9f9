// SPDX-License-Identifier: Apache-2.0
#include "sim/files/dropped_signal.hpp"

#include <cerrno>
#include <ctime>

namespace fenceline {

DroppedSignal::DroppedSignal(int signal) noexcept {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  was_pending_ = sigismember(&pending, signal) == 1;
  sigemptyset(&dropped_);
  sigaddset(&dropped_, signal);
  blocked_ = pthread_sigmask(SIG_BLOCK, &dropped_, &before_) == 0;
}

DroppedSignal::~DroppedSignal() {
  if (!blocked_) return;
  const int reason = errno;
  const timespec at_once{};
  if (!was_pending_) {
    while (sigtimedwait(&dropped_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = reason;
}

}  // namespace fenceline
