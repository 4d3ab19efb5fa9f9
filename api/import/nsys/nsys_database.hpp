// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace fenceline {

/// An SQLite database from outside, opened to be read alone (sqlite.org/security.html): nothing is written or looked
/// for beside it, views and triggers do not run, and no statement goes on for longer than the file's size explains.
class NsysDatabase {
 public:
  /// Hears of bytes read and bytes there are; may be empty.
  using Progress = std::function<void(std::uint64_t, std::uint64_t)>;
  /// Ends a statement.
  struct Finalizer {
    /// Also of none.
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Finalizer>;

  /// Throws ConfigError for what is no such file.
  explicit NsysDatabase(const std::filesystem::path& path, Progress progress = {});
  ~NsysDatabase();
  NsysDatabase(const NsysDatabase&) = delete;
  NsysDatabase& operator=(const NsysDatabase&) = delete;

  /// What messages call it.
  const std::string& name() const { return name_; }
  /// Of the file.
  std::uint64_t bytes() const { return bytes_; }
  /// There is a table of this name. Throws ConfigError where something else has the name, such as a view.
  bool has(const std::string& table);
  /// Of a table that there is; without those that are computed.
  std::vector<std::string> columns_of(const std::string& table);
  /// A statement that reads this table.
  Statement prepared(const std::string& text, const std::string& table);
  /// Goes to the next row; false: there is none.
  bool step(sqlite3_stmt* statement, const std::string& table);
  /// Throws a ConfigError at a table.
  [[noreturn]] void fail(const std::string& table, const std::string& expected, const std::string& found) const;

 private:
  struct Closer {
    void operator()(sqlite3* database) const;
  };

  void check_kind(const std::filesystem::path& path) const;
  void open(const std::filesystem::path& path);
  [[noreturn]] void fail_of(int code, const std::string& table) const;
  bool goes_on();

  std::string name_;
  std::uint64_t bytes_ = 0;
  std::uint64_t page_bytes_ = 0;
  std::uint64_t steps_left_ = 0;  // of the statement, in units of the progress handler
  Progress progress_;
  std::unique_ptr<sqlite3, Closer> database_;
};

}  // namespace fenceline
