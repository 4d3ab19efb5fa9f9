// SPDX-License-Identifier: Apache-2.0
#include "api/compare/frame_difference.hpp"

#include "api/report/contents/csv_rows.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <utility>

namespace fenceline {
namespace {

using nlohmann::json;

/// When each frame came on screen, in picoseconds; null: never.
using Frames = std::map<std::pair<std::string, std::uint64_t>, json>;

/// Its places in the rows of a file: of the swap chain, the frame's number and when it came on screen.
using Columns = std::array<std::size_t, 3>;

Columns columns_in(const std::vector<std::string>& head, const std::string& file) {
  constexpr std::array<const char*, 3> names = {"swap_chain", "frame", "on_screen_us"};
  Columns columns{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = std::find(head.begin(), head.end(), names[i]);
    if (found == head.end()) {
      throw ConfigError(file, "", fmt::format("frames.csv of a run, with a column {}", names[i]), "none");
    }
    columns[i] = static_cast<std::size_t>(found - head.begin());
  }
  return columns;
}

Frames frames_in(const std::filesystem::path& path) {
  const std::string file = path.string();
  CsvRows rows(path);
  std::vector<std::string> row;
  if (!rows.next(row)) throw ConfigError(file, "", "frames.csv of a run", "no columns");
  const std::size_t width = row.size();
  const Columns columns = columns_in(row, file);
  Frames frames;
  for (std::size_t number = 1; rows.next(row); ++number) {
    const auto refuse = [&](const std::string& expected, const std::string& found) {
      throw ConfigError(file, fmt::format("/{}", number), expected, found);
    };
    if (row.size() != width) refuse(fmt::format("a row of {} cells", width), fmt::format("{}", row.size()));
    const json frame = json::parse(row[columns[1]], nullptr, false);
    const json on_screen_us = json::parse(row[columns[2]], nullptr, false);
    if (!frame.is_number_unsigned()) refuse("the number of a frame", in_quotes(row[columns[1]]));
    const bool never = row[columns[2]].empty();
    if (!never && !on_screen_us.is_number()) refuse("microseconds or nothing", in_quotes(row[columns[2]]));
    frames[{row[columns[0]], frame.get<std::uint64_t>()}] =
        never ? json() : json(std::round(on_screen_us.get<double>() * 1e6));
  }
  return frames;
}

}  // namespace

std::vector<ValueDifference> frame_differences(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code none;
  if (!std::filesystem::exists(one, none) || !std::filesystem::exists(other, none)) return {};
  Frames before = frames_in(one);
  const Frames after = frames_in(other);
  for (const auto& [key, at] : after) before.emplace(key, json());  // those that one run alone has
  std::vector<ValueDifference> differences;
  for (const auto& [key, at] : before) {
    const auto found = after.find(key);
    const json in_other = found == after.end() ? json() : found->second;
    if (at == in_other) continue;
    const std::string pointer = pointer_to(pointer_to("", key.first), fmt::format("frame {}", key.second));
    differences.push_back({pointer + "/on_screen_ps", at, in_other});
  }
  return differences;
}

}  // namespace fenceline
