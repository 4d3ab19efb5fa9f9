// SPDX-License-Identifier: Apache-2.0
// What a D3D12 program does is captured as GPU work, and comes to the same timeline when it is played.
#include "api/d3d12/pix_capture.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/support/same_gpu_rows.hpp"
#include "tests/support/shell.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace fenceline::testing;

namespace {

/// Runs a program under capture, then the capture: empty where the GPU does the same.
std::string difference(const Shell& shell, const std::string& program, const std::string& around = "") {
  const Output output = shell.run(around + " FENCELINE_OUT=taken FENCELINE_CAPTURE=x.capture " + program);
  if (output.code != 0) return "the program ends with " + std::to_string(output.code) + ": " + output.err;
  if (output.err.find("not captured") != std::string::npos) return output.err;
  const Output played = shell.fenceline({"run", "x.capture", "--out", "played"});
  if (played.code != 0) return played.err;
  return first_gpu_difference(shell.work() / "taken", shell.work() / "played");
}

/// The same of each device's capture, whatever was told of them: places of the run directories begin with "taken" and
/// "played". Nothing where the program left none.
std::string differences(const Shell& shell) {
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator(shell.work())) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".capture") continue;
    const std::string number = name.substr(1, name.size() - 1 - std::string(".capture").size());
    if (!std::filesystem::exists(shell.work() / ("taken" + number) / "packets.csv")) continue;
    // What the rules say of thousands of queues takes minutes.
    const Output played = shell.fenceline({"run", name, "--out", "played" + number}, "FENCELINE_CHECK_INVARIANTS=0 ");
    if (!std::filesystem::exists(shell.work() / ("played" + number) / "packets.csv")) {
      const bool endless = played.err.find("simulated time goes beyond") != std::string::npos;  // as the program's
      if (!endless) all += name + ": " + played.err;
      continue;
    }
    const std::string difference =
        first_gpu_difference(shell.work() / ("taken" + number), shell.work() / ("played" + number));
    if (!difference.empty()) all.append(name).append(": ").append(difference).append("\n");
  }
  return all;
}

/// A test of this executable as a program.
std::string test_program(std::string name) {
  for (std::size_t at = 0; (at = name.find(',', at)) != std::string::npos; at += 2) name.insert(at, 1, '\\');
  return Shell::quoted(std::filesystem::read_symlink("/proc/self/exe").string()) + " " + Shell::quoted(name);
}

}  // namespace

TEST_CASE("FENCELINE_CAPTURE: programs of all kinds are played with the timeline that they had", "[d3d12][capture]") {
  for (const char* const program : {FENCELINE_BUSY_PROGRAM, FENCELINE_SWAP_CHAIN_PROGRAM, FENCELINE_HAZARD_PROGRAM,
                                    FENCELINE_PROBE_PROGRAM, FENCELINE_COMPTR_PROGRAM}) {
    for (const char* const machine : {"tiny", "h200", "rtx_4090"}) {
      INFO(program << " on " << machine);
      const Shell shell;
      CHECK(difference(shell, Shell::quoted(program), std::string("FENCELINE_MACHINE=") + machine) == "");
    }
  }
}

TEST_CASE(
    "FENCELINE_CAPTURE: pipeline states alike, counts below the maximum, samples, windows, evictions, a device at the "
    "end",
    "[d3d12][capture]") {
  const Shell shell;
  const std::string outputs = R"([{"name": "second", "refresh_hz": 75}, {"name": "third", "refresh_hz": 144}])";
  std::ofstream(shell.work() / "desk.json")
      << R"({"like": "tiny", "name": "desk", "display": {"outputs": )" << outputs << "}}";
  for (const char* const what : {"alike", "none_of_many", "samples", "windows", "evicts", "exits"}) {
    for (const char* const machine : {"tiny", "h200", "desk.json"}) {
      INFO(what << " on " << machine);
      std::filesystem::remove_all(shell.work() / "taken");
      std::filesystem::remove_all(shell.work() / "played");
      const std::string program = Shell::quoted(FENCELINE_TIMELINE_PROGRAM) + " " + what;
      CHECK(difference(shell, program, std::string("FENCELINE_MACHINE=") + machine) == "");
      CHECK(contents_of(shell.work() / "taken/frames.csv") == contents_of(shell.work() / "played/frames.csv"));
      CHECK(std::filesystem::exists(shell.work() / "taken/report.json"));
    }
  }
}

TEST_CASE("FENCELINE_CAPTURE: a page fault is told", "[d3d12][capture]") {
  const Shell shell;
  const Output output =
      shell.run("FENCELINE_CAPTURE=x.capture " + Shell::quoted(FENCELINE_TIMELINE_PROGRAM) + " faults");
  CHECK(output.err.find("not captured: a page fault") != std::string::npos);
}

TEST_CASE("FENCELINE_CAPTURE: what depends on bytes is captured as it came to", "[d3d12][capture]") {
  for (const char* const name :
       {"indirect: draws, indexed draws and dispatches run as their arguments say",
        "indirect: the count is the buffer's, and at most what the call says",
        "indirect: arguments and count may be written by the list itself",
        "indirect: a predicate skips it, and a list that runs again reads again",
        "bundles: their commands are predicated, and run any number of times",
        "bundles: immediate writes and indirect dispatches take place where the bundle is executed",
        "queries: an occlusion result decides what is drawn next",
        "queries: occlusion counts the pixels of the draws within, as estimated",
        "predication: draws, dispatches and copies are skipped, immediate writes and time stamps are not",
        "render passes: samples are resolved at the end, as was said at the beginning",
        "resolve: what a list resolves is there when it is complete"}) {
    INFO(name);
    const Shell shell;
    CHECK(difference(shell, test_program(name)) == "");
  }
}

TEST_CASE("FENCELINE_CAPTURE: markers of lists and queues are there, and names", "[d3d12][capture]") {
  for (const char* const name : {"markers: lists, bundles and queues have theirs in the log",
                                 "markers: what does not fit together is told, and takes nothing down",
                                 "names: what is named when it is made has its name in the log"}) {
    INFO(name);
    const Shell shell;
    CHECK(difference(shell, test_program(name)) == "");
    CHECK(contents_of(shell.work() / "taken/markers.csv") == contents_of(shell.work() / "played/markers.csv"));
  }
}

TEST_CASE("FENCELINE_CAPTURE: eight threads that record and three queues", "[d3d12][capture][threads]") {
  const Shell shell;
  CHECK(difference(shell, test_program("threads: eight record, three submit, four wait, and every byte arrives")) ==
        "");
}

TEST_CASE("FENCELINE_CAPTURE: fences that are polled, rewound, waited for and released", "[d3d12][capture]") {
  for (const char* const name :
       {"fences: polling makes progress, and a queue that waits does not",
        "fences: a wait counts from when it was queued, even if the fence was rewound since",
        "fences: threads wait for a value again after the fence was rewound",
        "fences: one is rewound and awaited by others while a thread is on its way out of its wait",
        "fences: the last release ends all waits", "fences: a queue signals when its work is done",
        "fences: waits may come long before their signals, in chains across queues",
        "examples: PipelinedComputeGraphics keeps both queues busy, and the CPU no more than its latency ahead",
        "hazards: of random programs exactly what a graph of all events leaves without order"}) {
    INFO(name);
    const Shell shell;
    CHECK(difference(shell, test_program(name)) == "");
  }
}

TEST_CASE("FENCELINE_CAPTURE: a swap chain's queue and threads wait for frames on screen", "[d3d12][capture]") {
  for (const char* const name : {"swap chain: Present blocks while three frames are on their way to the screen",
                                 "swap chain: the GPU writes a buffer again when its frame has left the screen"}) {
    INFO(name);
    const Shell shell;
    CHECK(difference(shell, test_program(name)) == "");
  }
}

TEST_CASE("FENCELINE_CAPTURE: a program with a swap chain is played in parts, on one queue and again",
          "[d3d12][capture]") {
  const Shell shell;
  REQUIRE(shell.run("FENCELINE_MACHINE=h200 FENCELINE_CAPTURE=x.capture " + Shell::quoted(FENCELINE_SWAP_CHAIN_PROGRAM))
              .code == 0);
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "x.capture", "--check-invariants", "--out", "played"});
    const Output output = shell.fenceline(arguments);
    CHECK(output.err == "");
    REQUIRE(output.code == 0);
    const auto report = nlohmann::json::parse(contents_of(shell.work() / "played" / "report.json"));
    return report["statistics"]["swap_chains"][0]["presented"].get<int>();
  };
  const int all = run({});
  CHECK(run({"--single-queue"}) == all);
  CHECK(run({"--loop", "2"}) == 2 * all);
  CHECK(run({"--fast-forward", "frame:3"}) == all);
  CHECK(run({"--from", "frame:2", "--to", "frame:5"}) == 3);
  CHECK(run({"--from", "frame:2", "--to", "frame:5", "--single-queue", "--loop", "3"}) == 9);
  REQUIRE(shell.fenceline({"trim", "x.capture", "-o", "part.capture", "--from", "frame:4"}).code == 0);
  CHECK(shell.fenceline({"run", "part.capture", "--out", "part"}).code == 0);
}

TEST_CASE("FENCELINE_CAPTURE: each device has a file, with what others signal of the fences that they share",
          "[d3d12][capture]") {
  const Shell shell;
  const Output output = shell.run("FENCELINE_MACHINE=h200:rtx_4090 FENCELINE_OUT=taken FENCELINE_CAPTURE=x.capture " +
                                  Shell::quoted(FENCELINE_MULTIADAPTER_PROGRAM));
  REQUIRE(output.code == 0);
  for (const char* const number : {"", "-2"}) {
    const std::string played = std::string("played") + number;
    REQUIRE(shell.fenceline({"run", std::string("x") + number + ".capture", "--out", played}).code == 0);
    CHECK(first_gpu_difference(shell.work() / (std::string("taken") + number), shell.work() / played) == "");
  }
}

TEST_CASE("FENCELINE_CAPTURE: signals of shared fences, up and down, and variants of pipeline states, are there",
          "[d3d12][capture]") {
  const char* const long_name =
      "background processing: the frame-analysis loop of the specification converges, then A and B take the same "
      "time";
  for (const char* const name :
       {"shared fence: values may go down and up again, on whichever adapter",
        "shared fence: two adapters' signals of one moment leave one value on both",
        "shared fences: whatever the queues of several adapters do, no wait passes before its signal", long_name,
        "background processing: bundles have their list's root constants but for those that they set"}) {
    INFO(name);
    const Shell shell;
    const Output output = shell.run("FENCELINE_OUT=taken FENCELINE_CAPTURE=x.capture " + test_program(name));
    REQUIRE(output.code == 0);
    CHECK(output.err.find("not captured") == std::string::npos);
    CHECK(differences(shell) == "");
  }
}

// Two minutes: d3d12_tests '[capture_suite]'.
TEST_CASE("FENCELINE_CAPTURE: each test of D3D12 is played as it ran, or tells why not", "[.][capture_suite]") {
  const Shell list;
  const std::string self = Shell::quoted(std::filesystem::read_symlink("/proc/self/exe").string());
  std::istringstream names(list.run(self + " --list-test-names-only '~[capture]~[capture_suite]'").out);
  int compared = 0;
  for (std::string name; std::getline(names, name);) {
    if (name.empty()) continue;
    const Shell shell;
    const std::string work = shell.work().string();  // tests may start themselves again in another directory
    const Output output = shell.run("FENCELINE_OUT=" + Shell::quoted(work + "/taken") + " FENCELINE_CAPTURE=" +
                                    Shell::quoted(work + "/x.capture") + " " + test_program(name));
    const std::string difference = differences(shell);
    compared += std::filesystem::exists(shell.work() / "taken") ? 1 : 0;
    INFO(name << "\n" << output.err);
    if (output.err.find("not captured") == std::string::npos) {
      CHECK(difference == "");
    } else if (!difference.empty()) {
      WARN(name << ", as is told: " << difference);
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("FENCELINE_CAPTURE_TIME_US: what is called in a time, since its beginning", "[d3d12][capture]") {
  const Shell shell;
  const std::string program =
      "FENCELINE_MACHINE=h200 FENCELINE_OUT=taken " + Shell::quoted(FENCELINE_SWAP_CHAIN_PROGRAM);
  REQUIRE(shell.run(program).code == 0);
  const auto submitted_in = [&](double first_us, double end_us) {
    std::istringstream rows(contents_of(shell.work() / "taken" / "packets.csv"));
    int count = 0;
    for (std::string row; std::getline(rows, row);) {
      std::istringstream columns(row);
      std::vector<std::string> values;
      for (std::string value; std::getline(columns, value, ',');) values.push_back(value);
      if (values.size() < 9 || values[2] != "render") continue;
      const double submitted_us = std::stod(values[8]);
      count += submitted_us >= first_us && submitted_us < end_us ? 1 : 0;
    }
    return count;
  };
  const int expected = submitted_in(100'000, 300'001);
  REQUIRE(expected > 2);
  REQUIRE(shell.run("FENCELINE_CAPTURE=x.capture FENCELINE_CAPTURE_TIME_US=100000-300000 " + program).code == 0);
  REQUIRE(shell.fenceline({"unpack", "x.capture", "-o", "x.json"}).code == 0);
  const auto workload = nlohmann::json::parse(contents_of(shell.work() / "x.json"));
  int executes = 0;
  for (const auto& cpu : workload["cpus"]) {
    for (const auto& step : cpu["timeline"]) executes += step["type"] == "execute" ? 1 : 0;
  }
  CHECK(executes == expected);
  CHECK(shell.fenceline({"run", "x.capture", "--out", "played"}).code == 0);
  const Output none = shell.run("FENCELINE_CAPTURE=y.capture FENCELINE_CAPTURE_TIME_US=3-2 " + program);
  CHECK(none.err.find("FENCELINE_CAPTURE_TIME_US: expected numbers") != std::string::npos);
}

TEST_CASE("FENCELINE_CAPTURE_FRAMES: frames from one to another, by themselves", "[d3d12][capture]") {
  const Shell shell;
  const Output output = shell.run("FENCELINE_MACHINE=h200 FENCELINE_CAPTURE=x.capture FENCELINE_CAPTURE_FRAMES=5-7 " +
                                  Shell::quoted(FENCELINE_SWAP_CHAIN_PROGRAM));
  REQUIRE(output.code == 0);
  REQUIRE(shell.fenceline({"unpack", "x.capture", "-o", "x.json"}).code == 0);
  const auto workload = nlohmann::json::parse(contents_of(shell.work() / "x.json"));
  int presents = 0;
  for (const auto& cpu : workload["cpus"]) {
    for (const auto& step : cpu["timeline"]) presents += step["type"] == "present" ? 1 : 0;
  }
  CHECK(presents == 3);
  CHECK(shell.fenceline({"run", "x.capture", "--out", "played"}).code == 0);
}

TEST_CASE("FENCELINE_CAPTURE_FRAMES: a part that never begins is told, and a second range", "[d3d12][capture]") {
  const Shell shell;
  const std::string program = Shell::quoted(FENCELINE_SWAP_CHAIN_PROGRAM);
  const Output late = shell.run("FENCELINE_CAPTURE=x.capture FENCELINE_CAPTURE_FRAMES=500-600 " + program);
  CHECK(late.code == 0);
  CHECK(late.err.find("capture x.capture: nothing is captured, its part never began: frames presented ") !=
        std::string::npos);
  CHECK_FALSE(std::filesystem::exists(shell.work() / "x.capture"));
  const Output both = shell.run(
      "FENCELINE_CAPTURE=y.capture FENCELINE_CAPTURE_FRAMES=1-2 "
      "FENCELINE_CAPTURE_QUEUE_SUBMITS=1-2 " +
      program);
  CHECK(both.err.find("FENCELINE_CAPTURE_QUEUE_SUBMITS: nothing is done with it beside FENCELINE_CAPTURE_FRAMES") !=
        std::string::npos);
}

TEST_CASE("PIX: a capture's name may have any letters, and a wait that nothing can end is told meanwhile",
          "[d3d12][capture]") {
  const Shell shell;
  App app;
  const auto queue = app.queue(copy_type);
  const auto fence = app.fence();
  const std::wstring file = shell.work().wstring() + L"/\u00fc\u4e2d.capture";
  PIXCaptureParameters parameters{};
  parameters.GpuCaptureParameters.FileName = file.c_str();
  REQUIRE(PIXBeginCapture(PIX_CAPTURE_GPU, &parameters) == S_OK);
  REQUIRE(queue->Signal(fence.Get(), 1) == S_OK);
  CHECK(fence->SetEventOnCompletion(1, nullptr) == S_OK);
  CHECK(FAILED(fence->SetEventOnCompletion(2, nullptr)));
  REQUIRE(PIXEndCapture(FALSE) == S_OK);
  CHECK(std::filesystem::exists(shell.work() / "\u00fc\u4e2d.capture"));
}

TEST_CASE("PIX: a program captures a part of its work, which is played by itself", "[d3d12][capture]") {
  const Shell shell;
  App app;
  const auto queue = app.queue(direct_type);
  const auto fence = app.fence();
  const auto allocator = app.allocator(direct_type);
  const auto list = app.list(allocator.Get(), direct_type);
  REQUIRE(list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {list.Get()};
  const auto submit = [&](UINT64 value) {
    queue->ExecuteCommandLists(1, lists);
    REQUIRE(queue->Signal(fence.Get(), value) == S_OK);
    REQUIRE(fence->SetEventOnCompletion(value, nullptr) == S_OK);
  };
  submit(1);
  CHECK(PIXGetCaptureState() == 0);
  const std::wstring file = (shell.work() / "part.capture").wstring();
  PIXCaptureParameters parameters{};
  parameters.GpuCaptureParameters.FileName = file.c_str();
  REQUIRE(PIXBeginCapture(PIX_CAPTURE_GPU, &parameters) == S_OK);
  CHECK(PIXGetCaptureState() == PIX_CAPTURE_GPU);
  CHECK(PIXBeginCapture(PIX_CAPTURE_GPU, &parameters) == E_PENDING);
  submit(2);
  submit(3);
  // Whatever became of the process now, what it has submitted would be there.
  std::filesystem::copy_file(shell.work() / "part.capture", shell.work() / "cut.capture");
  const Output cut = shell.fenceline({"run", "cut.capture", "--out", "cut"});
  CHECK(cut.code == 0);
  CHECK(lines_of(contents_of(shell.work() / "cut" / "packets.csv")) == 5);
  REQUIRE(PIXEndCapture(FALSE) == S_OK);
  CHECK(PIXGetCaptureState() == 0);
  submit(4);
  REQUIRE(shell.fenceline({"unpack", "part.capture", "-o", "part.json"}).code == 0);
  const auto workload = nlohmann::json::parse(contents_of(shell.work() / "part.json"));
  CHECK(workload["fences"][0]["initial_value"] == 1);
  const Output played = shell.fenceline({"run", "part.capture", "--out", "played"});
  CHECK(played.code == 0);
  CHECK(lines_of(contents_of(shell.work() / "played" / "packets.csv")) == 5);  // two lists, two signals, and the head
}

TEST_CASE("PIXBeginCapture: queues begin in the regions of markers in which they are", "[d3d12][capture]") {
  const Shell shell;
  App app;
  const auto queue = app.queue(copy_type);
  const auto allocator = app.allocator(copy_type);
  const auto list = app.list(allocator.Get(), copy_type);
  const auto buffer = app.buffer(4096, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(4096);
  list->CopyResource(to.Get(), buffer.Get());
  REQUIRE(list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {list.Get()};
  const auto fence = app.fence();
  const auto execute = [&](UINT64 value) {
    queue->ExecuteCommandLists(1, lists);
    REQUIRE(queue->Signal(fence.Get(), value) == S_OK);
    REQUIRE(fence->SetEventOnCompletion(value, nullptr) == S_OK);
  };
  queue->BeginEvent(1, "outer", 6);
  queue->BeginEvent(1, "gone", 5);
  queue->EndEvent();
  queue->BeginEvent(1, "inner", 6);
  execute(1);
  const std::wstring file = (shell.work() / "part.capture").wstring();
  PIXCaptureParameters parameters{};
  parameters.GpuCaptureParameters.FileName = file.c_str();
  REQUIRE(PIXBeginCapture(PIX_CAPTURE_GPU, &parameters) == S_OK);
  execute(2);
  queue->EndEvent();
  execute(3);
  REQUIRE(PIXEndCapture(FALSE) == S_OK);
  REQUIRE(shell.fenceline({"run", "part.capture", "--out", "played"}).code == 0);
  std::vector<std::string> regions;
  std::istringstream rows(contents_of(shell.work() / "played" / "packets.csv"));
  for (std::string row; std::getline(rows, row);) {
    if (row.find(",render,") != std::string::npos) regions.push_back(row.substr(row.rfind(',') + 1));
  }
  CHECK(regions == std::vector<std::string>{"outer/inner", "outer"});
}
