// SPDX-License-Identifier: Apache-2.0
#include "sim/files/output_file.hpp"

#include "sim/text/time_text.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <iterator>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("output file: everything appended is in the file after close", "[sim]") {
  const TemporaryDirectory directory;
  std::string expected;
  OutputFile file(directory / "out.txt");
  for (int i = 0; i < 100'000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    if (i % 2 == 0) {
      file.append(line);
    } else {
      fmt::format_to(std::back_inserter(file.buffer()), "line {}\n", i);
      file.end_record();
    }
    expected += line;
  }
  const std::string long_line(3'000'000, 'x');  // longer than the buffer
  file.append(long_line);
  expected += long_line;
  file.append("end");
  expected += "end";
  file.close();
  file.close();
  CHECK(contents_of(directory / "out.txt") == expected);
}

TEST_CASE("output file: an existing file is emptied first", "[sim]") {
  const TemporaryDirectory directory;
  write_file(directory / "out.txt", "something long that was there");
  OutputFile file(directory / "out.txt");
  file.append("new");
  file.close();
  CHECK(contents_of(directory / "out.txt") == "new");
}

TEST_CASE("output file: appending does not allocate", "[sim]") {
  const TemporaryDirectory directory;
  OutputFile file(directory / "out.txt");
  const char* const data = file.buffer().data();
  for (int i = 0; i < 100'000; ++i) file.append("0123456789");
  CHECK(file.buffer().data() == data);
  file.close();
}

TEST_CASE("output file: a full disk is an error that names the file and the reason", "[sim]") {
  using Catch::Contains;
  SECTION("found when the buffer is written") {
    OutputFile file("/dev/full");
    const std::string line(1000, 'x');
    CHECK_THROWS_AS(
        [&] {
          for (int i = 0; i < 1000; ++i) file.append(line);
        }(),
        OutputError);
    CHECK_THROWS_WITH(file.close(), Contains("No space left"));  // and not forgotten
  }
  SECTION("found on close") {
    OutputFile file("/dev/full");
    file.append("x");
    CHECK_THROWS_WITH(file.close(), "/dev/full: cannot write: No space left on device");
    CHECK_THROWS_WITH(file.close(), Contains("No space left"));
  }
  SECTION("not raised by the destructor") {
    OutputFile file("/dev/full");
    file.append("x");
  }
}

TEST_CASE("output file: a file that cannot be created is an error that names it", "[sim]") {
  const TemporaryDirectory directory;
  try {
    OutputFile file(directory / "missing/out.txt");
    FAIL("no error");
  } catch (const OutputError& error) {
    CHECK(error.path() == directory / "missing/out.txt");
    CHECK(error.code() == std::errc::no_such_file_or_directory);
    CHECK_THAT(error.what(), Catch::Contains("missing/out.txt: cannot create: No such file"));
  }
}

TEST_CASE("time text: picoseconds are exact in microseconds", "[sim]") {
  CHECK(TimeText(0).view() == "0.000000");
  CHECK(TimeText(1).view() == "0.000001");
  CHECK(TimeText(999'999).view() == "0.999999");
  CHECK(TimeText(1'000'000).view() == "1.000000");
  CHECK(TimeText(12'345'678).view() == "12.345678");
  for (std::uint64_t ps = 1; ps < 1'000'000'000'000'000'000; ps *= 10) {
    for (const std::uint64_t value : {ps - 1, ps, ps + 7, 3 * ps, 9 * ps + 9}) {
      CHECK(TimeText(value).view() == fmt::format("{}.{:06}", value / 1'000'000, value % 1'000'000));
    }
  }
  CHECK(TimeText(~std::uint64_t{0}).view() == "18446744073709.551615");
}

TEST_CASE("output file: what the process may not write is an error, and no signal to it", "[sim]") {
  const TemporaryDirectory directory;
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int answer = 1;
    try {
      OutputFile file(directory / "out.txt");
      file.append(std::string(10'000, 'x'));
      file.close();
    } catch (const OutputError&) {
      sigset_t pending;
      ::sigpending(&pending);
      answer = sigismember(&pending, SIGXFSZ) == 1 ? 2 : 7;
    }
    ::_exit(answer);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(contents_of(directory / "out.txt").size() == 4096);
}
