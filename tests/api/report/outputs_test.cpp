// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/outputs.hpp"

#include "api/report/run/run.hpp"
#include "api/workload/play/player.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <sstream>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

/// Which kinds of spans and counters a log has.
class Kinds final : public LogSink {
 public:
  void span(const EventLog&, const Span& span) override { spans.insert(span.kind); }
  void counter(const EventLog&, const Counter& counter) override { counters.insert(counter.kind); }
  std::set<SpanKind> spans;
  std::set<CounterKind> counters;
};

void play(const std::string& workload, const std::vector<std::string>& sets, Kinds& kinds) {
  const LoadedWorkload loaded = load_workload(shipped_workload(workload), "", sets);
  Machine machine(loaded.machine);
  machine.log().attach(kinds, EventLog::Detail::waves);
  CHECK(Player(machine, loaded.program).play());
  machine.log().detach(kinds);
}

/// The names of the files in a directory, without the marker.
std::set<std::string> files_of(const std::filesystem::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) names.insert(entry.path().filename());
  names.erase(".fenceline-run");
  return names;
}

std::set<std::string> files_for(const OutputKeys& asked) {
  std::set<std::string> names = {report_file};
  for (const OutputRow& output : outputs_of(asked)) CHECK(names.insert(output.file).second);
  return names;
}

OutputKeys all_keys() {
  OutputKeys keys;
  for (const OutputRow& output : outputs()) {
    if (output.key != nullptr) CHECK(keys.insert(output.key).second);
  }
  return keys;
}

}  // namespace

TEST_CASE("log: each kind of span and counter has a name of its own, and some workload emits it", "[api]") {
  Kinds kinds;
  play("game_and_compositor",
       {R"(/engines/0/graphics_preemption={"granularity": "shader_boundary"})", "/engines/0/context_state/switch_us=5"},
       kinds);
  play("pgo_single_frame", {}, kinds);
  play("cold_and_warm_start", {}, kinds);
  play("commands", {R"(/workload/queues/0/timeline=[{"type": "present"}, {"type": "present"}])"}, kinds);
  std::set<std::string> names;
  for (std::size_t i = 0; i < span_kinds; ++i) {
    const auto kind = static_cast<SpanKind>(i);
    INFO(name_of(kind));
    CHECK(name_of(kind) != std::string("?"));
    CHECK(names.insert(name_of(kind)).second);
    // Regions are made of MarkerRecords by who shows them.
    CHECK(kinds.spans.count(kind) == (kind == SpanKind::region ? 0 : 1));
  }
  CHECK(name_of(static_cast<SpanKind>(span_kinds)) == std::string("?"));
  CHECK(kinds.counters ==
        std::set<CounterKind>{CounterKind::fence_value, CounterKind::bytes_per_s, CounterKind::resident_threads});
  for (const CounterKind kind : kinds.counters) CHECK(names.insert(name_of(kind)).second);
}

TEST_CASE("outputs: a run has the files of the table that it is asked for, and its marker lists them", "[api]") {
  const Shell shell;
  std::set<OutputKeys> choices = {{}, all_keys()};
  for (const std::string_view key : all_keys()) choices.insert({key});
  for (const OutputKeys& asked : choices) {
    RunOptions options;
    options.directory = shell.work() / "run";
    options.outputs = asked;
    RunResult result;
    run_workload(load_workload(shipped_workload("multi_engine"), "", {}), options, result);
    CHECK(files_of(options.directory) == files_for(asked));
    const std::string marker = contents_of(options.directory / ".fenceline-run");
    for (const OutputRow& output : outputs_of(asked)) {
      CHECK_THAT(marker, Contains("\n" + std::string(output.file) + "\n"));
      CHECK(std::filesystem::file_size(options.directory / output.file) > 0);
    }
  }
}

TEST_CASE("outputs: the command's flags and its list of files are the table's", "[api]") {
  const Shell shell;
  const auto help = shell.fenceline({"run", "--help"});
  CHECK(help.code == 0);
  std::vector<std::string> run = {"run", shipped_workload("multi_engine").string(), "--out", "out"};
  for (const OutputRow& output : outputs()) {
    CHECK_THAT(help.out, Contains(output.file));
    if (output.key == nullptr) continue;
    run.push_back("--" + std::string(output.key));
    CHECK_THAT(help.out, Contains(run.back()));
  }
  const auto done = shell.fenceline(run);
  CHECK(done.code == 0);
  CHECK(files_of(shell.work() / "out") == files_for(all_keys()));
  for (const std::string& file : files_for(all_keys())) CHECK_THAT(done.out, Contains(" " + file));
}

TEST_CASE("outputs: what README says of files and flags is so", "[api]") {
  std::istringstream readme(contents_of(source_directory() / "README.md"));
  std::set<std::string> told;
  for (std::string line; std::getline(readme, line);) {
    for (const OutputRow& output : outputs()) {
      if (line.rfind("| `" + std::string(output.file) + "` |", 0) != 0) continue;
      told.insert(output.file);
      const bool on_request = line.find("| with `--") != std::string::npos;
      CHECK(on_request == (output.key != nullptr));
      if (on_request) CHECK_THAT(line, Contains("| with `--" + std::string(output.key) + "`"));
    }
  }
  CHECK(told.size() >= 6);
}

TEST_CASE("outputs: a run that is asked for some files writes those and no others", "[reports]") {
  const Shell shell;
  const std::string frame = shipped_workload("multi_engine").string();
  const Output asked = shell.fenceline({"run", frame, "--outputs", "packets,log", "--out", "some"});
  CHECK(asked.code == 0);
  CHECK(files_of(shell.work() / "some") == std::set<std::string>{"packets.csv", "log.txt"});
  CHECK_THAT(asked.out, Contains("files        some: packets.csv log.txt\n"));
  CHECK_THAT(asked.out, !Contains("trace.json"));
  const Output all = shell.fenceline({"run", frame, "--out", "all", "--json"});
  const Output json = shell.fenceline({"run", frame, "--outputs", "log", "--html", "--out", "json", "--json"});
  CHECK(json.out == all.out);
  CHECK(all.out == contents_of(shell.work() / "all/report.json"));
  CHECK(files_of(shell.work() / "json").size() == 2);
  CHECK(contents_of(shell.work() / "some/packets.csv") == contents_of(shell.work() / "all/packets.csv"));
  const Output wrong = shell.fenceline({"run", frame, "--outputs", "report,packet"});
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("--outputs: /: expected one or several of report, trace, packets"));
  CHECK_THAT(wrong.err, Contains("found \"packet\" (did you mean \"packets\"?)\n"));
  for (const std::string_view name : output_names()) CHECK(output_names_in(std::string(name), "x").count(name) == 1);
}
