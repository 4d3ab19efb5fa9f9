// SPDX-License-Identifier: Apache-2.0
// libsystemc refers to sc_main and brings a main() that calls it. Fenceline's users have their own main(), so nothing
// may ever come here; a program that does was linked with SystemC's main and must not look as if it had worked.
#include <cstdio>
#include <cstdlib>

extern "C" int sc_main(int, char*[]) {
  std::fputs("fenceline: SystemC's main() was linked instead of the program's own; put your main() in an object file\n",
             stderr);
  std::abort();
}
