// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/windows/loop_turns.hpp"

#include "sim/files/console.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace fenceline::windows_compat {

LoopTurns LoopTurns::of_environment() {
  constexpr std::uint64_t a_second = 60;  // of a display with 60 Hz
  const char* const set = std::getenv("FENCELINE_FRAMES");
  if (set == nullptr) return LoopTurns(a_second);
  const std::string_view text = set;
  std::uint64_t frames = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), frames);
  if (error == std::errc() && end == text.data() + text.size() && frames > 0) return LoopTurns(frames);
  console::tell("fenceline: FENCELINE_FRAMES: expected a whole number from 1, found \"{}\"; it is {}\n", text,
                a_second);
  return LoopTurns(a_second);
}

}  // namespace fenceline::windows_compat
