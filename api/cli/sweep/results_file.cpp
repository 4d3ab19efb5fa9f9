// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/results_file.hpp"

#include "sim/config_error.hpp"
#include "sim/files/output_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <sqlite3.h>
#include <system_error>

namespace fenceline::cli {
namespace {

using nlohmann::json;

std::string column(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void bind_text(sqlite3_stmt* statement, int at, const std::string& text) {
  sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void bind_value(sqlite3_stmt* statement, int at, const json& value) {
  if (value.is_number_integer()) {
    sqlite3_bind_int64(statement, at, value.get<std::int64_t>());
  } else if (value.is_number()) {
    sqlite3_bind_double(statement, at, value.get<double>());
  } else if (value.is_string()) {
    bind_text(statement, at, value.get_ref<const std::string&>());
  } else if (value.is_null()) {
    sqlite3_bind_null(statement, at);
  } else {
    bind_text(statement, at, value.dump());
  }
}

/// A value as `--set` takes it: a number, or a text.
json typed(const std::string& value) {
  json parsed = json::parse(value, nullptr, false);
  return parsed.is_number() ? parsed : json(value);
}

json value_at(sqlite3_stmt* statement, int at) {
  switch (sqlite3_column_type(statement, at)) {
    case SQLITE_INTEGER: return static_cast<std::int64_t>(sqlite3_column_int64(statement, at));
    case SQLITE_FLOAT: return sqlite3_column_double(statement, at);
    case SQLITE_NULL: return nullptr;
    default: return std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, at)));
  }
}

}  // namespace

ResultsFile::ResultsFile(const std::filesystem::path& file, const SweepPlan& plan, const std::string& identity)
    : file_(file), plan_(plan), done_(plan.runs()) {
  try {
    check(sqlite3_open(file_.c_str(), &database_));
    sqlite3_busy_timeout(database_, 10'000);
    // What was added survives the end of the process, though not of the machine.
    execute("PRAGMA journal_mode=WAL");
    execute("PRAGMA synchronous=NORMAL");
    make_tables(identity);
    sqlite3_stmt* runs = prepared("SELECT run, status FROM runs");
    while (sqlite3_step(runs) == SQLITE_ROW) {
      const auto run = static_cast<std::uint64_t>(sqlite3_column_int64(runs, 0));
      if (run >= plan_.runs() || done_[run]) continue;
      done_[run] = true;
      ++done_count_;
      if (value_at(runs, 1) != "done") ++failed_;
    }
    check(sqlite3_finalize(runs));
    std::string places = "?,?,?,?,?";
    for (std::size_t i = 0; i < plan_.axis_names().size() + plan_.metrics().size(); ++i) places += ",?";
    insert_ = prepared("INSERT INTO runs VALUES (" + places + ")");
  } catch (...) {
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
    throw;
  }
}

ResultsFile::~ResultsFile() {
  sqlite3_finalize(insert_);
  sqlite3_close(database_);
}

void ResultsFile::check(int code) const {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  const int reason = code == SQLITE_FULL ? ENOSPC : EIO;
  throw OutputError(file_, fmt::format("SQLite: {}", database_ != nullptr ? sqlite3_errmsg(database_) : "no memory"),
                    std::error_code(reason, std::generic_category()));
}

void ResultsFile::execute(const std::string& text) {
  check(sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr));
}

sqlite3_stmt* ResultsFile::prepared(const std::string& text) const {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(database_, text.c_str(), -1, &statement, nullptr));
  return statement;
}

void ResultsFile::make_tables(const std::string& identity) {
  execute("CREATE TABLE IF NOT EXISTS sweep (identity TEXT NOT NULL)");
  sqlite3_stmt* known = prepared("SELECT identity FROM sweep");
  const bool exists = sqlite3_step(known) == SQLITE_ROW;
  const std::string found = exists ? value_at(known, 0).get<std::string>() : "";
  check(sqlite3_finalize(known));
  if (exists) {
    if (found == identity) return;
    throw ConfigError(file_.string(), "", "results of this sweep, of the same files and the same version",
                      "others: name another directory with --out, or start afresh without --resume");
  }
  std::string columns = "run INTEGER PRIMARY KEY, workload TEXT, machine TEXT";
  for (const std::string& axis : plan_.axis_names()) columns += ", " + column(axis);
  columns += ", status TEXT, error TEXT";
  for (const Metric& metric : plan_.metrics()) columns += ", " + column(metric.name);
  execute("BEGIN");
  execute("CREATE TABLE runs (" + columns + ")");
  sqlite3_stmt* insert = prepared("INSERT INTO sweep VALUES (?)");
  bind_text(insert, 1, identity);
  sqlite3_step(insert);
  check(sqlite3_finalize(insert));
  execute("COMMIT");
}

void ResultsFile::add(const SweepOutcome& outcome) {
  const SweepPoint point = plan_.point(outcome.run);
  int at = 0;
  sqlite3_bind_int64(insert_, ++at, static_cast<std::int64_t>(outcome.run));
  bind_text(insert_, ++at, point.workload);
  bind_text(insert_, ++at, point.machine);
  for (const std::string& value : point.values) bind_value(insert_, ++at, typed(value));
  bind_text(insert_, ++at, outcome.status);
  bind_text(insert_, ++at, outcome.error);
  for (std::size_t i = 0; i < plan_.metrics().size(); ++i) {
    bind_value(insert_, ++at, i < outcome.metrics.size() ? outcome.metrics[i] : json());
  }
  check(sqlite3_step(insert_));
  check(sqlite3_reset(insert_));
  done_[outcome.run] = true;
  ++done_count_;
  if (outcome.status != "done") ++failed_;
}

void ResultsFile::each(const std::function<void(const SweepOutcome&)>& visit) const {
  visit_rows("ORDER BY run", visit);
}

SweepOutcome ResultsFile::outcome(std::uint64_t run) const {
  SweepOutcome found;
  visit_rows(fmt::format("WHERE run = {}", run), [&](const SweepOutcome& row) { found = row; });
  return found;
}

void ResultsFile::visit_rows(const std::string& which, const std::function<void(const SweepOutcome&)>& visit) const {
  sqlite3_stmt* rows = prepared("SELECT * FROM runs " + which);
  const int status = 3 + static_cast<int>(plan_.axis_names().size());
  try {
    int code = SQLITE_OK;
    while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
      SweepOutcome outcome;
      outcome.run = static_cast<std::uint64_t>(sqlite3_column_int64(rows, 0));
      outcome.status = value_at(rows, status).get<std::string>();
      outcome.error = value_at(rows, status + 1).get<std::string>();
      for (std::size_t i = 0; i < plan_.metrics().size(); ++i) {
        outcome.metrics.push_back(value_at(rows, status + 2 + static_cast<int>(i)));
      }
      visit(outcome);
    }
    check(code);
  } catch (...) {
    sqlite3_finalize(rows);
    throw;
  }
  check(sqlite3_finalize(rows));
}

void ResultsFile::finish() { execute("PRAGMA journal_mode=DELETE"); }

}  // namespace fenceline::cli
