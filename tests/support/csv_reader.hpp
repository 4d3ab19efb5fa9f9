// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace fenceline::testing {

/// RFC 4180.
inline std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
      rows.back().back() += csv[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!quoted && c == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

/// "12.345678" is 12,345,678.
inline std::uint64_t picoseconds(std::string text) {
  const std::size_t point = text.find('.');
  if (point == std::string::npos || text.size() - point != 7) throw std::runtime_error("no time: \"" + text + '"');
  return std::stoull(text.erase(point, 1));
}

/// A CSV file whose first row names the columns.
class CsvTable {
 public:
  explicit CsvTable(const std::string& csv) : rows_(rows_of(csv)) {
    for (const auto& row : rows_) {
      if (row.size() != rows_.front().size()) throw std::runtime_error("a row of another length");
    }
  }
  std::size_t size() const { return rows_.size() - 1; }
  const std::string& at(std::size_t row, const std::string& column) const {
    const auto& names = rows_.front();
    const auto found = std::find(names.begin(), names.end(), column);
    if (found == names.end()) throw std::runtime_error("no column " + column);
    return rows_[row + 1][static_cast<std::size_t>(found - names.begin())];
  }
  bool has(std::size_t row, const std::string& column) const { return !at(row, column).empty(); }
  std::uint64_t ps(std::size_t row, const std::string& column) const { return picoseconds(at(row, column)); }
  std::uint64_t number(std::size_t row, const std::string& column) const { return std::stoull(at(row, column)); }

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace fenceline::testing
