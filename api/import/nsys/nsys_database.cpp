// SPDX-License-Identifier: Apache-2.0
#include "api/import/nsys/nsys_database.hpp"

#include "sim/config_error.hpp"
#include "sim/files/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <new>
#include <sqlite3.h>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t header_bytes = 100;     // SQLite's file format, section 1.3
constexpr int longest_row = 16 << 20;         // bytes, of any row that is looked at
constexpr int steps_at_once = 100'000;        // of SQLite's machine, between two calls of the progress handler
constexpr std::uint64_t least_steps = 100;    // of these, of a statement on a small file
constexpr std::uint64_t steps_per_byte = 16;  // a row has four bytes and more, and takes some 30 steps
const char* const expected_file = "an SQLite database, as `nsys export --type sqlite` writes it";

/// For a URI: all that is no plain letter as %XX.
std::string encoded(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 && byte < 0x80;
    text += plain || c == '/' || c == '.' || c == '_' || c == '-' ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

/// What a file is that begins so and is no database.
std::string kind_of(std::string_view start) {
  if (start.empty()) return "an empty file";
  if (start.substr(0, 2) == "\x1f\x8b") return "a gzip file: unpack it first";
  const std::size_t text = start.find_first_not_of(" \t\r\n");
  if (text != std::string_view::npos && (start[text] == '{' || start[text] == '[')) {
    return "JSON: `fenceline import kineto` takes PyTorch's traces";
  }
  return "something else: of a report (.nsys-rep, .qdrep) `nsys export --type sqlite` makes one";
}

}  // namespace

void NsysDatabase::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void NsysDatabase::Closer::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

NsysDatabase::NsysDatabase(const fs::path& path, Progress progress) : progress_(std::move(progress)) {
  if (path == "-") {
    throw ConfigError("standard input", "", "the name of a file, for a database is not read from front to back", "-");
  }
  check_kind(path);
  open(path);
}

NsysDatabase::~NsysDatabase() = default;

void NsysDatabase::check_kind(const fs::path& path) const {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw ConfigError(path.string(), "", "a regular file",
                      fs::is_directory(status) ? "a directory" : "a device or a FIFO");
  }
}

void NsysDatabase::open(const fs::path& path) {
  const InputFile input(path, InputFile::trace_limit);  // refuses what does not open; nothing takes its place as output
  name_ = input.name();
  bytes_ = input.size();
  std::array<char, header_bytes> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  const std::string_view header(start.data(), static_cast<std::size_t>(file.gcount()));
  if (header.substr(0, 16) != std::string_view("SQLite format 3\0", 16)) {
    throw ConfigError(name_, "", expected_file, kind_of(header));
  }
  if (bytes_ > InputFile::trace_limit) {
    throw ConfigError(name_, "", fmt::format("at most {} bytes", InputFile::trace_limit), "more");
  }
  if (header.size() > 17) {
    const auto byte = [&](std::size_t at) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(header[at]));
    };
    page_bytes_ = byte(16) << 8 | byte(17);
    if (page_bytes_ == 1) page_bytes_ = 65536;
  }

  // Immutable: no locks, no journal beside it is looked for.
  const std::string uri = "file://" + encoded(fs::absolute(path).string()) + "?mode=ro&immutable=1";
  sqlite3* opened = nullptr;
  const int code =
      sqlite3_open_v2(uri.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(opened);
  if (opened == nullptr) throw std::bad_alloc();
  if (code != SQLITE_OK) fail_of(code, "");
  int* const no_answer = nullptr;
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, no_answer);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, no_answer);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, no_answer);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, no_answer);
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, longest_row);
  sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
  const auto handler = [](void* self) { return static_cast<NsysDatabase*>(self)->goes_on() ? 0 : 1; };
  sqlite3_progress_handler(opened, steps_at_once, handler, this);
  for (const char* const pragma : {"PRAGMA cell_size_check=ON", "PRAGMA mmap_size=0"}) {
    const Statement statement = prepared(pragma, "");
    while (step(statement.get(), "")) {
    }
  }
}

/// Called every so many steps of a statement; false stops it.
bool NsysDatabase::goes_on() {
  if (progress_) {
    int missed = 0;
    int most_missed = 0;
    sqlite3_db_status(database_.get(), SQLITE_DBSTATUS_CACHE_MISS, &missed, &most_missed, 0);
    progress_(std::min(bytes_, static_cast<std::uint64_t>(std::max(0, missed)) * page_bytes_), bytes_);
  }
  if (steps_left_ == 0) return false;
  --steps_left_;
  return true;
}

NsysDatabase::Statement NsysDatabase::prepared(const std::string& text, const std::string& table) {
  steps_left_ = least_steps + bytes_ * steps_per_byte / steps_at_once;
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(database_.get(), text.c_str(), static_cast<int>(text.size()), &statement, nullptr);
  Statement owned(statement);
  if (code != SQLITE_OK) fail_of(code, table);
  return owned;
}

bool NsysDatabase::step(sqlite3_stmt* statement, const std::string& table) {
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) fail_of(code, table);
  return false;
}

bool NsysDatabase::has(const std::string& table) {
  const Statement found = prepared(
      "SELECT type, sql FROM sqlite_schema WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')", table);
  sqlite3_bind_text(found.get(), 1, table.c_str(), static_cast<int>(table.size()), SQLITE_STATIC);
  if (!step(found.get(), table)) return false;
  const auto text = [&](int column) {
    const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(found.get(), column));
    return std::string(bytes == nullptr ? "" : bytes);
  };
  // What is stored of a table begins so, and neither a view nor a virtual table does.
  const bool plain = text(0) == "table" && text(1).rfind("CREATE TABLE ", 0) == 0;
  if (!plain) fail(table, "a table", text(0) == "view" ? "a view" : "something else of that name");
  return true;
}

std::vector<std::string> NsysDatabase::columns_of(const std::string& table) {
  const Statement rows = prepared(fmt::format("PRAGMA table_info([{}])", table), table);
  std::vector<std::string> columns;
  while (step(rows.get(), table)) {
    const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(rows.get(), 1));
    columns.emplace_back(bytes == nullptr ? "" : bytes);
  }
  return columns;
}

void NsysDatabase::fail(const std::string& table, const std::string& expected, const std::string& found) const {
  throw ConfigError(name_, table.empty() ? "" : "/" + table, expected, found);
}

void NsysDatabase::fail_of(int code, const std::string& table) const {
  const char* const what = table.empty() ? "a database that is whole" : "a table that can be read";
  if ((code & 0xff) == SQLITE_INTERRUPT) fail(table, what, "more of it than the file has room for");
  // SQLITE_NOMEM, too: damage to the schema's own rows is to SQLite a want of memory.
  fail(table, what, fmt::format("SQLite's error {}", in_quotes(sqlite3_errmsg(database_.get()))));
}

}  // namespace fenceline
