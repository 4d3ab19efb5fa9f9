// SPDX-License-Identifier: Apache-2.0
#include "api/import/read_kineto.hpp"
#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/sanitizers.hpp"
#include "tests/support/kineto_sample.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const std::string decode_file = (source_directory() / "bench/hardware/h200/torch_decode.kineto.json").string();
const std::string train_file = (source_directory() / "bench/hardware/h200/torch_train.kineto.json").string();

std::string small_trace() {
  Trace trace;
  trace.kernel(7, 0, 50, 1);
  trace.kernel(7, 50.3, 50, 1);
  trace.memory("Memset (Device)", 7, 300, 3, 64, 2);
  return trace.document().dump();
}

}  // namespace

TEST_CASE("fenceline import kineto: writes a workload that checks and runs", "[cli][kineto]") {
  const Shell shell;
  const Output import = shell.fenceline({"import", "kineto", decode_file, "-o", "decode.json"});
  CHECK(import.code == 0);
  CHECK(import.err.empty());
  CHECK_THAT(import.out, Contains("operations   672: 672 kernels, 0 copies, 0 memsets"));
  CHECK_THAT(import.out, Contains("lists        3 executed, 1 recorded"));
  CHECK_THAT(import.out, Contains("steps        3, measured 2910.042 .. 2913.115 us"));
  CHECK_THAT(import.out, Contains("workload     decode.json\n"));
  CHECK_THAT(import.out, Contains("assumed      96 concatenations of one long tensor: a single row of blocks"));
  CHECK(lines_of(import.out) == 8);
  CHECK(shell.fenceline({"check", "decode.json"}).code == 0);
  const Output run = shell.fenceline({"run", "decode.json", "--json"});
  CHECK(run.code == 0);
  CHECK(json::parse(run.out)["statistics"]["end_ps"].get<double>() / 1e6 == Approx(9276.848).epsilon(0.001));
  CHECK_FALSE(fs::exists(shell.work() / "decode.json.partial"));
}

TEST_CASE("fenceline import kineto: a workload reads back as itself, and the same trace gives the same bytes",
          "[cli][kineto]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"import", "kineto", train_file, "-o", "train.json"}).code == 0);
  const std::string first = contents_of(shell.work() / "train.json");
  REQUIRE(shell.fenceline({"import", "kineto", train_file, "-o", "train.json"}).code == 0);
  CHECK(contents_of(shell.work() / "train.json") == first);
  const auto workload = read_config<Workload>(parse_json(first, "train.json"), "train.json");
  CHECK(dump_json(dump_config(workload)) == first);
  CHECK(workload.machine == "h200");
}

TEST_CASE("fenceline import kineto: --context makes processes", "[cli][kineto]") {
  const Shell shell;
  shell.write("a.json", small_trace());
  const auto processes = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"import", "kineto", "-o", "out.json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Output import = shell.fenceline(arguments);
    CAPTURE(import.err);
    REQUIRE(import.code == 0);
    const json workload = load_json(shell.work() / "out.json");
    CHECK(shell.fenceline({"run", "out.json"}).code == 0);
    std::vector<std::string> names;
    for (const json& queue : workload["queues"]) names.push_back(queue["process"]);
    return names;
  };
  CHECK(processes({"a.json"}) == std::vector<std::string>{""});
  CHECK(processes({"a.json", "--context", "x"}) == std::vector<std::string>{"x"});
  CHECK(processes({"a.json", "a.json", "--context", "x", "--context", "y"}) == std::vector<std::string>{"x", "y"});
  shell.write("b.kineto.json", small_trace());
  CHECK(processes({"a.json", "b.kineto.json"}) == std::vector<std::string>{"a", "b"});

  const auto error_of = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"import", "kineto", "-o", "out.json", "a.json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Output import = shell.fenceline(arguments);
    CHECK(import.code == 2);
    CHECK(lines_of(import.err) == 1);
    return import.err;
  };
  CHECK_THAT(error_of({"b.kineto.json", "--context", "x"}), Contains("expected one for each of the 2 traces"));
  CHECK_THAT(error_of({"a.json"}), Contains("\"a\" a second time, after the files"));
  CHECK_THAT(error_of({"--context", "a.b"}), Contains("expected a name of letters, digits, _ and -, found \"a.b\""));
}

TEST_CASE("fenceline import kineto: --device takes the work of one of several", "[cli][kineto]") {
  const Shell shell;
  Trace trace;
  trace.kernel(7, 0, 50, 1);
  trace.kernel(7, 100, 50, 2)["args"]["device"] = 1;
  trace.kernel(7, 200, 50, 3)["args"]["device"] = 1;
  shell.write("two.json", trace.document().dump());
  const Output both = shell.fenceline({"import", "kineto", "two.json", "-o", "out.json"});
  CHECK(both.code == 2);
  CHECK_THAT(both.err,
             Contains("/traceEvents/1/args/device: expected operations of one device, 0 as before (--device"));
  const Output one = shell.fenceline({"import", "kineto", "two.json", "-o", "out.json", "--device", "1"});
  CHECK(one.code == 0);
  CHECK_THAT(one.out, Contains("operations   2: 2 kernels"));
  const Output none = shell.fenceline({"import", "kineto", "two.json", "-o", "out.json", "--device", "2"});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("two.json: /traceEvents: expected GPU work of device 2, found none"));
}

TEST_CASE("fenceline import kineto: names the machine as seen from the workload", "[cli][kineto]") {
  const Shell shell;
  shell.write("a.json", small_trace());
  shell.write("machines/m.json", contents_of(source_directory() / "configs/machines/h200.json"));
  fs::create_directories(shell.work() / "out");
  REQUIRE(shell.fenceline({"import", "kineto", "a.json", "-o", "out/w.json", "--machine", "machines/m.json"}).code ==
          0);
  CHECK(load_json(shell.work() / "out/w.json")["machine"] == "../machines/m.json");
  CHECK(shell.fenceline({"run", "out/w.json"}).code == 0);
}

TEST_CASE("fenceline import kineto: wrong input is one line and exit code 2, and leaves the old workload",
          "[cli][kineto]") {
  const Shell shell;
  shell.write("out.json", "old");
  const std::vector<std::pair<std::string, std::string>> traces = {
      {"{}", "expected a Kineto trace"},
      {"{\"traceEvents\": []}", "expected GPU work"},
      {small_trace().substr(0, 300), "found the end of the file at byte 300"},
      {"\x1f\x8b\x08", "expected a gzip file that is whole"},
      {"", "found an empty file"},
  };
  for (const auto& [text, expected] : traces) {
    shell.write("trace.json", text);
    const Output import = shell.fenceline({"import", "kineto", "trace.json", "-o", "out.json"});
    CHECK(import.code == 2);
    CHECK(import.out.empty());
    CHECK(lines_of(import.err) == 1);
    CHECK_THAT(import.err, Contains("trace.json: /") && Contains(expected));
  }
  CHECK_THAT(shell.fenceline({"import", "kineto", "none.json", "-o", "out.json"}).err, Contains("found no such file"));
  CHECK(contents_of(shell.work() / "out.json") == "old");
  CHECK(shell.fenceline({"import", "kineto", "trace.json"}).code == 2);
  CHECK(shell.fenceline({"import"}).code == 2);
  shell.write("trace.json", small_trace());
  const Output full = shell.fenceline({"import", "kineto", "trace.json", "-o", "none/out.json"});
  CHECK(full.code == 1);
  CHECK_THAT(full.err, Contains("none/out.json"));
}

TEST_CASE("fenceline import kineto: a trace is read as the profiler packs it, and the workload goes where it is sent",
          "[cli][kineto]") {
  const Shell shell;
  shell.write("a.json", small_trace());
  REQUIRE(shell.fenceline({"import", "kineto", "a.json", "-o", "plain.json"}).code == 0);
  const std::string text = small_trace();
  const gzFile packed = gzopen((shell.work() / "a.json.gz").c_str(), "wb");
  REQUIRE(gzwrite(packed, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
  REQUIRE(gzclose(packed) == Z_OK);
  fs::create_directories(shell.work() / "packed");
  fs::rename(shell.work() / "a.json.gz", shell.work() / "packed/a.json");
  REQUIRE(shell.fenceline({"import", "kineto", "packed/a.json", "-o", "packed.json"}).code == 0);
  const json plain = load_json(shell.work() / "plain.json");
  json from_packed = load_json(shell.work() / "packed.json");
  from_packed["name"] = plain["name"];
  CHECK(from_packed == plain);

  const Output sent = shell.fenceline({"import", "kineto", "a.json", "-o", "-"});
  CHECK(sent.code == 0);
  CHECK(json::parse(sent.out)["queues"] == plain["queues"]);
  CHECK_THAT(sent.err, Contains("operations   3: 2 kernels"));
  CHECK(shell.fenceline({"import", "kineto", "a.json", "-o", "-", "--json"}).code == 2);
}

TEST_CASE("fenceline import kineto: what a trace does not say of its operations' sizes is assumed, and told",
          "[cli][kineto]") {
  // As profiles of AMD's GPUs are: kernels without grid and block, copies and memsets without bytes. Durations count.
  const Shell shell;
  Trace trace;
  json& kernel = trace.kernel(7, 0, 500, 1);
  for (const char* member : {"grid", "block", "registers per thread", "shared memory"}) kernel["args"].erase(member);
  trace.memory("Memcpy HtoD (Host -> Device)", 7, 501, 200, 64, 2)["args"].erase("bytes");
  trace.memory("Memcpy DtoD (Device -> Device)", 7, 702, 100, 64, 3)["args"].erase("bytes");
  shell.write("amd.json", trace.document().dump());
  const Output import = shell.fenceline({"import", "kineto", "amd.json", "-o", "out.json"});
  INFO(import.err);
  REQUIRE(import.code == 0);
  CHECK_THAT(import.out,
             Contains("assumed      1 kernel without grid and block: as many blocks of 256 threads as the machine"));
  CHECK_THAT(import.out, Contains("assumed      2 copies and memsets without bytes: what the machine moves"));
  const json run = json::parse(shell.fenceline({"run", "out.json", "--json"}).out);
  // 500 us, 200 us and 100 us, the gaps of 1 us between them, and what launching and setting up copies costs.
  CHECK(run["statistics"]["end_ps"].get<double>() / 1e6 == Approx(802).epsilon(0.06));
  // One of the two is a mistake, not a choice.
  Trace half;
  half.kernel(7, 0, 500, 1)["args"].erase("block");
  shell.write("half.json", half.document().dump());
  CHECK_THAT(shell.fenceline({"import", "kineto", "half.json", "-o", "out.json"}).err,
             Contains("/args/block: expected a list of three numbers"));
}

TEST_CASE("fenceline import kineto: of a concatenation one row of blocks does the work, and it is told",
          "[cli][kineto]") {
  const Shell shell;
  Trace trace;
  json& kernel = trace.kernel(7, 0, 100, 1);
  kernel["name"] = "void at::native::(anonymous namespace)::CatArrayBatchedCopy<OpaqueType<2u>, 64>(int)";
  kernel["args"]["grid"] = {264, 2, 1};
  shell.write("cat.json", trace.document().dump());
  const Output import = shell.fenceline({"import", "kineto", "cat.json", "-o", "out.json"});
  INFO(import.err);
  REQUIRE(import.code == 0);
  CHECK_THAT(import.out, Contains("assumed      1 concatenation of one long tensor: a single row of blocks"));
  const json command = load_json(shell.work() / "out.json")["command_lists"][0]["commands"][0];
  CHECK(command["x"] == 264);
  CHECK(command["y"] == 1);
  // It takes as long.
  const json run = json::parse(shell.fenceline({"run", "out.json", "--json"}).out);
  CHECK(run["statistics"]["end_ps"].get<double>() / 1e6 == Approx(100).epsilon(0.06));
}

TEST_CASE("fenceline import kineto: kernels that wait for memory slow each other, but not beyond their sum",
          "[cli][kineto]") {
  // Two streams of one process, each with as many blocks as have places beside the other's, 500 us alone.
  const auto end_us = [](std::uint64_t blocks, bool both) {
    const Shell shell;
    for (const char* name : {"a.json", "b.json"}) {
      Trace trace;
      json& kernel = trace.kernel(7, 0, 500, 1);
      kernel["args"]["grid"] = {blocks, 1, 1};
      kernel["args"]["block"] = {256, 1, 1};
      shell.write(name, trace.document().dump());
    }
    std::vector<std::string> arguments = {"import", "kineto", "a.json", "-o", "out.json", "--context", "a"};
    if (both) arguments.insert(arguments.end(), {"b.json", "--context", "b"});
    const Output import = shell.fenceline(arguments);
    INFO(import.err);
    REQUIRE(import.code == 0);
    json workload = load_json(shell.work() / "out.json");
    for (json& queue : workload["queues"]) queue["process"] = "a";
    workload["processes"] = json::array({workload["processes"][0]});
    shell.write("out.json", workload.dump());
    const Output run = shell.fenceline({"run", "out.json", "--json"});
    INFO(run.err);
    REQUIRE(run.code == 0);
    return json::parse(run.out)["statistics"]["end_ps"].get<double>() / 1e6;
  };
  for (const std::uint64_t blocks : {4u, 132u, 528u}) {
    CAPTURE(blocks);
    const double alone = end_us(blocks, false);
    CHECK(alone == Approx(500).epsilon(0.06));
    const double beside = end_us(blocks, true);
    CHECK(beside < alone * 2.02);
    // 4 blocks have little in flight; 528 have as much as 0.36 of the bandwidth needs.
    if (blocks == 4) CHECK(beside < alone * 1.02);
    if (blocks == 528) CHECK(beside > alone * 1.05);
  }
}

TEST_CASE("fenceline import kineto: an output that is an input or no file is refused before the work",
          "[cli][kineto]") {
  const Shell shell;
  shell.write("a.json", small_trace());
  fs::create_symlink(shell.work() / "a.json", shell.work() / "link.json");
  fs::create_directories(shell.work() / "folder");
  for (const char* out : {"a.json", "link.json", "folder/../a.json"}) {
    const Output import = shell.fenceline({"import", "kineto", "a.json", "-o", out});
    CHECK(import.code == 1);
    CHECK_THAT(import.err, Contains("is not written: it is the input a.json"));
  }
  CHECK(contents_of(shell.work() / "a.json") == small_trace());
  CHECK_THAT(shell.fenceline({"import", "kineto", "a.json", "-o", "folder"}).err, Contains("it is no regular file"));
}

TEST_CASE("fenceline import kineto: --json prints one document", "[cli][kineto]") {
  const Shell shell;
  shell.write("a.json", small_trace());
  const Output import = shell.fenceline({"import", "kineto", "a.json", "-o", "out.json", "--json"});
  const json document = json::parse(import.out);
  CHECK(document["workload"] == "out.json");
  REQUIRE(document["traces"].size() == 1);
  CHECK(document["traces"][0]["kernels"] == 2);
  CHECK(document["traces"][0]["memsets"] == 1);
  CHECK(document["traces"][0]["step_us"].size() == 2);
  CHECK(document["traces"][0]["span_us"] == 303.0);
}

TEST_CASE("fenceline import kineto: memory grows with the GPU's work, not with the trace", "[cli][kineto]") {
  const TemporaryDirectory directory;
  constexpr std::size_t megabytes = 24;
#if defined(FENCELINE_ADDRESS_SANITIZER) || defined(FENCELINE_THREAD_SANITIZER)
  constexpr std::uint64_t most_mib = 8;  // with what they keep of freed memory
#else
  constexpr std::uint64_t most_mib = 2;
#endif
  {
    std::ofstream file(directory / "big.json");
    const std::string kernel = Trace().kernel(7, 0, 5, 1).dump();
    file << "{\"traceEvents\":[" << kernel;
    const std::string noise =
        R"(,{"ph":"X","cat":"cpu_op","name":"aten::addmm","pid":1,"tid":1,"ts":1.5,"dur":3.25,"args":{"External id":12,"Input Dims":[[128,256],[256,64]],"Input type":["float","float"]}})";
    for (std::size_t bytes = 0; bytes < megabytes << 20; bytes += noise.size()) file << noise;
    file << "]}";
  }
  const auto peak_kib = [] {
    std::ifstream status("/proc/self/status");
    std::string word;
    std::uint64_t kib = 0;
    while (status >> word) {
      if (word == "VmHWM:") status >> kib;
    }
    return kib;
  };
  const std::uint64_t before = peak_kib();
  std::uint64_t calls = 0;
  std::uint64_t last = 0;
  std::uint64_t total = 0;
  const KinetoTrace trace = read_kineto(directory / "big.json", [&](std::uint64_t done, std::uint64_t all) {
    CHECK(done >= last);
    last = done;
    total = all;
    ++calls;
  });
  CHECK(trace.ops.size() == 1);
  CHECK(calls > megabytes);
  CHECK(total == fs::file_size(directory / "big.json"));
  CHECK(last == total);
  CHECK(peak_kib() - before < most_mib * 1024);
}
