// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace fenceline {

/// While this lives the signal that writing brings about (SIGPIPE without a reader, SIGXFSZ beyond `ulimit -f`) does
/// not end the program: writing fails with an error number and what was raised is dropped. One thread, from begin to
/// end.
class DroppedSignal {
 public:
  explicit DroppedSignal(int signal) noexcept;
  ~DroppedSignal();
  DroppedSignal(const DroppedSignal&) = delete;
  DroppedSignal& operator=(const DroppedSignal&) = delete;

 private:
  sigset_t dropped_{};
  sigset_t before_{};
  bool was_pending_ = false;
  bool blocked_ = false;
};

}  // namespace fenceline
