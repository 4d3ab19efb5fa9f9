// SPDX-License-Identifier: Apache-2.0
#include "api/report/csv_row.hpp"

#include "sim/text/time_text.hpp"

namespace fenceline {

CsvRow& CsvRow::text(std::string_view text) {
  separate();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    row_.append(text);
    return *this;
  }
  row_.push_back('"');
  for (const char c : text) {
    if (c == '"') row_.push_back('"');
    row_.push_back(c);
  }
  row_.push_back('"');
  return *this;
}

CsvRow& CsvRow::integer(std::uint64_t value) {
  separate();
  const fmt::format_int digits(value);
  row_.append(std::string_view(digits.data(), digits.size()));
  return *this;
}

CsvRow& CsvRow::time(std::uint64_t ps) {
  separate();
  row_.append(TimeText(ps).view());
  return *this;
}

CsvRow& CsvRow::nothing() {
  separate();
  return *this;
}

void CsvRow::separate() {
  if (!first_) row_.push_back(',');
  first_ = false;
}

}  // namespace fenceline
