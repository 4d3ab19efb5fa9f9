// SPDX-License-Identifier: Apache-2.0
#include "sim/files/run_directory.hpp"

#include "sim/files/output_file.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// As a run leaves it.
void write_run(const fs::path& directory, const std::vector<std::string>& files, const std::string& content) {
  fs::create_directories(directory);
  RunMarker marker(directory);
  marker.create();
  for (const std::string& file : files) {
    marker.add(file);
    write_file(directory / file, content);
  }
}

}  // namespace

TEST_CASE("run directory: nothing is at the target before commit and everything after it", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path target = directory / "sweep/out";
  RunDirectory run(target);
  write_file(run.file("report.json"), "{}");
  CHECK_FALSE(fs::exists(target));
  run.commit();
  CHECK(run.file("report.json") == fs::canonical(target) / "report.json");
  CHECK(contents_of(target / "report.json") == "{}");
  CHECK(names_in(directory / "sweep") == std::vector<std::string>{"out"});
}

TEST_CASE("run directory: a run that does not commit leaves nothing", "[sim]") {
  const TemporaryDirectory directory;
  {
    RunDirectory run(directory / "out");
    write_file(run.file("log.txt"), "half a li");
  }
  CHECK(names_in(directory / "").empty());
}

TEST_CASE("run directory: an empty directory and an earlier run are replaced", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path target = directory / "out";
  SECTION("empty") { fs::create_directory(target); }
  SECTION("earlier run") { write_run(target, {"report.json", "trace.json"}, "old"); }
  SECTION("earlier run, one of whose files is gone") {
    write_run(target, {"report.json", "trace.json"}, "old");
    fs::remove(target / "report.json");
  }
  SECTION("with a slash behind the name") {
    write_run(target, {"report.json"}, "old");
    RunDirectory(target / "").commit();
    CHECK(names_in(target) == std::vector<std::string>{RunMarker::name});
  }
  RunDirectory run(target);
  write_file(run.file("report.json"), "new");
  run.commit();
  CHECK(names_in(target) == std::vector<std::string>{RunMarker::name, "report.json"});
  CHECK(contents_of(target / "report.json") == "new");
  CHECK(names_in(directory / "") == std::vector<std::string>{"out"});
}

TEST_CASE("run directory: an earlier run stays as it was when the new one fails", "[sim]") {
  const TemporaryDirectory directory;
  write_run(directory / "out", {"report.json"}, "old");
  {
    RunDirectory run(directory / "out");
    write_file(run.file("report.json"), "new");
  }
  CHECK(contents_of(directory / "out/report.json") == "old");
  CHECK(names_in(directory / "") == std::vector<std::string>{"out"});
}

TEST_CASE("run directory: what is not an earlier run is not replaced", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path target = directory / "out";
  SECTION("other files") {
    write_file(target / "thesis.tex", "years");
    CHECK_THROWS_WITH(RunDirectory(target), Contains(target.string()) && Contains("no .fenceline-run"));
    CHECK(contents_of(target / "thesis.tex") == "years");
  }
  SECTION("a report.json of somebody else's") {
    write_file(target / "report.json", "years");
    CHECK_THROWS_WITH(RunDirectory(target), Contains("no .fenceline-run"));
    CHECK(contents_of(target / "report.json") == "years");
  }
  SECTION("a marker of somebody else's") {
    write_file(target / RunMarker::name, "years");
    CHECK_THROWS_WITH(RunDirectory(target), Contains("no .fenceline-run"));
  }
  SECTION("a file beside those of an earlier run") {
    write_run(target, {"report.json", "trace.json"}, "old");
    write_file(target / "workload.json", "years");
    CHECK_THROWS_WITH(RunDirectory(target), Contains("besides an earlier Fenceline run it holds workload.json"));
    CHECK(contents_of(target / "workload.json") == "years");
    CHECK(contents_of(target / "trace.json") == "old");
  }
  SECTION("a directory where a file of an earlier run was") {
    write_run(target, {"report.json"}, "old");
    fs::remove(target / "report.json");
    write_file(target / "report.json/thesis.tex", "years");
    CHECK_THROWS_WITH(RunDirectory(target), Contains("it holds report.json"));
    CHECK(contents_of(target / "report.json/thesis.tex") == "years");
  }
  SECTION("a link where a file of an earlier run was") {
    write_run(target, {"report.json"}, "old");
    fs::remove(target / "report.json");
    fs::create_symlink("/etc/passwd", target / "report.json");
    CHECK_THROWS_WITH(RunDirectory(target), Contains("it holds report.json"));
  }
  SECTION("a parent of the working directory") {
    fs::create_directories(target / "in/here");
    const fs::path before = fs::current_path();
    fs::current_path(target / "in/here");
    CHECK_THROWS_AS(RunDirectory(target), OutputError);
    CHECK_THROWS_AS(RunDirectory("../.."), OutputError);
    fs::current_path(before);
    CHECK(fs::exists(target / "in/here"));
  }
  SECTION("a file") {
    write_file(target, "years");
    CHECK_THROWS_WITH(RunDirectory(target), Contains("Not a directory"));
    CHECK(contents_of(target) == "years");
  }
  SECTION("other files that appear during the run") {
    RunDirectory run(target);
    write_file(target / "thesis.tex", "years");
    CHECK_THROWS_AS(run.commit(), OutputError);
    CHECK(contents_of(target / "thesis.tex") == "years");
  }
  SECTION("other files that appear in an earlier run during the run") {
    write_run(target, {"report.json"}, "old");
    RunDirectory run(target);
    write_file(run.file("report.json"), "new");
    write_file(target / "thesis.tex", "years");
    CHECK_THROWS_WITH(run.commit(), Contains("it holds thesis.tex"));
    CHECK(contents_of(target / "thesis.tex") == "years");
    CHECK(contents_of(target / "report.json") == "old");
  }
  CHECK(names_in(directory / "") == std::vector<std::string>{"out"});
}

TEST_CASE("run directory: the working directory and the root are refused", "[sim]") {
  CHECK_THROWS_WITH(RunDirectory("."), Contains("is the working directory"));
  CHECK_THROWS_WITH(RunDirectory("/"), Contains("is the root directory"));
  CHECK_THROWS_AS(RunDirectory("/dev/null/out"), OutputError);
}

TEST_CASE("run directory: what a killed run left is cleaned up", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path target = directory / "out";
  write_run(directory / "out.partial-run", {"trace.json"}, "half");
  SECTION("killed while it wrote") {}
  SECTION("killed between setting the run before it aside and taking its place") {
    write_run(directory / "out.partial-displaced", {"report.json"}, "old");
    {
      RunDirectory run(target);
      CHECK(contents_of(target / "report.json") == "old");
    }
    CHECK(contents_of(target / "report.json") == "old");
  }
  SECTION("killed just after that") {
    write_run(directory / "out.partial-displaced", {"report.json"}, "old");
    write_run(target, {"report.json"}, "newer");
  }
  RunDirectory run(target);
  write_file(run.file("report.json"), "new");
  run.commit();
  CHECK(names_in(directory / "") == std::vector<std::string>{"out"});
  CHECK(names_in(target) == std::vector<std::string>{RunMarker::name, "report.json"});
}

TEST_CASE("run directory: what no run wrote is left where the next run wants to write", "[sim]") {
  const TemporaryDirectory directory;
  SECTION("beside what a killed run left") {
    write_run(directory / "out.partial-run", {"trace.json"}, "half");
    write_file(directory / "out.partial-run/thesis.tex", "years");
  }
  SECTION("without a run") { write_file(directory / "out.partial-run/thesis.tex", "years"); }
  CHECK_THROWS_WITH(RunDirectory(directory / "out"),
                    Contains("out.partial-run: is not removed: it holds thesis.tex, which no run has written"));
  CHECK(contents_of(directory / "out.partial-run/thesis.tex") == "years");
}

TEST_CASE("run directory: a run that was killed at any moment leaves nothing that is in the way", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path partial = directory / "out.partial-run";
  fs::create_directory(partial);  // before its marker
  SECTION("at once") {}
  SECTION("in the middle of its marker's first line") { write_file(partial / RunMarker::name, "A Fence"); }
  SECTION("in the middle of a file's name") {
    RunMarker(partial).create();
    write_file(partial / RunMarker::name, contents_of(partial / RunMarker::name) + "repo");
  }
  RunDirectory run(directory / "out");
  write_file(run.file("report.json"), "new");
  run.commit();
  CHECK(names_in(directory / "") == std::vector<std::string>{"out"});
}

TEST_CASE("run directory: a link to nothing is refused before the run", "[sim]") {
  const TemporaryDirectory directory;
  fs::create_symlink(directory / "missing", directory / "out");
  CHECK_THROWS_WITH(RunDirectory(directory / "out"), Contains("is a symbolic link to nothing"));
  CHECK(names_in(directory / "") == std::vector<std::string>{"out"});
}

TEST_CASE("run directory: two runs do not write to one target at a time", "[sim]") {
  const TemporaryDirectory directory;
  std::optional<RunDirectory> first(directory / "out");
  write_file(first->file("report.json"), "first");
  CHECK_THROWS_WITH(RunDirectory(directory / "out"), Contains("another run is writing to it"));
  RunDirectory other(directory / "other");
  first->commit();
  RunDirectory second(directory / "out");
  first.reset();
  CHECK(contents_of(directory / "out/report.json") == "first");
}

TEST_CASE("run directory: a link to a directory stays a link", "[sim]") {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "real");
  fs::create_directory_symlink(directory / "real", directory / "link");
  RunDirectory run(directory / "link");
  write_file(run.file("report.json"), "{}");
  run.commit();
  CHECK(fs::is_symlink(directory / "link"));
  CHECK(contents_of(directory / "real/report.json") == "{}");
}

TEST_CASE("run directory: a listed directory of runs goes with the run, unless it holds something else", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path target = directory / "out";
  write_run(target, {"results.csv"}, "a");
  write_run(target / "runs/000001", {"report.json"}, "{}");
  fs::create_directories(target / "runs/000002.partial-run");  // of a run that was killed
  CHECK(*RunMarker(target).foreign() == "runs");               // not listed
  RunMarker(target).add("runs/");
  CHECK_FALSE(RunMarker(target).foreign());
  write_file(target / "runs/000001/notes.txt", "mine");
  CHECK(*RunMarker(target).foreign() == "runs");
  CHECK_THROWS_WITH(RunMarker(target).remove_run(), Contains("it holds runs, which no run has written"));
  CHECK(contents_of(target / "runs/000001/report.json") == "{}");
  fs::remove(target / "runs/000001/notes.txt");
  write_file(target / "runs/notes.txt", "mine");
  CHECK(*RunMarker(target).foreign() == "runs");
  fs::remove(target / "runs/notes.txt");
  RunMarker(target).remove_run();
  CHECK_FALSE(fs::exists(target));
}
