// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/confined.hpp"

#include "tests/support/places.hpp"
#include "tests/support/temporary_directory.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

// The sanitizers reserve more than any limit and are slower.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FENCELINE_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(FENCELINE_SANITIZED)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

namespace fenceline::testing {
namespace {

constexpr rlim_t most_cpu_s = 10;
constexpr rlim_t most_bytes = rlim_t{1} << 30;
/// Ends a process that waits for ever; it is no limit that a slow machine could meet.
constexpr unsigned waits_for_ever_s = 500;

void limit(decltype(RLIMIT_CPU) what, rlim_t most) {
  const ::rlimit limits{most, most + 1};  // at the first a signal that names it, at the second SIGKILL
  ::setrlimit(what, &limits);
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const std::string& directory,
                         const std::string& messages) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  const int input = ::open("/dev/null", O_RDWR);
  const int err = ::open(messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (::chdir(directory.c_str()) != 0 || ::dup2(input, STDIN_FILENO) < 0 || ::dup2(input, STDOUT_FILENO) < 0 ||
      ::dup2(err, STDERR_FILENO) < 0) {
    ::_exit(126);
  }
  limit(RLIMIT_CORE, 0);
  if (!sanitized) {
    limit(RLIMIT_CPU, most_cpu_s);
    limit(RLIMIT_DATA, most_bytes);
  }
  ::alarm(waits_for_ever_s);
  ::execv(pointers.front(), pointers.data());
  ::_exit(127);
}

}  // namespace

Ended fenceline_confined(const std::vector<std::string>& arguments, const std::filesystem::path& directory) {
  std::vector<std::string> all = {fenceline_binary()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::string messages = (directory / "messages").string();
  const pid_t child = ::fork();
  if (child == 0) become(all, directory.string(), messages);
  int status = 0;
  ::rusage used{};
  Ended ended;
  if (child < 0 || ::wait4(child, &status, 0, &used) != child) return ended;
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  ended.rss_kib = used.ru_maxrss;
  ended.err = contents_of(messages);
  return ended;
}

}  // namespace fenceline::testing
