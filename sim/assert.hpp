// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace fenceline {

/// A broken promise inside Fenceline: never the user's fault. The message names the module.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void assertion_failed(const char* condition, const std::string& message) {
  throw InternalError(message + " (broken: " + condition + ")");
}

}  // namespace fenceline

/// `message` is an expression giving a std::string that starts with the module's path; evaluated on failure only.
#define FENCELINE_ASSERT(condition, message)                              \
  do {                                                                    \
    if (!(condition)) ::fenceline::assertion_failed(#condition, message); \
  } while (false)
