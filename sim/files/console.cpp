// SPDX-License-Identifier: Apache-2.0
#include "sim/files/console.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>

namespace fenceline::console {
namespace {

/// A pipe without a reader would end the program: SIGPIPE that writing brings about while this lives is dropped.
class WithoutBrokenPipe {
 public:
  WithoutBrokenPipe() noexcept {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    blocked_ = pthread_sigmask(SIG_BLOCK, &pipe_, &before_) == 0;
  }
  ~WithoutBrokenPipe() {
    if (!blocked_) return;
    const timespec at_once{};
    if (!was_pending_) {
      while (sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutBrokenPipe(const WithoutBrokenPipe&) = delete;
  WithoutBrokenPipe& operator=(const WithoutBrokenPipe&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
  bool blocked_ = false;
};

}  // namespace

void tell(std::string_view text) noexcept {
  const int reason = errno;
  const WithoutBrokenPipe guard;
  while (!text.empty()) {
    const ::ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  errno = reason;
}

void print(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stdout); }

bool flush() noexcept { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace fenceline::console
