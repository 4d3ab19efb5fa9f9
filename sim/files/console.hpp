// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

/// The one place that writes to the standard streams. A stream that is closed, full or has no reader any more costs the
/// text and nothing else: no exception, no signal to the program that hosts the simulator.
namespace fenceline::console {

/// To standard error, at once and in one piece if the system takes it so. Threads may call it at the same time.
void tell(std::string_view text) noexcept;
/// To standard output, through stdio's buffer.
void print(std::string_view text) noexcept;
/// Hands what was printed to the system. False: some of it, or of what was printed before, has not arrived.
bool flush() noexcept;

template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) noexcept {
  try {
    tell(std::string_view(fmt::format(format, std::forward<Arguments>(arguments)...)));
  } catch (...) {
    tell(std::string_view("fenceline: a message could not be made\n"));
  }
}
template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print(std::string_view(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

}  // namespace fenceline::console
