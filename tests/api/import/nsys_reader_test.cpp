// SPDX-License-Identifier: Apache-2.0
// What `fenceline import nsys` makes of the rows of a database. Rows are written in SQL, expected values by hand.
#include "tests/support/kineto_sample.hpp"
#include "tests/support/nsys_sample.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

/// One of everything, on two streams.
Report sample() {
  Report report;
  report.copy(1, 9, 1'000, 500, 4096, 11);
  report.kernel(7, 2'000, 700, 12);
  report.fill(7, 3'000, 90, 64, 13);
  report.copy(2, 9, 4'000, 300, 128, 14);
  return report;
}

/// Of the only row of a table.
std::string refused_with(const std::string& table, const std::string& column, const std::string& value) {
  return refused(sample().sql + "UPDATE " + table + " SET " + column + "=" + value + ";");
}

std::string without(std::string sql, const std::string& part) {
  const std::size_t at = sql.find(part);
  REQUIRE(at != std::string::npos);
  return sql.erase(at, part.size());
}

}  // namespace

TEST_CASE("nsys reader: rows become operations", "[nsys]") {
  Report report = sample();
  report.string(2, "void other(int)");
  report.kernel(9, 5'000, 10, 0, 2, 12);
  report.sql +=
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId=NULL, gridY=3, gridZ=2, blockX=8, blockY=4, blockZ=2, "
      "registersPerThread=255, staticSharedMemory=1000, dynamicSharedMemory=24 WHERE demangledName=2;";
  const KinetoTrace trace = read_database(report.sql);
  REQUIRE(trace.ops.size() == 5);  // kernels, copies, memsets
  CHECK(trace.names == std::vector<std::string>{"void app::kernel<int>(float*)", "void other(int)"});
  const KinetoOp& kernel = trace.ops[0];
  CHECK(kernel.kind == KinetoOp::Kind::kernel);
  CHECK(kernel.name == 0);
  CHECK(kernel.stream == 7);
  CHECK(kernel.context == 1);
  CHECK(kernel.device == 0);
  CHECK(kernel.correlation == 12);
  CHECK(kernel.start_ns == 2'000);
  CHECK(kernel.end_ns == 2'700);
  CHECK(kernel.x == 264);
  CHECK(kernel.threads == 256);
  CHECK(kernel.registers_per_thread == 32);
  const KinetoOp& other = trace.ops[1];
  CHECK(other.name == 1);
  CHECK(other.correlation == 0);
  CHECK(other.groups() == 12 * 3 * 2);
  CHECK(other.threads == 64);
  CHECK(other.registers_per_thread == 255);
  CHECK(other.shared_bytes == 1024);
  CHECK(trace.ops[2].kind == KinetoOp::Kind::copy);
  CHECK(trace.ops[2].route == CopyRoute::host_to_device);
  CHECK(trace.ops[2].bytes == 4096);
  CHECK(trace.ops[3].route == CopyRoute::device_to_host);
  CHECK(trace.ops[3].start_ns == 4'000);
  CHECK(trace.ops[4].kind == KinetoOp::Kind::fill);
  CHECK(trace.ops[4].bytes == 64);
  CHECK(trace.regions.empty());
}

TEST_CASE("nsys reader: a copy's kind says its way", "[nsys]") {
  using R = CopyRoute;
  const std::vector<R> routes = {R::host_to_device,   R::device_to_host,   R::host_to_device,   R::device_to_host,
                                 R::device_to_device, R::device_to_device, R::device_to_device, R::device_to_device,
                                 R::host_to_host,     R::device_to_device, R::host_to_device,   R::device_to_host,
                                 R::device_to_device};  // HtoD DtoH HtoA AtoH AtoA AtoD DtoA DtoD HtoH PtoP, unified
  Report report;
  for (int kind = 1; kind <= 13; ++kind) report.copy(kind, 7, kind * 1'000, 10, 64, static_cast<std::uint64_t>(kind));
  const KinetoTrace trace = read_database(report.sql);
  REQUIRE(trace.ops.size() == routes.size());
  for (std::size_t i = 0; i < routes.size(); ++i) {
    CAPTURE(i);
    CHECK(trace.ops[i].route == routes[i]);
  }
}

TEST_CASE("nsys reader: waits are for the last record of the event before the call", "[nsys]") {
  Report report = sample();
  report.record(7, 20, 5);
  report.record(7, 40, 5);
  report.record(9, 30, 6);
  report.stream_wait(9, 35, 5);  // for 20
  report.stream_wait(9, 41, 5);  // for 40
  report.stream_wait(7, 29, 6);  // nothing was recorded
  report.stream_wait(7, 50, 7);  // never recorded
  report.sql +=
      "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1, 9, 36, 3, 5, NULL), (1, 9, NULL, 2, 5, NULL), "
      "(1, 9, -1, 2, 5, NULL), (1, 7, 60, 2, 9, 71), (2, 7, 60, 2, 5, NULL);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (1, 9, 55, 9, 71), (1, 9, 58, 9, 72), (1, NULL, 59, 9, 71);";
  const KinetoTrace trace = read_database(report.sql);
  REQUIRE(trace.waits.size() == 3);
  CHECK(trace.waits[0].context == 1);
  CHECK(trace.waits[0].stream == 9);
  CHECK(trace.waits[0].correlation == 35);
  CHECK(trace.waits[0].wait_on_stream == 7);
  CHECK(trace.waits[0].record_correlation == 20);
  CHECK(trace.waits[1].record_correlation == 40);
  CHECK(trace.waits[2].record_correlation == 55);  // not 58: the record of its number
}

TEST_CASE("nsys reader: tables and columns that are not needed may be missing", "[nsys]") {
  // As the first versions had it: no numbers of texts and of synchronisation, no processes, no names but the short one.
  std::string sql = sample().sql;
  const std::string create = sql.substr(0, sql.find("INSERT"));
  CHECK(refused(create) ==
        "report.sqlite: /: expected GPU work: rows of CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, "
        "CUPTI_ACTIVITY_KIND_MEMSET or CUPTI_ACTIVITY_KIND_GRAPH_TRACE (`nsys profile --trace=cuda`), found none");
  CHECK_THAT(refused("CREATE TABLE StringIds (id, value);"), Contains("expected GPU work"));
  const KinetoTrace old = read_database(
      "CREATE TABLE StringIds (id INTEGER, value TEXT); INSERT INTO StringIds VALUES (3, 'k'), (3, 'a second time');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (shortName INT, start INT, end INT, deviceId INT, contextId INT, "
      "streamId INT, registersPerThread INT, gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT, blockZ INT, "
      "staticSharedMemory INT, dynamicSharedMemory INT);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (3, 10, 20, 0, 1, 7, 32, 1, 1, 1, 32, 1, 1, 0, 0);"
      "CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT, globalTid INT);"
      "INSERT INTO NVTX_EVENTS VALUES (0, 30, 59, 'r', 1), (0, NULL, 34, 'm', 1);");
  CHECK(old.names == std::vector<std::string>{"k"});
  CHECK(old.ops.size() == 1);
  CHECK(old.ops[0].correlation == 0);
  CHECK(old.ranges == 1);
  CHECK(old.ranges_around == 0);

  for (const char* column : {"start", "streamId", "registersPerThread", "gridY", "blockZ", "dynamicSharedMemory"}) {
    INFO(column);
    const std::string part = std::string(column) + (std::string(column) == "dynamicSharedMemory" ? "" : " INTEGER, ");
    std::string without_it = create;
    const std::size_t kernels = without_it.find("KIND_KERNEL (");
    const std::size_t at = without_it.find(part, kernels);
    without_it.replace(at, std::string(column).size(), "x");
    CHECK_THAT(refused(without_it), Contains("report.sqlite: /CUPTI_ACTIVITY_KIND_KERNEL: expected a column " +
                                             std::string(column) + ", found "));
  }
  CHECK_THAT(refused(without(create, "demangledName INTEGER, ")),
             Contains("/CUPTI_ACTIVITY_KIND_KERNEL: expected a column demangledName or shortName or mangledName, found "
                      "start, end, deviceId, contextId, streamId, correlationId, globalPid, registersPerThread, "));
  CHECK_THAT(refused(without(create, ", copyKind INTEGER")),
             Contains("/CUPTI_ACTIVITY_KIND_MEMCPY: expected a column copyKind, found start, end, "));
  CHECK_THAT(
      refused(
          "CREATE TABLE NVTX_EVENTS (start INT);" +
          without(
              sample().sql,
              "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, "
              "endGlobalTid INTEGER, textId INTEGER);")),
      Contains("/NVTX_EVENTS: expected a column eventType, found start"));
}

TEST_CASE("nsys reader: a value that cannot be is told with table, row and column", "[nsys]") {
  const std::string kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
  const std::string copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
  CHECK(refused(sample().sql) == "nothing");
  CHECK(refused_with(kernels, "gridX", "'many'") ==
        "report.sqlite: /CUPTI_ACTIVITY_KIND_KERNEL/0/gridX: expected a whole number, 1 to 2147483647, found \"many\"");
  CHECK(refused_with(copies, "end", "1499 WHERE correlationId=11") == "nothing");
  CHECK(refused_with(copies, "end", "3999 WHERE correlationId=14") ==
        "report.sqlite: /CUPTI_ACTIVITY_KIND_MEMCPY/1/end: expected nanoseconds, 4000 to 1000000004000, found 3999");
  CHECK_THAT(refused_with(kernels, "start", "NULL"),
             Contains("/0/start: expected nanoseconds, -9000000000000000000 to 9000000000000000000, found NULL"));
  CHECK_THAT(refused_with(kernels, "start", "9223372036854775807"), Contains("found 9223372036854775807"));
  CHECK_THAT(refused_with(kernels, "start", "9223372036854775808"), Contains("found 9.2233720368547758e+18"));
  CHECK_THAT(refused_with(kernels, "start", "-9223372036854775808"), Contains("found -9223372036854775808"));
  CHECK_THAT(refused_with(kernels, "end", "2000.5"), Contains("/0/end: expected nanoseconds, 2000 to "));
  CHECK_THAT(refused_with(kernels, "streamId", "x'0011'"),
             Contains("/0/streamId: expected a whole number") && Contains("found 2 bytes"));
  CHECK_THAT(refused_with(kernels, "streamId", "-1"), Contains("found -1"));
  CHECK_THAT(refused_with(kernels, "deviceId", "4294967296"), Contains("0 to 4294967295, found 4294967296"));
  CHECK_THAT(refused_with(kernels, "correlationId", "'twelve'||char(10)"), Contains("found \"twelve\\n\""));
  CHECK_THAT(refused_with(kernels, "gridX", "0"), Contains("1 to 2147483647, found 0"));
  CHECK_THAT(refused_with(kernels, "gridY", "65536"), Contains("1 to 65535, found 65536"));
  CHECK_THAT(refused_with(kernels, "gridX", "2147483647, gridY=65535"),
             Contains("/0/gridX: expected at most 1000000000000 blocks, found more"));
  CHECK_THAT(refused_with(kernels, "blockX", "1024, blockY=2"),
             Contains("/0/blockX: expected at most 1024 threads, found 2048"));
  CHECK_THAT(refused_with(kernels, "registersPerThread", "256"), Contains("0 to 255, found 256"));
  CHECK_THAT(refused_with(kernels, "dynamicSharedMemory", "10000001"), Contains("0 to 10000000, found 10000001"));
  CHECK_THAT(refused_with(kernels, "demangledName", "17"),
             Contains("/0/demangledName: expected a number of the table StringIds, found one that it does not have"));
  CHECK_THAT(refused_with("StringIds", "value", "x'41'"),
             Contains("/StringIds/0/value: expected a text, found 1 bytes"));
  CHECK_THAT(refused_with(copies, "bytes", "1000000000000001"), Contains("0 to 1000000000000000, found"));
  CHECK_THAT(refused_with(copies, "copyKind", "0"), Contains("/0/copyKind: expected a kind of copy, 1 to 13, found 0"));
  CHECK_THAT(refused_with(copies, "copyKind", "NULL"), Contains("found NULL"));
  CHECK_THAT(refused_with("CUPTI_ACTIVITY_KIND_MEMSET", "bytes", "-1"), Contains("/0/bytes: expected a whole number"));

  Report two = sample();
  two.kernel(7, 9'000, 10, 30);
  two.sql += "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid=5 WHERE correlationId=30;";
  CHECK_THAT(refused(two.sql), Contains("/CUPTI_ACTIVITY_KIND_KERNEL/1/globalPid: expected operations of one process, "
                                        "117440512 as before, found 5"));
}

TEST_CASE("nsys reader: of several devices the work of one, with its process's waits and calls alone", "[nsys]") {
  // Two processes with a device each, whose numbers of calls, contexts, streams and events are the same.
  Report report;
  report.kernel(7, 1'000, 100, 1);
  report.kernel(9, 2'000, 100, 4);
  report.call(500, 600, 1, 1);
  report.range("ours", 0, 700, 1);
  report.sql +=
      "ALTER TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ADD COLUMN globalPid INTEGER;"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT ADD COLUMN globalPid INTEGER;";
  const std::string ours = std::to_string(Report::process);
  const std::string theirs = std::to_string(Report::process * 2);
  report.sql +=
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start + 5, end + 5, 3, contextId, streamId, correlationId, " +
      theirs +
      ", 99, 32, 1, 1, 1, 32, 1, 1, 0, 0 FROM CUPTI_ACTIVITY_KIND_KERNEL;"
      "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (1, 7, 2, 5, NULL, " +
      ours + "), (1, 8, 2, 5, NULL, " + theirs +
      ");"
      "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1, 9, 3, 2, 5, NULL, " +
      ours + "), (1, 9, 3, 2, 5, NULL, " + theirs +
      ");"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 20, " +
      theirs +
      " + 1, 4);"
      "INSERT INTO NVTX_EVENTS VALUES (0, 700, 59, 'theirs', " +
      theirs +
      " + 1, NULL, NULL);"
      "INSERT INTO StringIds VALUES (99, 'other');";
  CHECK_THAT(refused(report.sql),
             Contains("/CUPTI_ACTIVITY_KIND_KERNEL/2/globalPid: expected operations of one process"));
  const TemporaryDirectory directory;
  write_database(directory / "report.sqlite", report.sql);
  const KinetoTrace trace = read_nsys(directory / "report.sqlite", {}, 0);
  REQUIRE(trace.ops.size() == 2);
  CHECK(trace.names.size() == 1);
  REQUIRE(trace.waits.size() == 1);
  CHECK(trace.waits[0].wait_on_stream == 7);
  REQUIRE(trace.regions.size() == 2);
  CHECK(trace.regions[1].name == "ours");
  CHECK(trace.ops[0].region == 1);
  CHECK(trace.ops[1].region == 0);
  const KinetoTrace other = read_nsys(directory / "report.sqlite", {}, 3);
  REQUIRE(other.ops.size() == 2);
  CHECK(other.ops[0].event == 2);  // rows are counted as they are stored
  CHECK(other.names == std::vector<std::string>{"other"});
  REQUIRE(other.waits.size() == 1);
  CHECK(other.waits[0].wait_on_stream == 8);
  REQUIRE(other.regions.size() == 2);
  CHECK(other.regions[1].name == "theirs");
  CHECK(other.ops[1].region == 1);
}

TEST_CASE("nsys reader: a graph of which the profile says no kernels is a kernel of its length", "[nsys]") {
  Report report = sample();
  report.sql +=
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INT, end INT, deviceId INT, contextId INT, streamId INT, "
      "correlationId INT, globalPid INT, graphId INT, graphExecId INT);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (500000, 700000, 0, 1, 7, 21, NULL, 4, 9);";
  const KinetoTrace trace = read_database(report.sql);
  REQUIRE(trace.ops.size() == 5);
  CHECK(trace.whole_graphs == 1);
  CHECK_FALSE(trace.ops[4].has_size);
  CHECK(trace.names[trace.ops[4].name] == "graph4");
  Workload workload;
  KinetoImporter importer(builtin_machine("h200"), workload);
  const KinetoImport summary = importer.add(trace, "");
  CHECK(summary.whole_graphs == 1);
  CHECK(summary.assumed.kernels == 1);
  workload.name = "graph";
  const Played played(workload);
  CHECK(played.commands.back().length() == Approx(200).epsilon(0.01));
}
