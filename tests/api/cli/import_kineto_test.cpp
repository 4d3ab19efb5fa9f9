// SPDX-License-Identifier: Apache-2.0
#include "api/import/import_kineto.hpp"

#include "api/import/kineto_work.hpp"
#include "api/import/read_kineto.hpp"
#include "tests/support/kineto_sample.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

/// Start of the first command of the run: what a measured time 0 is.
double origin_of(const Played& played) {
  const auto earlier = [](const Played::Interval& a, const Played::Interval& b) { return a.start < b.start; };
  return std::min_element(played.commands.begin(), played.commands.end(), earlier)->start;
}

}  // namespace

TEST_CASE("kineto import: a kernel alone lasts as long as measured, whatever its shape", "[kineto]") {
  Trace trace;
  double at = 0;
  std::vector<double> wanted;
  std::uint64_t correlation = 1;
  for (const std::uint64_t groups : {1, 100, 132, 264, 2112, 14112, 200000}) {
    for (const double duration : {96.0, 250.016, 4000.0}) {
      for (const std::uint64_t shared : {0, 40000, 200000}) {
        if (groups == 200000 && duration < 4000) continue;  // beyond the machine
        trace.kernel(7, at, duration, correlation++, "k", groups)["args"]["shared memory"] = shared;
        wanted.push_back(duration);
        at += duration + 100;
      }
    }
  }
  const Imported imported = import_trace(trace);
  const Played played(imported.workload);
  REQUIRE(played.commands.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(i);
    const bool many = i + 3 >= wanted.size();  // some thousand waves of whole cycles each
    if (!many) CHECK(played.commands[i].length() == Approx(wanted[i]).epsilon(0.001));
    if (many) CHECK(played.commands[i].length() == Approx(wanted[i]).epsilon(0.01));
  }
  // The host's work between the kernels is kept.
  CHECK(played.end - origin_of(played) == Approx(at - 100).epsilon(0.001));
}

TEST_CASE("kineto import: the kernels of a graph follow each other as measured", "[kineto]") {
  Trace trace;
  trace.kernel(7, 0, 40, 5);
  trace.kernel(7, 40.4, 20, 5);         // ordinary
  trace.kernel(7, 64, 20, 5);           // starts up for 3.6 us
  trace.kernel(7, 71, 25, 5, "early");  // launched early: on its own from 84 to 96
  trace.kernel(7, 96.1, 10, 5);
  const Imported imported = import_trace(trace);
  REQUIRE(imported.workload.command_lists.size() == 1);
  CHECK(imported.workload.command_lists[0].commands.size() == 9);  // with barriers
  CHECK(imported.workload.queues[0].path == "cuda_graph");
  const Played played(imported.workload);
  REQUIRE(played.commands.size() == 5);
  const std::vector<double> ends = {40, 60.4, 84, 96, 106.1};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    CHECK(played.commands[i].end - origin_of(played) == Approx(ends[i]).margin(0.05));
    if (i > 0) CHECK(played.commands[i].start >= played.commands[i - 1].end);
  }
}

TEST_CASE("kineto import: a step that repeats is recorded once", "[kineto]") {
  Trace trace;
  for (std::uint64_t step = 0; step < 4; ++step) {
    const double at = 1000.0 * static_cast<double>(step);
    const std::uint64_t correlation = step + 1;
    for (int i = 0; i < 10; ++i) {
      trace.kernel(7, at + 20.3 * i, 20 + 0.032 * step, correlation, i % 2 == 0 ? "void f<1>(int)" : "void g(int)");
    }
  }
  const Imported imported = import_trace(trace);
  CHECK(imported.summary.executions == 4);
  CHECK(imported.summary.lists == 1);
  CHECK(imported.workload.command_lists.size() == 1);
  CHECK(imported.workload.compute_pipelines.size() <= 6);
  CHECK(imported.workload.compute_pipelines[0].name == "f.1");
  CHECK(imported.summary.step_us.size() == 4);
  const Played played(imported.workload);
  REQUIRE(played.lists.size() == 4);
  for (const Played::Interval& list : played.lists) {
    const std::size_t step = static_cast<std::size_t>(&list - played.lists.data());
    CHECK(list.end - list.start == Approx(203).epsilon(0.005));
    CHECK(list.start - played.lists[0].start == Approx(1000.0 * static_cast<double>(step)).margin(1));
  }
}

TEST_CASE("kineto import: launches of their own follow on, and the host's pace is kept", "[kineto]") {
  Trace trace;
  std::vector<double> ends;
  double at = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const double duration = 5 + static_cast<double>(i % 3);
    trace.kernel(7, at, duration, i + 1, "k" + std::to_string(i % 3));
    ends.push_back(at + duration);
    at += duration + (i < 30 ? 1.4 : 8.0);  // first the GPU is the slower one, then the host
  }
  const Imported imported = import_trace(trace);
  CHECK(imported.workload.queues[0].path == "cuda_stream");
  CHECK(imported.summary.executions == 60);
  CHECK(imported.workload.command_lists.size() <= 7);  // three kernels, waiting in the queue or not, and the first
  const Played played(imported.workload);
  REQUIRE(played.commands.size() == ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    CHECK(played.commands[i].end - origin_of(played) == Approx(ends[i]).margin(1));
  }
}

TEST_CASE("kineto import: streams become queues and keep their dependencies", "[kineto]") {
  Trace trace;
  const bool stated = GENERATE(true, false);
  trace.kernel(7, 0, 100, 10, "a", 66);
  trace.kernel(9, 107, 50, 20, "b", 66);
  if (stated) trace.stream_wait(9, 15, 7, 12);
  trace.kernel(7, 110, 30, 21, "c", 66);
  trace.memory("Memcpy HtoD (Pinned -> Device)", 9, 158, 20, 1 << 20, 22);
  trace.kernel(7, 186, 40, 30, "d", 66);
  if (stated) trace.stream_wait(7, 25, 9, 24);
  const Imported imported = import_trace(trace);
  CHECK(imported.summary.queues == 2);
  CHECK(imported.summary.stated_waits == (stated ? 2 : 0));
  CHECK(imported.summary.inferred_waits == (stated ? 0 : 2));
  CHECK(imported.workload.queues[0].name == "stream7");
  CHECK(imported.workload.queues[1].name == "stream9");
  const Played played(imported.workload);
  CHECK(played.completed);
  std::map<std::string, Played::Interval> by_name;
  for (const Played::Interval& command : played.commands) by_name[command.name.substr(0, 1)] = command;
  CHECK(by_name["b"].start >= by_name["a"].end);
  CHECK(by_name["d"].start >= by_name["C"].end);  // CopyBufferRegion
  CHECK(by_name["c"].start < by_name["b"].end);
  CHECK(played.end - origin_of(played) == Approx(226).epsilon(0.03));

  // The dependency is the queue's, not the clock's: a longer first kernel moves what waits for it.
  Workload longer = imported.workload;
  for (ComputePipeline& pipeline : longer.compute_pipelines) {
    if (pipeline.name[0] == 'a') pipeline.work.vram_bytes *= 10;
  }
  const Played later(longer);
  for (const Played::Interval& command : later.commands) {
    if (command.name[0] == 'b') CHECK(command.start >= 950);
  }
}

TEST_CASE("kineto import: kernels of two streams that shared the machine keep their common time", "[kineto]") {
  Trace trace;
  for (std::uint64_t i = 0; i < 5; ++i) {
    const double at = 200.0 * static_cast<double>(i);
    trace.kernel(7, at, 100, 1 + 2 * i, "a", 132 * 80);  // each would fill the machine ten times
    trace.kernel(9, at + 0.5, 100, 2 + 2 * i, "b", 132 * 80);
  }
  const Imported imported = import_trace(trace);
  const Played played(imported.workload);
  CHECK(played.end - origin_of(played) == Approx(900.5).epsilon(0.02));
}

TEST_CASE("kineto import: kernels that slowed each other's accesses last as long as measured side by side",
          "[kineto]") {
  // All fit the machine at once: it is the memory that they share.
  const std::uint64_t streams = GENERATE(2u, 3u, 5u);
  Trace trace;
  for (std::uint64_t i = 0; i < streams; ++i) trace.kernel(7 + i, 0, 100, i + 1, "k" + std::to_string(i), 132);
  const Played played(import_trace(trace).workload);
  REQUIRE(played.commands.size() == streams);
  for (const Played::Interval& command : played.commands) CHECK(command.length() == Approx(100).epsilon(0.01));
}

TEST_CASE("kineto import: a kernel beside another for a part of its time lasts as long as measured", "[kineto]") {
  Trace trace;
  trace.kernel(7, 0, 100, 1, "a", 132);
  trace.kernel(9, 60, 100, 2, "b", 132);
  trace.kernel(7, 200, 100, 3, "a", 132);  // as long, and alone
  const Played played(import_trace(trace).workload);
  REQUIRE(played.commands.size() == 3);
  for (const Played::Interval& command : played.commands) CHECK(command.length() == Approx(100).epsilon(0.01));
}

TEST_CASE("kineto import: random traces of streams with company keep their span", "[kineto]") {
  std::mt19937 random(7);
  const auto up_to = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  for (int round = 0; round < 20; ++round) {
    INFO("round " << round);
    Trace trace;
    const int streams = up_to(2, 4);
    std::uint64_t correlation = 0;
    double last_end = 0;
    for (int stream = 0; stream < streams; ++stream) {
      double at = stream == 0 ? 0 : up_to(0, 100);
      for (int kernels = up_to(1, 12); kernels > 0; --kernels) {
        const double length = up_to(8, 300);
        trace.kernel(7 + static_cast<std::uint64_t>(stream), at, length, ++correlation, "k",
                     static_cast<std::uint64_t>(up_to(1, 132)));
        at += length;
        last_end = std::max(last_end, at);
        at += up_to(0, 3) > 0 ? up_to(2, 3) : up_to(25, 200);
      }
    }
    const Played played(import_trace(trace).workload);
    CHECK(played.completed);
    CHECK(played.end - origin_of(played) == Approx(last_end).epsilon(0.01));
  }
}

TEST_CASE("kineto import: copies and memsets move their bytes", "[kineto]") {
  Trace trace;
  trace.memory("Memcpy HtoD (Pinned -> Device)", 7, 0, 30, 1 << 20, 1);
  trace.memory("Memcpy DtoH (Device -> Pinned)", 7, 100, 30, 1 << 21, 2);
  trace.memory("Memcpy DtoD (Device -> Device)", 7, 200, 30, 1 << 22, 3);
  trace.memory("Memset (Device)", 7, 300, 30, 4, 4);
  trace.memory("Memset (Device)", 7, 400, 30, 0, 5);
  const Imported imported = import_trace(trace);
  CHECK(imported.summary.copies == 3);
  CHECK(imported.summary.fills == 2);
  CHECK(imported.workload.resources.size() == 6);  // two filled, two sides each of host and device
  const Played played(imported.workload);
  REQUIRE(played.commands.size() == 5);
  CHECK(played.commands[1].length() > 1.8 * played.commands[0].length());
  for (std::size_t i = 0; i < 5; ++i) {  // what the copies do faster, the host still waits for
    CHECK(played.commands[i].start - origin_of(played) == Approx(100.0 * static_cast<double>(i)).margin(1));
  }
}

TEST_CASE("kineto import: two traces become two processes of one workload", "[kineto]") {
  Trace one;
  one.kernel(7, 0, 50, 1);
  one.kernel(7, 500, 50, 2);
  one.memory("Memset (Device)", 7, 600, 3, 64, 3);
  const KinetoTrace trace = read_trace(one.document().dump());
  const MachineConfig machine = builtin_machine("h200");
  Workload workload;
  workload.name = "both";
  KinetoImporter importer(machine, workload);
  CHECK(importer.add(trace, "left").context == "left");
  importer.add(trace, "right");
  REQUIRE(workload.queues.size() == 2);
  CHECK(workload.queues[0].name == "left.stream7");
  CHECK(workload.queues[0].process == "left");
  CHECK(workload.queues[1].name == "right.stream7");
  CHECK(workload.queues[1].process == "right");
  REQUIRE(workload.processes.size() == 2);
  CHECK(workload.processes[0].name == "left");
  CHECK(workload.processes[1].name == "right");
  CHECK(Played(workload).lists.size() == 6);
}

TEST_CASE("kineto import: what a machine cannot hold is told with the kernel and the limit", "[kineto]") {
  const auto error_of = [](const Trace& trace, const MachineConfig& machine) {
    try {
      import_text(trace.document().dump(), machine);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  MachineConfig machine = builtin_machine("h200");
  Trace shared;
  shared.kernel(7, 0, 1);
  shared.kernel(7, 5, 1, 0, "void big<int>()")["args"]["shared memory"] = 240000;
  CHECK(error_of(shared, machine) ==
        "trace.json: /traceEvents/1/args: expected a kernel whose blocks fit on an SM of machine h200, found \"big\", "
        "whose block needs 241024 bytes of shared memory of 233472");
  Trace registers;
  nlohmann::json& kernel = registers.kernel(7, 0, 1);
  kernel["args"]["registers per thread"] = 255;
  kernel["args"]["block"] = {1024, 1, 1};
  CHECK_THAT(error_of(registers, machine), Contains("262144 registers of 65536"));
  Trace huge;
  huge.kernel(7, 0, 1)["args"]["grid"] = {2147483647, 400, 1};
  CHECK_THAT(error_of(huge, machine), Contains("blocks for at most 1000000 waves"));
  Trace devices;
  devices.kernel(7, 0, 1);
  devices.kernel(7, 5, 1)["args"]["device"] = 1;
  CHECK_THAT(error_of(devices, machine), Contains("/traceEvents/1/args/device: expected operations of one device"));
  Trace far;
  far.kernel(7, 0, 1);
  far.kernel(7, 1e15, 1);
  CHECK_THAT(error_of(far, machine), Contains("/traceEvents/1/ts: expected operations within"));
  Trace farthest;  // their difference has more than 63 bits
  farthest.kernel(7, -9e15, 1);
  farthest.kernel(7, 9e15, 1);
  CHECK_THAT(error_of(farthest, machine), Contains("/traceEvents/1/ts: expected operations within"));
  machine.engines = {CopyEngineConfig{}};
  CHECK_THAT(error_of(far, machine), Contains("expected a compute node for the kernels, found none"));
}

TEST_CASE("kineto import: any machine will do, with its default path", "[kineto]") {
  Trace trace;
  trace.kernel(7, 0, 50, 1);
  trace.kernel(7, 51, 50, 1);
  trace.kernel(7, 151, 50, 2);
  const MachineConfig machine;
  const Imported imported = import_text(trace.document().dump(), machine);
  CHECK(imported.workload.queues[0].path.empty());
  const Played played(imported.workload, machine);
  CHECK(played.end - origin_of(played) == Approx(201).epsilon(0.01));
}

TEST_CASE("kineto import: kernel names are shortened", "[kineto]") {
  CHECK(short_kernel_name("void at::native::(anonymous namespace)::layer_norm_kernel<float>(int, float)") ==
        "layer_norm_kernel");
  CHECK(short_kernel_name("sm90_xmma_fprop") == "sm90_xmma_fprop");
  CHECK(short_kernel_name("void f(std::pair<a::b, c::d>)") == "f");
  CHECK(short_kernel_name("") == "kernel");
  CHECK(short_kernel_name("<lambda>") == "kernel");
  CHECK(short_kernel_name(std::string(300, 'x')).size() == 48);
}

TEST_CASE("kineto import: real steps take what was measured", "[kineto][validation]") {
  const std::string job = GENERATE("decode", "train");
  const std::filesystem::path directory = source_directory() / "bench/hardware/h200";
  const auto mix = load_json(directory / "torch_mix.json");
  const double measured = mix.at(job + "_alone_us").at("p50");
  Workload workload;
  KinetoImporter importer(builtin_machine("h200"), workload);
  const KinetoTrace trace = read_kineto(directory / ("torch_" + job + ".kineto.json"));
  const KinetoImport summary = importer.add(trace, "");
  workload.name = job;
  CHECK(summary.unmatched <= 3);  // short kernels of many groups, whose launching alone takes longer
  REQUIRE(summary.step_us.size() == 3);
  const Played played(workload);
  REQUIRE(played.lists.size() == 3);
  CHECK(played.end - origin_of(played) == Approx(summary.span_us).epsilon(0.001));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(played.lists[i].length() == Approx(summary.step_us[i]).epsilon(0.003));  // the steps differ by 0.2 %
    CHECK(played.lists[i].length() == Approx(measured).epsilon(0.02));
  }
}
