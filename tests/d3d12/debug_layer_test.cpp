// SPDX-License-Identifier: Apache-2.0
// FENCELINE_DEBUG_LAYER, and where what the debug layer finds goes.
#include "tests/d3d12/hazards/hazard_program.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

using namespace fenceline::testing;

namespace {

const std::string program = Shell::quoted(FENCELINE_HAZARD_PROGRAM);
const std::string hazard =
    "ID3D12CommandQueue::ExecuteCommandLists: unsynchronised writes: bytes 0 to 65535 of buffer \"shared\": "
    "CopyResource of list \"copy list\" on queue0 writes from ";

}  // namespace

TEST_CASE("FENCELINE_DEBUG_LAYER: off, on, or the program's own choice", "[d3d12][hazards]") {
  const Shell shell;
  const auto run = [&](const std::string& setting, const std::string& arguments) {
    return shell.run("FENCELINE_MACHINE=tiny " + setting + " " + program + arguments);
  };
  const std::string on = "the debug layer is on\nthe end\n";
  const std::string off = "the debug layer is off\nthe end\n";
  for (const char* setting : {"", "FENCELINE_DEBUG_LAYER=0", "FENCELINE_DEBUG_LAYER="}) {
    const Output output = run(setting, "");
    INFO(setting);
    CHECK(output.code == 0);
    CHECK(output.out == off);
    CHECK(output.err.empty());
  }
  for (const auto& [setting, arguments] :
       {std::pair{"", " enable"}, {"FENCELINE_DEBUG_LAYER=1", ""}, {"FENCELINE_DEBUG_LAYER=1", " enable"}}) {
    const Output output = run(setting, arguments);
    INFO(setting);
    CHECK(output.code == 0);
    CHECK(output.out == on);
    CHECK(output.err.find("D3D12 error: " + hazard) == 0);
    CHECK(has(output.err, " [1047]\n"));
    CHECK(lines_of(output.err) == 1);
    CHECK(run(setting, arguments).err == output.err);
  }
  const Output forbidden = run("FENCELINE_DEBUG_LAYER=0", " enable");
  CHECK(forbidden.code == 0);
  CHECK(forbidden.out == off);
  CHECK(forbidden.err.empty());
  const Output typo = run("FENCELINE_DEBUG_LAYER=on", "");
  CHECK(typo.code == 0);
  CHECK(typo.err == "fenceline: FENCELINE_DEBUG_LAYER: expected \"0\", \"1\" or \"break\", found \"on\"\n");
}

TEST_CASE("FENCELINE_DEBUG_LAYER=break: the process stops where the hazard is found", "[d3d12][hazards]") {
  const Shell shell;
  const Output output = shell.run("FENCELINE_MACHINE=tiny FENCELINE_DEBUG_LAYER=break " + program);
  CHECK(output.code == 128 + SIGTRAP);
  CHECK(output.out.find("the end") == std::string::npos);
  CHECK(has(output.err, hazard));  // said before
}

TEST_CASE("FENCELINE_OUT: hazards stand in log.txt and in the trace at the time they were found", "[d3d12][hazards]") {
  const Shell shell;
  const std::string command = "FENCELINE_MACHINE=tiny FENCELINE_DEBUG_LAYER=1 FENCELINE_OUT=out " + program;
  REQUIRE(shell.run(command).code == 0);
  const auto files = files_in(shell.work());
  const std::string& log = files.at("out/log.txt");
  const auto at = log.find("d3d12: " + hazard);
  REQUIRE(at != std::string::npos);
  CHECK(log[log.rfind('\n', at) + 1] == '[');
  CHECK(log.substr(log.rfind('\n', at) + 1, 2) == "[W");
  CHECK(has(log.substr(at), " [1047]\n"));
  CHECK(has(log, "d3d12: unsynchronised writes"));
  CHECK(has(files.at("out/trace.json"), "unsynchronised writes"));
  REQUIRE(shell.run(command).code == 0);
  CHECK(files_in(shell.work()) == files);
  REQUIRE(shell.run("FENCELINE_MACHINE=tiny FENCELINE_OUT=out " + program).code == 0);
  CHECK(!has(contents_of(shell.work() / "out" / "log.txt"), "unsynchronised"));
}

TEST_CASE("hazards: the info queue breaks on their id, category or severity", "[d3d12][hazards]") {
  const int how = GENERATE(0, 1, 2, 3);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    HazardProgram app;
    if (how == 0) app.messages->SetBreakOnID(D3D12_MESSAGE_ID_OBJECT_ACCESSED_WHILE_STILL_IN_USE, TRUE);
    if (how == 1) app.messages->SetBreakOnCategory(D3D12_MESSAGE_CATEGORY_EXECUTION, TRUE);
    if (how == 2) app.messages->SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY_ERROR, TRUE);
    const auto from = app.buffer(4096, D3D12_HEAP_TYPE_UPLOAD);
    const auto to = app.buffer(4096);
    app.one.execute("a", app.copy(to, from, 4096));
    app.compute.execute("b", app.copy(to, from, 4096));
    app.finish();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (how == 3) {
    CHECK(WIFEXITED(status));
  } else {
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGTRAP);
  }
}
