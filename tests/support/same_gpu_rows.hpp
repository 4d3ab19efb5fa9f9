// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/temporary_directory.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <string>

namespace fenceline::testing {

/// Where the GPU's packets in the second run directory are not those of the first, in every column of packets.csv: the
/// first difference, with both rows. Empty: there is none. A program may end before its work does, so that the second
/// run, which plays it to its end, may have more.
inline std::string first_gpu_difference(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::istringstream first(contents_of(one / "packets.csv"));
  std::istringstream second(contents_of(other / "packets.csv"));
  std::string wanted;
  std::string found;
  for (int row = 0; std::getline(first, wanted); ++row) {
    if (!std::getline(second, found)) found = "nothing";
    if (wanted != found) return fmt::format("row {}:\nexpected {}\nfound    {}", row, wanted, found);
  }
  return "";
}

}  // namespace fenceline::testing
