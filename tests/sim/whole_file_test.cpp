// SPDX-License-Identifier: Apache-2.0
#include "sim/files/whole_file.hpp"

#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
namespace fs = std::filesystem;

TEST_CASE("whole file: others see what was there until it is complete, then all of it", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path place = directory / "out.json";
  write_file(place, "old");
  fs::permissions(place, fs::perms(0640));
  WholeFile file(place);
  file.content().append("new");
  file.content().flush();
  CHECK(contents_of(place) == "old");
  file.commit();
  CHECK(contents_of(place) == "new");
  CHECK(fs::status(place).permissions() == fs::perms(0640));
  CHECK(names_in(directory / "") == std::vector<std::string>{"out.json"});
}

TEST_CASE("whole file: without commit it never was", "[sim]") {
  const TemporaryDirectory directory;
  { WholeFile(directory / "out.json").content().append("half"); }
  CHECK(names_in(directory / "").empty());
}

TEST_CASE("whole file: a new one has the permissions that the process gives", "[sim]") {
  const TemporaryDirectory directory;
  const mode_t before = ::umask(027);
  write_whole_file(directory / "out.json", "{}");
  ::umask(before);
  CHECK(fs::status(directory / "out.json").permissions() == fs::perms(0640));
}

TEST_CASE("whole file: neither a file beside it nor a planted link is touched", "[sim]") {
  const TemporaryDirectory directory;
  write_file(directory / "out.json.partial", "a user's own");
  write_file(directory / "precious", "years");
  fs::create_symlink(directory / "precious", directory / "other.json.partial");
  write_whole_file(directory / "out.json", "new");
  write_whole_file(directory / "other.json", "new");
  CHECK(contents_of(directory / "out.json.partial") == "a user's own");
  CHECK(contents_of(directory / "precious") == "years");
  CHECK(contents_of(directory / "out.json") == "new");
  CHECK(contents_of(directory / "other.json") == "new");
}

TEST_CASE("whole file: a link stays, and the file where it leads is replaced", "[sim]") {
  const TemporaryDirectory directory;
  write_file(directory / "there/real.json", "old");
  fs::create_symlink(directory / "there/real.json", directory / "out.json");
  write_whole_file(directory / "out.json", "new");
  CHECK(fs::is_symlink(directory / "out.json"));
  CHECK(contents_of(directory / "there/real.json") == "new");
}

TEST_CASE("whole file: what is no file is refused, and stays", "[sim]") {
  const TemporaryDirectory directory;
  fs::create_directory(directory / "out");
  CHECK_THROWS_WITH(WholeFile(directory / "out"), Contains("is not written: it is no regular file"));
  CHECK_THROWS_WITH(check_output(directory / "out"), Contains("is not written"));
  CHECK_THROWS_AS(WholeFile(directory / "missing/out.json"), OutputError);
  CHECK(fs::is_directory(directory / "out"));
}

TEST_CASE("whole file: an input is not overwritten, by whatever name", "[sim]") {
  const TemporaryDirectory directory;
  write_file(directory / "in.json", "in");
  fs::create_hard_link(directory / "in.json", directory / "same.json");
  fs::create_symlink(directory / "in.json", directory / "link.json");
  fs::create_directory(directory / "x");
  for (const char* name : {"in.json", "same.json", "link.json", "x/../in.json"}) {
    INFO(name);
    CHECK_THROWS_WITH(write_whole_file(directory / name, "new", {directory / "other.json", directory / "in.json"}),
                      Contains("is not written: it is the input") && Contains("in.json"));
  }
  CHECK(contents_of(directory / "in.json") == "in");
  write_whole_file(directory / "out.json", "new", {directory / "in.json"});
  CHECK(contents_of(directory / "out.json") == "new");
}

TEST_CASE("whole file: a FIFO and a device are written to directly", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path fifo = directory / "fifo";
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  std::string read;
  std::thread reader([&] { read = contents_of(fifo); });
  write_whole_file(fifo, "through");
  reader.join();
  CHECK(read == "through");
  CHECK(fs::is_fifo(fifo));
  write_whole_file("/dev/null", "away");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_WITH(write_whole_file("/dev/full", "x"), Contains("No space left"));
}

TEST_CASE("whole file: of two that are written at once the last one is there, whole", "[sim]") {
  const TemporaryDirectory directory;
  const fs::path place = directory / "out.json";
  WholeFile first(place);
  WholeFile second(place);
  first.content().append(std::string(1'000'000, 'a'));
  second.content().append(std::string(500'000, 'b'));
  second.commit();
  CHECK(contents_of(place) == std::string(500'000, 'b'));
  first.commit();
  CHECK(contents_of(place) == std::string(1'000'000, 'a'));
  CHECK(names_in(directory / "") == std::vector<std::string>{"out.json"});
}

TEST_CASE("output file: a budget ends it with what the limit was", "[sim]") {
  const TemporaryDirectory directory;
  OutputBudget budget{1'000'000, 0};
  OutputFile one(directory / "one", &budget);
  OutputFile other(directory / "other", &budget);
  one.append(std::string(600'000, 'a'));
  other.append(std::string(400'000, 'b'));
  one.flush();
  other.flush();
  one.append("c");
  CHECK_THROWS_WITH(one.close(), Contains("the limit of 1000000 bytes of output is reached"));
  other.close();
  CHECK(contents_of(directory / "other").size() == 400'000);
}

TEST_CASE("output file: where errors wait the first one is told by close, and nothing before it throws", "[sim]") {
  const TemporaryDirectory directory;
  OutputBudget budget{1'000'000, 0, true};
  OutputFile one(directory / "one", &budget);
  for (int i = 0; i < 30; ++i) one.append(std::string(100'000, 'a'));
  one.flush();
  CHECK_THROWS_WITH(one.close(), Contains("the limit of 1000000 bytes of output is reached"));
  CHECK(contents_of(directory / "one").size() <= 1'000'000);
  OutputFile other("/dev/full", &budget);
  other.append("b");
  other.flush();
  other.append("c");
  CHECK_THROWS_WITH(other.close(), Contains("/dev/full: cannot write"));
}
