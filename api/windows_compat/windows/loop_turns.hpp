// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline::windows_compat {

/// When a program's message loop ends, which on Windows its user decides.
class LoopTurns {
 public:
  enum class Turn : std::uint8_t {
    frame,  ///< the program may paint
    close,  ///< the frames are over: its windows are to be closed, once
    quit,   ///< it went on all the same
  };

  explicit LoopTurns(std::uint64_t frames) : left_(frames) {}

  bool over() const { return left_ == 0; }
  Turn next() {
    if (left_ > 0) {
      --left_;
      return Turn::frame;
    }
    const Turn turn = closed_ ? Turn::quit : Turn::close;
    closed_ = true;
    return turn;
  }

  /// FENCELINE_FRAMES of the environment; 60 where it is not set, or is no number from 1, which is said on stderr.
  static LoopTurns of_environment();

 private:
  std::uint64_t left_;
  bool closed_ = false;
};

}  // namespace fenceline::windows_compat
