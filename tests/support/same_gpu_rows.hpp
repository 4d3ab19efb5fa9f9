// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/places.hpp"
#include "tests/support/temporary_directory.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

namespace fenceline::testing {

/// Where the first rows of a file in the second run directory, `count` of them, are not those of the first, in every
/// column: the first difference, with both rows. Empty: there is none, or neither has so many.
inline std::string first_row_difference(const std::filesystem::path& one, const std::filesystem::path& other,
                                        const char* file, std::size_t count) {
  std::istringstream first(contents_of(one / file));
  std::istringstream second(contents_of(other / file));
  std::string wanted;
  std::string found;
  for (std::size_t row = 0; row < count && std::getline(first, wanted); ++row) {
    if (!std::getline(second, found)) found = "nothing";
    if (wanted != found) return fmt::format("{}, row {}:\nexpected {}\nfound    {}", file, row, wanted, found);
  }
  return "";
}

/// Rows of a file, and how many different first columns they have.
struct CountedRows {
  std::size_t rows = 0;
  std::set<std::string> first_columns;
};
inline CountedRows counted_rows(const std::filesystem::path& file) {
  CountedRows counted;
  std::istringstream lines(contents_of(file));
  for (std::string line; std::getline(lines, line); ++counted.rows) {
    if (counted.rows > 0) counted.first_columns.insert(line.substr(0, line.find(',')));
  }
  return counted;
}

/// Where what the GPU and the screen do in the second run directory is not what they do in the first: the first
/// difference. Empty: there is none. A program may end before its work does, so that the second run, which plays it to
/// its end, may have more packets; then regions of markers have not all ended, and of each swap chain the last frame
/// has left the screen because the program ended.
inline std::string first_gpu_difference(const std::filesystem::path& one, const std::filesystem::path& other) {
  const std::size_t packets = counted_rows(one / "packets.csv").rows;
  std::string difference = first_row_difference(one, other, "packets.csv", packets);
  if (!difference.empty()) return difference;
  const CountedRows frames = counted_rows(one / "frames.csv");
  difference = first_row_difference(one, other, "frames.csv", frames.rows - frames.first_columns.size());
  if (!difference.empty() || packets != counted_rows(other / "packets.csv").rows) return difference;
  return first_row_difference(one, other, "markers.csv", counted_rows(one / "markers.csv").rows);
}

}  // namespace fenceline::testing
