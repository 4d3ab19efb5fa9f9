// SPDX-License-Identifier: Apache-2.0
#include "sim/files/console.hpp"

#include "sim/files/dropped_signal.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

namespace fenceline::console {

void tell(std::string_view text) noexcept {
  const int reason = errno;
  const DroppedSignal no_reader(SIGPIPE);
  const DroppedSignal too_long(SIGXFSZ);
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
