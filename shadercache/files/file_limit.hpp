// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/dropped_signal.hpp"

#include <optional>

namespace fenceline {

/// While this lives a file that `ulimit -f` does not let grow is an error number and does not end the program. Where
/// there is no such limit it costs a look, and within another one of the thread nothing.
class FileLimit {
 public:
  FileLimit();
  ~FileLimit();
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;

 private:
  std::optional<DroppedSignal> dropped_;
};

}  // namespace fenceline
