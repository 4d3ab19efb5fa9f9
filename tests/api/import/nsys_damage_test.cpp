// SPDX-License-Identifier: Apache-2.0
// Databases that somebody forged or damaged: each is a trace, or one line that says why not, and nothing is written.
#include "sim/sanitizers.hpp"
#include "tests/crash/quick_directory.hpp"
#include "tests/support/nsys_sample.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

#if defined(FENCELINE_ADDRESS_SANITIZER) || defined(FENCELINE_THREAD_SANITIZER)
constexpr int rounds = 200;
#else
constexpr int rounds = 2000;
#endif

/// Of a file with these bytes: "taken", or the line; fails the test for anything else.
std::string outcome(const fs::path& file, const std::string& bytes) {
  write_file(file, bytes);
  try {
    if (read_nsys(file).ops.empty()) FAIL("taken without work");
    return "taken";
  } catch (const ConfigError& error) {
    const std::string line = error.what();
    if (line.find('\n') != std::string::npos || line.find(": expected ") == std::string::npos) FAIL(line);
    return line;
  }
}

}  // namespace

TEST_CASE("nsys damage: pages that are overwritten or stand in for others are told, or were not needed", "[nsys]") {
  const TemporaryDirectory directory(quick_directory());
  const fs::path file = directory / "report.sqlite";
  const std::string whole = contents_of(shipped_database);
  constexpr std::size_t page = 512;
  REQUIRE(whole.size() % page == 0);
  const std::size_t pages = whole.size() / page;
  REQUIRE(pages >= 10);
  CHECK(outcome(file, whole) == "taken");
  std::size_t told = 0;
  std::mt19937_64 random(7);
  std::string noise(page, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  for (std::size_t at = 0; at < pages; ++at) {
    for (const std::string& with : {std::string(page, '\0'), std::string(page, '\xff'), noise}) {
      std::string bytes = whole;
      bytes.replace(at * page, page, with);
      if (outcome(file, bytes) != "taken") ++told;
    }
    for (std::size_t other = 0; other < pages; ++other) {
      std::string bytes = whole;
      bytes.replace(at * page, page, whole, other * page, page);
      if (outcome(file, bytes) != "taken") ++told;
    }
  }
  CHECK(told >= 3 * (pages - 1));
  for (std::size_t length = 0; length < whole.size(); length += 97) outcome(file, whole.substr(0, length));
  CHECK(names_in(directory / "") == std::vector<std::string>{"report.sqlite"});
}

TEST_CASE("nsys damage: what SQLite takes for a want of memory is damage", "[nsys]") {
  const TemporaryDirectory directory(quick_directory());
  std::string bytes = contents_of(shipped_database);
  const std::size_t row = bytes.find("tableCUPTI_ACTIVITY_KIND_RUNTIMECUPTI");  // of the schema
  REQUIRE(row != std::string::npos);
  for (std::size_t i = 2; i < 10; ++i) bytes[row - i] = '\xff';  // lengths of its columns
  CHECK_THAT(outcome(directory / "report.sqlite", bytes), Contains("found SQLite's error \"out of memory\""));
}

TEST_CASE("nsys damage: any bytes are a trace or a config error", "[nsys][fuzz]") {
  const TemporaryDirectory directory(quick_directory());
  const std::string whole = contents_of(shipped_database);
  std::mt19937_64 random(11);
  std::size_t taken = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = whole;
    for (std::uint64_t change = random() % 4 + 1; change > 0; --change) {
      const std::size_t at = random() % bytes.size();
      bytes[at] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
    }
    if (outcome(directory / "report.sqlite", bytes) == "taken") ++taken;
  }
  CHECK(taken > rounds / 20);
  CHECK(taken < static_cast<std::size_t>(rounds));
}

TEST_CASE("nsys damage: what stands in for a table does not run", "[nsys]") {
  const std::string columns =
      "1 AS start, 2 AS end, 0 AS deviceId, 1 AS contextId, 7 AS streamId, 64 AS bytes, 1 AS copyKind";
  const std::string endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT " + columns;
  CHECK(refused("CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS " + endless + " FROM n;") ==
        "report.sqlite: /CUPTI_ACTIVITY_KIND_MEMCPY: expected a table, found a view");
  Report report;
  report.fill(7, 0, 10, 64, 1);
  for (const char* table : {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_KERNEL"}) {
    const std::string name = table;
    CHECK(refused(report.sql + "DROP TABLE " + name + "; CREATE VIEW " + name + " AS SELECT 1 AS start;") ==
          "report.sqlite: /" + name + ": expected a table, found a view");
  }
  CHECK_THAT(refused("CREATE TABLE t (x); CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_MEMCPY USING fts5(start, end);"),
             Contains("/CUPTI_ACTIVITY_KIND_MEMCPY: expected a table, found something else of that name"));
  // A schema that was written by hand: a table twice, a view under the name of another table.
  const std::string forged = report.sql + "PRAGMA writable_schema=ON; ";
  CHECK_THAT(refused(forged + "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name='StringIds';"),
             Contains(": expected a table that can be read, found SQLite's error \"malformed database schema"));
  CHECK_THAT(refused(forged +
                     "UPDATE sqlite_schema SET sql='CREATE TABLE other (x)' WHERE "
                     "name='CUPTI_ACTIVITY_KIND_MEMSET'; INSERT INTO sqlite_schema VALUES ('table', 'y', 'y', 0, "
                     "'CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS " +
                     endless + " FROM n');"),
             Contains("report.sqlite: /CUPTI_ACTIVITY_KIND_"));
  // A table whose columns are computed has not got them.
  CHECK_THAT(refused("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT, end INT GENERATED ALWAYS AS (start + 1), "
                     "deviceId INT, contextId INT, streamId INT, bytes INT);"),
             Contains("/CUPTI_ACTIVITY_KIND_MEMSET: expected a column end, found start, deviceId, "));
  // Others' views, triggers and indices are nobody's business.
  CHECK(refused(report.sql + "CREATE VIEW v AS " + endless +
                " FROM n; CREATE INDEX i ON CUPTI_ACTIVITY_KIND_MEMSET "
                "(start); CREATE TRIGGER t AFTER INSERT ON CUPTI_ACTIVITY_KIND_MEMSET BEGIN SELECT 1; END;") ==
        "nothing");
  // Without numbers of rows.
  CHECK(refused("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT PRIMARY KEY, end INT, deviceId INT, contextId INT, "
                "streamId INT, bytes INT) WITHOUT ROWID; INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1, 2, 0, 1, 7, "
                "64);") == "nothing");
}

TEST_CASE("nsys damage: a table that has more rows than a file of its size can have ends", "[nsys]") {
  // Each page that leads to others leads to the same next one, as often as it can: a tree of millions of rows.
  const TemporaryDirectory directory(quick_directory());
  const fs::path file = directory / "report.sqlite";
  std::string sql =
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT, end INT, deviceId INT, contextId INT, streamId INT, bytes "
      "INT); BEGIN;";
  for (int i = 0; i < 6000; ++i) sql += "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1, 2, 0, 1, 7, 64);";
  write_database(file, sql + "COMMIT;");
  std::string bytes = contents_of(file);
  constexpr std::size_t page = 512;
  constexpr unsigned char leads_on = 5;  // SQLite's file format, section 1.6
  std::vector<std::size_t> inner;
  for (std::size_t number = 2; number <= bytes.size() / page; ++number) {
    if (static_cast<unsigned char>(bytes[(number - 1) * page]) == leads_on) inner.push_back(number);
  }
  REQUIRE(inner.size() >= 4);  // the first is the table's root
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
  for (std::size_t i = 0; i + 1 < inner.size() && i < 10; ++i) {
    const std::size_t start = (inner[i] - 1) * page;
    const auto lead = [&](std::size_t at) {
      for (std::size_t k = 0; k < 4; ++k) bytes[at + k] = static_cast<char>(inner[i + 1] >> (8 * (3 - k)));
    };
    lead(start + 8);
    const std::size_t cells = byte(start + 3) << 8 | byte(start + 4);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      lead(start + (byte(start + 12 + 2 * cell) << 8 | byte(start + 13 + 2 * cell)));
    }
  }
  CHECK_THAT(outcome(file, bytes), Contains("/CUPTI_ACTIVITY_KIND_MEMSET: expected a table that can be read, found "
                                            "more rows than the file has room for"));
}

TEST_CASE("nsys damage: nothing is looked for or left beside the file, whatever it is called", "[nsys]") {
  const TemporaryDirectory directory(quick_directory());
  const std::string whole = contents_of(shipped_database);
  const fs::path file = directory / "a b?mode=rwc&x=%41#é.sqlite";
  for (const char* end : {"-journal", "-wal", "-shm"}) write_file(file.string() + end, "stale");
  std::string wal = whole;
  wal[18] = wal[19] = 2;  // as a file is left by a program that writes ahead
  for (const std::string& bytes : {whole, wal}) {
    CHECK(outcome(file, bytes) == "taken");
    CHECK(contents_of(file) == bytes);
    CHECK(names_in(directory / "").size() == 4);
    CHECK(contents_of(file.string() + "-journal") == "stale");
    CHECK(contents_of(file.string() + "-wal") == "stale");
  }
}
