// SPDX-License-Identifier: Apache-2.0
#include "sim/files/console.hpp"

#include "sim/files/descriptor.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// What the function returns in a process of its own; above 1000: the signal that ended it.
template <class Function>
int in_child(const Function& function) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(function());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("console: messages go to standard error, whole", "[sim]") {
  const TemporaryDirectory directory;
  const std::string place = (directory / "err").string();
  CHECK(in_child([&] {
          ::dup2(::open(place.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
          console::tell("plain {}\n");
          console::tell("{} of {}\n", 1, 2);
          console::tell(std::string(300'000, 'x'));
          return 7;
        }) == 7);
  CHECK(contents_of(place) == "plain {}\n1 of 2\n" + std::string(300'000, 'x'));
}

TEST_CASE("console: a standard error that takes nothing costs the message alone", "[sim]") {
  CHECK(in_child([] {
          ::close(STDERR_FILENO);
          console::tell("x {}\n", 1);
          return 7;
        }) == 7);
  CHECK(in_child([] {
          ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO);
          console::tell("x\n");
          return 7;
        }) == 7);
  CHECK(in_child([] {
          int ends[2];
          if (::pipe(ends) != 0) return 1;
          ::signal(SIGPIPE, SIG_DFL);
          ::dup2(ends[1], STDERR_FILENO);
          ::close(ends[0]);
          console::tell("nobody reads this\n");
          return 7;
        }) == 7);
}

TEST_CASE("console: a signal that was pending before a message is pending after it", "[sim]") {
  CHECK(in_child([] {
          sigset_t pipe;
          sigemptyset(&pipe);
          sigaddset(&pipe, SIGPIPE);
          ::sigprocmask(SIG_BLOCK, &pipe, nullptr);
          ::raise(SIGPIPE);
          ::close(STDERR_FILENO);
          console::tell("x\n");
          sigset_t pending;
          ::sigpending(&pending);
          return sigismember(&pending, SIGPIPE) == 1 ? 7 : 1;
        }) == 7);
}

TEST_CASE("console: what standard output did not take is told at the end", "[sim]") {
  CHECK(in_child([] {
          ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO);
          console::print("x\n");
          return console::flush() ? 1 : 7;
        }) == 7);
  CHECK(in_child([] {
          ::close(STDOUT_FILENO);
          console::print("{}\n", 1);
          return console::flush() ? 1 : 7;
        }) == 7);
}

TEST_CASE("descriptors: files of ours are above the standard streams", "[sim]") {
  for (const int closed : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    CHECK(in_child([&] {
            ::close(closed);
            const int file = above_standard_streams(::open("/dev/null", O_WRONLY | O_CLOEXEC));
            const bool kept = (::fcntl(file, F_GETFD) & FD_CLOEXEC) != 0;
            return file > STDERR_FILENO && kept && ::fcntl(closed, F_GETFD) < 0 ? 7 : 1;
          }) == 7);
  }
  CHECK(above_standard_streams(-1) == -1);
}

TEST_CASE("descriptors: closed standard streams stay as good as closed", "[sim]") {
  CHECK(in_child([] {
          for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
          keep_standard_streams();
          char byte = 'x';
          const bool writes = ::write(STDOUT_FILENO, &byte, 1) >= 0 || ::write(STDERR_FILENO, &byte, 1) >= 0;
          const bool reads = ::read(STDIN_FILENO, &byte, 1) >= 0;
          return !writes && !reads && ::open("/dev/null", O_RDONLY) > STDERR_FILENO ? 7 : 1;
        }) == 7);
}
