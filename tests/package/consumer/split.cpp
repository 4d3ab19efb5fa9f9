// SPDX-License-Identifier: Apache-2.0
// A stranger's program that needs the engines alone: where a list of the engines' commands is split.
#include "engines/command/splitting.hpp"

#include <iostream>

int main() {
  fenceline::CommandStream stream;
  stream.commands.resize(10);
  stream.splits.offsets = {4, 8};
  if (fenceline::piece_end(stream, 0, 6) != 4) return 1;
  std::cout << "split: the piece ends at the split offset\n";
}
