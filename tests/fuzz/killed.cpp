// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/killed.hpp"

#include "tests/support/places.hpp"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace fenceline::testing {
namespace {

constexpr int not_traced = 99;

[[noreturn]] void become(std::vector<char*>& arguments, const std::string& directory) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
  ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // that does not work in a traced process
  if (::chdir(directory.c_str()) != 0 || ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(not_traced);
  ::execv(arguments.front(), arguments.data());
  ::_exit(not_traced);
}

}  // namespace

std::optional<Killed> fenceline_killed(const std::vector<std::string>& arguments,
                                       const std::filesystem::path& directory, std::uint64_t after) {
  std::vector<std::string> all = {fenceline_binary()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : all) pointers.push_back(argument.data());
  pointers.push_back(nullptr);

  const pid_t child = ::fork();
  if (child == 0) become(pointers, directory.string());
  Killed killed;
  int status = 0;
  while (::waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    if (killed.stops == after) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return killed;
    }
    ++killed.stops;
    const int signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    ::ptrace(PTRACE_SYSCALL, child, nullptr, signal);
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) == not_traced) return {};
  killed.code = WEXITSTATUS(status);
  return killed;
}

}  // namespace fenceline::testing
