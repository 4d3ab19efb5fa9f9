// SPDX-License-Identifier: Apache-2.0
#include "api/import/nsys/nsys_table.hpp"

#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sqlite3.h>
#include <utility>

namespace fenceline {
namespace {

constexpr std::uint64_t least_row_bytes = 4;     // in a file: its place, its length, its number, its header
constexpr std::size_t most_columns_shown = 400;  // characters

}  // namespace

NsysTable::NsysTable(NsysDatabase& database, std::string name)
    : database_(database), name_(std::move(name)), there_(database.columns_of(name_)) {}

bool NsysTable::has(const std::string& column) const {
  return std::find(there_.begin(), there_.end(), column) != there_.end();
}

NsysTable::Column NsysTable::add(const std::string& column) {
  columns_.push_back(column);
  return columns_.size() - 1;
}

NsysTable::Column NsysTable::needed(const char* column) { return one_of({column}); }

NsysTable::Column NsysTable::one_of(const std::vector<const char*>& columns) {
  for (const char* const column : columns) {
    if (has(column)) return add(column);
  }
  database_.fail(name_, fmt::format("a column {}", fmt::join(columns, " or ")),
                 there_.empty() ? "none" : shortened(fmt::format("{}", fmt::join(there_, ", ")), most_columns_shown));
}

NsysTable::Column NsysTable::optional(const char* column) { return has(column) ? add(column) : absent; }

bool NsysTable::next() {
  if (!statement_) {
    std::string list;
    for (const std::string& column : columns_) list += fmt::format("{}[{}]", list.empty() ? "" : ", ", column);
    statement_ = database_.prepared(fmt::format("SELECT {} FROM [{}]", list, name_), name_);
  }
  if (!database_.step(statement_.get(), name_)) return false;
  // A damaged file may lead from page to page in circles.
  if (++rows_ > database_.bytes() / least_row_bytes) {
    database_.fail(name_, "a table that can be read", "more rows than the file has room for");
  }
  return true;
}

std::int64_t NsysTable::integer(Column column, Limits limits, const char* what) const {
  sqlite3_stmt* const row = statement_.get();
  const auto at = static_cast<int>(column);
  if (sqlite3_column_type(row, at) == SQLITE_INTEGER) {
    const std::int64_t value = sqlite3_column_int64(row, at);
    if (value >= limits.least && value <= limits.most) return value;
  }
  fail(column, fmt::format("{}, {} to {}", what, limits.least, limits.most), shown(column));
}

std::int64_t NsysTable::integer_or(Column column, Limits limits, std::int64_t otherwise) const {
  return is_null(column) ? otherwise : integer(column, limits);
}

bool NsysTable::is_null(Column column) const {
  return column == absent || sqlite3_column_type(statement_.get(), static_cast<int>(column)) == SQLITE_NULL;
}

std::string NsysTable::text(Column column) const {
  const auto at = static_cast<int>(column);
  if (sqlite3_column_type(statement_.get(), at) != SQLITE_TEXT) fail(column, "a text", shown(column));
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), at));
  const auto count = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), at));
  return bytes == nullptr ? std::string() : std::string(bytes, count);
}

void NsysTable::fail(Column column, const std::string& expected, const std::string& found) const {
  database_.fail(fmt::format("{}/{}/{}", name_, row(), columns_[column]), expected, found);
}

std::string NsysTable::shown(Column column) const {
  sqlite3_stmt* const row = statement_.get();
  const auto at = static_cast<int>(column);
  switch (sqlite3_column_type(row, at)) {
    case SQLITE_INTEGER: return fmt::format("{}", static_cast<std::int64_t>(sqlite3_column_int64(row, at)));
    case SQLITE_FLOAT: return fmt::format("{:.17g}", sqlite3_column_double(row, at));
    case SQLITE_TEXT: return in_quotes(text(column));
    case SQLITE_BLOB: return fmt::format("{} bytes", sqlite3_column_bytes(row, at));
    default: return "NULL";
  }
}

}  // namespace fenceline
