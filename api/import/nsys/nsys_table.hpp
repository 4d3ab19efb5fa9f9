// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/nsys/nsys_database.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fenceline {

/// What a value may be.
struct NsysLimits {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};
/// All that SQLite has.
constexpr NsysLimits any_integer = {std::numeric_limits<std::int64_t>::min()};

/// The rows of one table, in the order in which they are stored. First the columns are named, then the rows are gone
/// through. Whatever is in them is no more than a ConfigError, which names file, table, row (from 0) and column.
class NsysTable {
 public:
  using Column = std::size_t;
  /// Of a column that the table does not have.
  static constexpr Column absent = std::numeric_limits<Column>::max();
  using Limits = NsysLimits;

  /// The database has the table, and outlives this.
  NsysTable(NsysDatabase& database, std::string name);

  /// Throws ConfigError where the table has none of this name.
  Column needed(const char* column);
  /// The first of these that the table has; throws ConfigError where it has none.
  Column one_of(const std::vector<const char*>& columns);
  /// `absent` where the table has none.
  Column optional(const char* column);

  /// Of one that the table has.
  const std::string& name_of(Column column) const { return columns_[column]; }

  /// Goes to the first row, then to the next one; false: there is none.
  bool next();
  /// Of the row that has been gone to, from 0.
  std::uint64_t row() const { return rows_ - 1; }

  /// A whole number. `what` it is called in an error.
  std::int64_t integer(Column column, Limits limits, const char* what = "a whole number") const;
  /// The same; `otherwise` where the column is absent or the value is NULL.
  std::int64_t integer_or(Column column, Limits limits, std::int64_t otherwise) const;
  /// The column is absent, or the value is NULL.
  bool is_null(Column column) const;
  /// Text as it is: any bytes.
  std::string text(Column column) const;
  /// Throws a ConfigError at a value of the row.
  [[noreturn]] void fail(Column column, const std::string& expected, const std::string& found) const;

 private:
  Column add(const std::string& column);
  bool has(const std::string& column) const;
  std::string shown(Column column) const;

  NsysDatabase& database_;
  std::string name_;
  std::vector<std::string> there_;
  std::vector<std::string> columns_;  // that are read
  NsysDatabase::Statement statement_;
  std::uint64_t rows_ = 0;
};

}  // namespace fenceline
