// SPDX-License-Identifier: Apache-2.0
// Workloads that databases of Nsight Systems become: as of a Kineto trace that says the same, and NVTX ranges as
// regions.
#include "api/workload/load/workload_file.hpp"
#include "tests/support/kineto_sample.hpp"
#include "tests/support/nsys_sample.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <variant>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

Imported imported(const KinetoTrace& trace) {
  Imported result;
  KinetoImporter importer(builtin_machine("h200"), result.workload);
  result.summary = importer.add(trace, "");
  result.workload.name = "imported";
  return result;
}
Imported imported(const Report& report) { return imported(read_database(report.sql)); }

std::string document_of(const Workload& workload) { return dump_json(dump_config(workload)); }

/// A CPU thread's steps in short: "+name" and "-" of regions, the number of lists, "w" and "s" of the queue's.
std::vector<std::string> steps_of(const CpuInfo& cpu) {
  std::vector<std::string> steps;
  for (const CpuStep& step : cpu.timeline) {
    if (const auto* begin = std::get_if<CpuBeginEvent>(&step)) {
      steps.push_back("+" + begin->name);
      CHECK("host." + begin->queue == cpu.name);
    }
    if (const auto* end = std::get_if<CpuEndEvent>(&step)) {
      steps.emplace_back("-");
      CHECK("host." + end->queue == cpu.name);
    }
    if (const auto* execute = std::get_if<CpuExecute>(&step)) steps.push_back(std::to_string(execute->lists.size()));
    if (std::holds_alternative<CpuQueueWait>(step)) steps.emplace_back("w");
    if (std::holds_alternative<CpuQueueSignal>(step)) steps.emplace_back("s");
  }
  return steps;
}

/// Kernels of 20 us that follow each other, with calls `at_us` on a thread, 1 us long.
struct Launch {
  int at_us;
  int thread;
};
Report launched(const std::vector<Launch>& launches, std::int64_t duration = 20'000) {
  Report report;
  std::int64_t start = 1'000'000;
  std::uint64_t correlation = 1;
  for (const Launch& launch : launches) {
    report.kernel(7, start, duration, correlation);
    report.call(launch.at_us * 1'000, launch.at_us * 1'000 + 1'000, launch.thread, correlation);
    start += duration + 1'400;
    ++correlation;
  }
  return report;
}

}  // namespace

TEST_CASE("nsys import: a database and a Kineto trace that say the same are the same workload", "[nsys]") {
  Trace trace;
  trace.kernel(7, 0, 100, 10, "void a<int>(int)");
  trace.kernel(9, 107, 50, 20, "b(float)", 66);
  trace.stream_wait(9, 15, 7, 12);
  trace.kernel(7, 110, 30, 21, "void a<int>(int)");
  trace.memory("Memcpy HtoD (Pinned -> Device)", 9, 158.5, 20, 1 << 20, 22);
  trace.kernel(7, 186, 40, 30, "b(float)", 66);
  trace.stream_wait(7, 25, 9, 24);
  trace.kernel(7, 226.4, 40, 30, "b(float)", 66);  // of one graph
  trace.memory("Memset (Device)", 7, 300, 2, 64, 31);
  trace.memory("Memcpy DtoH (Device -> Pageable)", 9, 350, 9, 4096, 40);
  trace.memory("Memcpy DtoD (Device -> Device)", 9, 360, 9, 65536, 41);

  Report report;
  report.string(10, "void a<int>(int)");
  report.string(11, "b(float)");
  report.kernel(7, 0, 100'000, 10, 10);
  report.kernel(9, 107'000, 50'000, 20, 11, 66);
  report.record(7, 12, 1);
  report.stream_wait(9, 15, 1);
  report.kernel(7, 110'000, 30'000, 21, 10);
  report.copy(1, 9, 158'500, 20'000, 1 << 20, 22);
  report.kernel(7, 186'000, 40'000, 30, 11, 66);
  report.record(9, 24, 2);
  report.stream_wait(7, 25, 2);
  report.kernel(7, 226'400, 40'000, 30, 11, 66);
  report.fill(7, 300'000, 2'000, 64, 31);
  report.copy(2, 9, 350'000, 9'000, 4096, 40);
  report.copy(8, 9, 360'000, 9'000, 65536, 41);

  const Imported from_json = import_trace(trace);
  const Imported from_rows = imported(report);
  CHECK(document_of(from_rows.workload) == document_of(from_json.workload));
  CHECK(from_rows.summary.stated_waits == 2);
  CHECK(from_rows.summary.kernels == 5);
  CHECK(from_rows.summary.step_us == from_json.summary.step_us);
}

TEST_CASE("nsys import: nested ranges are nested regions of the queue, where launches lie in them", "[nsys]") {
  Report report = launched({{5, 1}, {25, 1}, {50, 1}, {120, 1}, {26, 2}});
  report.range("outer", 0, 100'000, 1);
  report.range("inner", 20'000, 40'000, 1);
  report.range("without launches", 60'000, 70'000, 1);
  report.range("of another thread", 0, 10'000, 2);
  const Imported result = imported(report);
  REQUIRE(result.workload.cpus.size() == 1);
  CHECK(steps_of(result.workload.cpus[0]) ==
        std::vector<std::string>{"+outer", "1", "+inner", "1", "-", "1", "-", "2"});
  CHECK(result.summary.ranges == 4);
  CHECK(result.summary.ranges_around == 2);
  CHECK(Played(result.workload).completed);
}

TEST_CASE("nsys import: ranges that overlap end with those inside, and begin again", "[nsys]") {
  Report report = launched({{10, 1}, {50, 1}, {80, 1}});
  report.range("a", 0, 60'000, 1, 60);
  report.range("b", 40'000, 100'000, 1, 60);
  const Imported result = imported(report);
  CHECK(steps_of(result.workload.cpus[0]) == std::vector<std::string>{"+a", "1", "+b", "1", "-", "-", "+b", "1", "-"});
  CHECK(result.summary.ranges_around == 2);
}

TEST_CASE("nsys import: a range counts that starts and ends on the thread of a call that lies in it", "[nsys]") {
  Report report = launched({{10, 1}, {99, 1}, {200, 1}});
  report.string(2, "registered");
  report.range("cut", 95'000, 99'500, 1);  // the call ends later
  const std::string one = std::to_string(Report::process + 1);
  report.sql += "INSERT INTO NVTX_EVENTS VALUES (0, 300000, 60, 'ends elsewhere', " + one +
                ", 5, NULL), "
                "(0, NULL, 59, 'never ends', " +
                one + ", NULL, NULL), (0, 300000, 59, NULL, " + one +
                ", NULL, NULL), "
                "(0, 300000, 59, '', " +
                one +
                ", NULL, NULL), (0, 300000, 59, 'no thread', NULL, NULL, NULL), "
                "(0, 300000, 34, 'mark', " +
                one + ", NULL, NULL), (199000, 300000, 59, NULL, " + one + ", NULL, 2);";
  const Imported result = imported(report);
  CHECK(steps_of(result.workload.cpus[0]) == std::vector<std::string>{"2", "+registered", "1", "-"});
  CHECK(result.summary.ranges == 7);
  CHECK(result.summary.ranges_around == 1);
  CHECK_THAT(refused(report.sql + "UPDATE NVTX_EVENTS SET textId=99 WHERE textId=2;"),
             Contains("/NVTX_EVENTS/7/textId: expected a number of the table StringIds"));
  CHECK_THAT(refused(report.sql + "UPDATE NVTX_EVENTS SET end=94999 WHERE text='cut';"),
             Contains("/NVTX_EVENTS/0/end: expected nanoseconds, 95000 to 9000000000000000000, found 94999"));
}

TEST_CASE("nsys import: regions cost no time where kernels last longer than a call of the host", "[nsys]") {
  std::vector<Launch> launches;
  for (int i = 0; i < 30; ++i) launches.push_back({10 * i, 1});
  Report report = launched(launches, 3'000);
  const Imported plain = imported(report);
  for (int i = 0; i < 30; ++i) {
    report.range("step", 10'000 * i, 10'000 * i + 5'000, 1);
    report.range("kernel", 10'000 * i, 10'000 * i + 2'000, 1);
  }
  const Imported marked = imported(report);
  CHECK(steps_of(plain.workload.cpus[0]) == std::vector<std::string>{"30"});
  CHECK(steps_of(marked.workload.cpus[0]).size() == 30 * 5);
  const Played before(plain.workload);
  const Played after(marked.workload);
  REQUIRE(after.commands.size() == before.commands.size());
  for (std::size_t i = 0; i < before.commands.size(); ++i) {
    CHECK(after.commands[i].end == Approx(before.commands[i].end).margin(0.001));
  }
}

TEST_CASE("nsys import: names of ranges are one line of 200 characters, and 64 are open at most", "[nsys]") {
  Report report = launched({{100, 1}});
  report.range(std::string(300, 'x') + "\n", 0, 200'000, 1);
  for (int i = 1; i < 100; ++i) report.range("r" + std::to_string(i), i, 200'000 - i, 1);
  const Imported result = imported(report);
  const std::vector<std::string> steps = steps_of(result.workload.cpus[0]);
  REQUIRE(steps.size() == 64 + 1 + 64);
  CHECK(steps[0] == "+" + std::string(200, 'x') + "...");
  CHECK(steps[63] == "+r63");
  CHECK(steps[64] == "1");
  CHECK(result.summary.ranges == 100);
  CHECK(result.summary.ranges_around == 64);
}

TEST_CASE("nsys import: the shipped database is its rows, and the workload that they say", "[nsys]") {
  const KinetoTrace trace = read_nsys(shipped_database);
  const Imported result = imported(trace);
  CHECK(document_of(imported(read_database(contents_of(shipped_rows))).workload) == document_of(result.workload));
  // By hand: copy, memset, two kernels and copy, twice.
  CHECK(result.summary.kernels == 4);
  CHECK(result.summary.copies == 4);
  CHECK(result.summary.fills == 2);
  CHECK(result.summary.stated_waits == 4);
  CHECK(result.summary.executions == 10);
  CHECK(result.summary.lists == 5);
  CHECK(result.summary.step_us == std::vector<double>{266, 266});
  CHECK(result.summary.span_us == 866);
  CHECK(result.summary.ranges == 6);
  CHECK(result.summary.ranges_around == 6);
  REQUIRE(result.workload.cpus.size() == 2);
  CHECK(result.workload.cpus[0].name == "host.stream7");
  CHECK(steps_of(result.workload.cpus[0]) ==
        std::vector<std::string>{"+step 1", "+forward pass", "w", "3", "s", "-", "-",  //
                                 "+step 2", "+forward pass", "w", "3", "s", "-", "-"});
  CHECK(steps_of(result.workload.cpus[1]) ==
        std::vector<std::string>{"+step 1", "1", "s", "+result", "w", "1", "s", "-", "-",  //
                                 "+step 2", "1", "s", "+result", "w", "1", "-", "-"});
  const Played played(result.workload);
  CHECK(played.completed);
  // Copies, and the gaps before copies and memsets, are the machine's: 4 MiB take 76 us where the rows have 80.
  CHECK(played.end - played.commands.front().start == Approx(866).epsilon(0.05));
}

TEST_CASE("nsys import: what a machine cannot hold is told at the row", "[nsys]") {
  const auto error_of = [](const Report& report) {
    try {
      imported(report);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  Report devices = launched({{1, 1}, {2, 1}});
  devices.sql += "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId=1 WHERE correlationId=2;";
  CHECK(error_of(devices) ==
        "report.sqlite: /CUPTI_ACTIVITY_KIND_KERNEL/1/deviceId: expected operations of one device, 0 as before "
        "(--device takes those of one), found "
        "device 1");
  Report shared = launched({{1, 1}});
  shared.sql += "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET dynamicSharedMemory=240000;";
  CHECK_THAT(error_of(shared), Contains("/CUPTI_ACTIVITY_KIND_KERNEL/0: expected a kernel whose blocks fit"));
  Report far = launched({{1, 1}, {2, 1}});
  far.sql +=
      "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start=-9000000000000000000, end=-8999999999999999999 "
      "WHERE correlationId=1; UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start=9000000000000000000, "
      "end=9000000000000000001 WHERE correlationId=2;";
  CHECK_THAT(error_of(far), Contains("/CUPTI_ACTIVITY_KIND_KERNEL/1/start: expected operations within"));
}
