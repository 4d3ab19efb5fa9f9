// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/played_point.hpp"
#include "api/sweep/sweep_plan.hpp"
#include "sim/files/run_marker.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace fenceline::cli {

/// The results of a sweep: an SQLite database with a table `runs`, which has a row for each run that is over, and a
/// table `sweep` with what the sweep is. A row is there once it was added, also when the process is killed then. Throws
/// OutputError.
class ResultsFile {
 public:
  static constexpr const char* name = RunMarker::sweep_results;

  /// Makes the file, or opens the one that is there: of the same sweep, as `identity` says, else ConfigError.
  ResultsFile(const std::filesystem::path& file, const SweepPlan& plan, const std::string& identity);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  bool has(std::uint64_t run) const { return done_[run]; }
  std::uint64_t done() const { return done_count_; }
  std::uint64_t failed() const { return failed_; }
  void add(const SweepOutcome& outcome);
  /// The row of a run that has one.
  SweepOutcome outcome(std::uint64_t run) const;
  /// Each row, in the order of runs.
  void each(const std::function<void(const SweepOutcome&)>& visit) const;
  /// One file from now on, without those beside it.
  void finish();

 private:
  void check(int code) const;
  void execute(const std::string& text);
  sqlite3_stmt* prepared(const std::string& text) const;
  void visit_rows(const std::string& which, const std::function<void(const SweepOutcome&)>& visit) const;
  void make_tables(const std::string& identity);

  std::filesystem::path file_;
  const SweepPlan& plan_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::vector<bool> done_;
  std::uint64_t done_count_ = 0;
  std::uint64_t failed_ = 0;
};

}  // namespace fenceline::cli
