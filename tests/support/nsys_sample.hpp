// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/import_kineto.hpp"
#include "api/import/nsys/read_nsys.hpp"
#include "api/machine_config.hpp"
#include "tests/support/places.hpp"
#include "tests/support/temporary_directory.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <sqlite3.h>
#include <stdexcept>
#include <string>

namespace fenceline::testing {

inline const std::filesystem::path shipped_database = source_directory() / "examples/nsys/two_streams.sqlite";
inline const std::filesystem::path shipped_rows = source_directory() / "examples/nsys/two_streams.sql";

/// Makes a database of what the text says, in SQL.
inline void write_database(const std::filesystem::path& file, const std::string& sql) {
  std::filesystem::remove(file);
  sqlite3* database = nullptr;
  char* message = nullptr;
  int code = sqlite3_open(file.c_str(), &database);
  if (code == SQLITE_OK) {
    code = sqlite3_exec(database, ("PRAGMA page_size=512; PRAGMA journal_mode=MEMORY;" + sql).c_str(), nullptr, nullptr,
                        &message);
  }
  const std::string told = message == nullptr ? "" : message;
  sqlite3_free(message);
  sqlite3_close(database);
  if (code != SQLITE_OK) throw std::logic_error("no database: " + told);
}

/// Writes what `nsys export --type sqlite` would write. Times are nanoseconds; what is started is as in
/// kineto_sample.hpp.
class Report {
 public:
  static constexpr std::int64_t process = std::int64_t{7} << 24;  ///< a globalPid; threads are numbered behind it

  std::string sql =
      "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
      "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, registersPerThread INTEGER, "
      "gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, "
      "staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
      "streamId INTEGER, correlationId INTEGER, bytes INTEGER, copyKind INTEGER);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
      "streamId INTEGER, correlationId INTEGER, bytes INTEGER);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
      "syncType INTEGER, eventId INTEGER, eventSyncId INTEGER);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
      "eventId INTEGER, eventSyncId INTEGER);"
      "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, "
      "endGlobalTid INTEGER, textId INTEGER);"
      "INSERT INTO StringIds VALUES (1, 'void app::kernel<int>(float*)');";

  void kernel(std::uint64_t stream, std::int64_t start, std::int64_t duration, std::uint64_t correlation, int name = 1,
              std::uint64_t groups = 264) {
    add("CUPTI_ACTIVITY_KIND_KERNEL VALUES ({}, {}, 0, 1, {}, {}, {}, {}, 32, {}, 1, 1, 256, 1, 1, 0, 0)", start,
        start + duration, stream, correlation, process, name, groups);
  }
  void copy(int kind, std::uint64_t stream, std::int64_t start, std::int64_t duration, std::uint64_t bytes,
            std::uint64_t correlation) {
    add("CUPTI_ACTIVITY_KIND_MEMCPY VALUES ({}, {}, 0, 1, {}, {}, {}, {})", start, start + duration, stream,
        correlation, bytes, kind);
  }
  void fill(std::uint64_t stream, std::int64_t start, std::int64_t duration, std::uint64_t bytes,
            std::uint64_t correlation) {
    add("CUPTI_ACTIVITY_KIND_MEMSET VALUES ({}, {}, 0, 1, {}, {}, {})", start, start + duration, stream, correlation,
        bytes);
  }
  void record(std::uint64_t stream, std::uint64_t correlation, int event) {
    add("CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (1, {}, {}, {}, NULL)", stream, correlation, event);
  }
  void stream_wait(std::uint64_t stream, std::uint64_t correlation, int event) {
    add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1, {}, {}, 2, {}, NULL)", stream, correlation, event);
  }
  /// The call that launched something.
  void call(std::int64_t start, std::int64_t end, int thread, std::uint64_t correlation) {
    add("CUPTI_ACTIVITY_KIND_RUNTIME VALUES ({}, {}, {}, {})", start, end, process + thread, correlation);
  }
  void range(const std::string& name, std::int64_t start, std::int64_t end, int thread, int type = 59) {
    add("NVTX_EVENTS VALUES ({}, {}, {}, '{}', {}, NULL, NULL)", start, end, type, name, process + thread);
  }
  void string(int id, const std::string& text) { add("StringIds VALUES ({}, '{}')", id, text); }

 private:
  template <class... Values>
  void add(fmt::format_string<const Values&...> text, const Values&... values) {
    sql += "INSERT INTO " + fmt::format(text, values...) + ";";
  }
};

inline KinetoTrace read_database(const std::string& sql) {
  const TemporaryDirectory directory;
  write_database(directory / "report.sqlite", sql);
  KinetoTrace trace = read_nsys(directory / "report.sqlite");
  trace.file = "report.sqlite";
  return trace;
}

/// What the ConfigError says behind the directory; "nothing" where there is none.
inline std::string refused(const std::string& sql) {
  const TemporaryDirectory directory;
  write_database(directory / "report.sqlite", sql);
  try {
    read_nsys(directory / "report.sqlite");
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    const std::size_t file = text.find("report.sqlite");
    return file == std::string::npos ? text : text.substr(file);
  }
  return "nothing";
}

}  // namespace fenceline::testing
