// SPDX-License-Identifier: Apache-2.0
// The entry of programs that have WinMain or wWinMain. It stands in an object of its own, so that the linker leaves it
// out of programs with a `main`.
#include "api/windows_compat/process/process.hpp"
#include "api/windows_compat/windows/window.hpp"
#include "sim/files/console.hpp"

#include <cstring>
#include <string>

#pragma weak WinMain
#pragma weak wWinMain

namespace {

/// What stands behind the program's name.
template <class Char>
Char* behind_name(Char* line) {
  const bool in_quotes = *line == Char{'"'};
  if (in_quotes) ++line;
  while (*line != Char{} && *line != (in_quotes ? Char{'"'} : Char{' '})) ++line;
  if (in_quotes && *line != Char{}) ++line;
  while (*line == Char{' '}) ++line;
  return line;
}

}  // namespace

int main() {
  const HINSTANCE instance = GetModuleHandleW(nullptr);
  if (wWinMain != nullptr) return wWinMain(instance, nullptr, behind_name(GetCommandLineW()), SW_SHOWDEFAULT);
  if (WinMain != nullptr) return WinMain(instance, nullptr, behind_name(GetCommandLineA()), SW_SHOWDEFAULT);
  fenceline::console::tell("fenceline: the program has no main, WinMain or wWinMain\n");
  return 1;
}
