// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace fenceline {

/// Appends one row of a CSV file, field by field. RFC 4180, but a row ends with a line feed alone.
class CsvRow {
 public:
  explicit CsvRow(fmt::memory_buffer& row) : row_(row) {}

  /// A field with a comma, a quote or a line break stands in quotes, its own quotes doubled.
  CsvRow& text(std::string_view text);
  CsvRow& integer(std::uint64_t value);
  /// In microseconds, exact to the picosecond.
  CsvRow& time(std::uint64_t ps);
  /// The same, or nothing.
  CsvRow& time(const std::optional<std::uint64_t>& ps) { return ps ? time(*ps) : nothing(); }
  /// A value that there is not.
  CsvRow& nothing();
  void end() { row_.push_back('\n'); }

 private:
  void separate();

  fmt::memory_buffer& row_;
  bool first_ = true;
};

}  // namespace fenceline
