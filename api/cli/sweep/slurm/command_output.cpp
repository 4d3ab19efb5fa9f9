// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/slurm/command_output.hpp"

#include "sim/config_error.hpp"
#include "sim/files/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

extern char** environ;

namespace fenceline::cli {
namespace {

/// Both ends of a pipe, which close with it.
class Pipe {
 public:
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "no pipe");
    from_ = above_standard_streams(ends[0]);
    to_ = above_standard_streams(ends[1]);
  }
  ~Pipe() {
    if (from_ >= 0) ::close(from_);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int from() const { return from_; }
  int to() const { return to_; }
  void close_writing() {
    if (to_ >= 0) ::close(to_);
    to_ = -1;
  }

 private:
  int from_ = -1;
  int to_ = -1;
};

/// Takes what there is. False: that was the end.
bool read_some(int descriptor, std::string& text) {
  char some[4096];
  const ::ssize_t got = ::read(descriptor, some, sizeof some);
  if (got > 0) text.append(some, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

}  // namespace

CommandOutput output_of(const std::vector<std::string>& command) {
  Pipe out;
  Pipe errors;
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.to(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.to(), STDERR_FILENO);
  ::pid_t process = -1;
  const int reason = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (reason != 0) throw std::system_error(reason, std::generic_category(), "cannot start " + command[0]);
  out.close_writing();
  errors.close_writing();
  CommandOutput output;
  ::pollfd polled[] = {{out.from(), POLLIN, 0}, {errors.from(), POLLIN, 0}};
  std::string* const texts[] = {&output.text, &output.errors};
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (::poll(polled, 2, -1) < 0 && errno != EINTR) break;
    for (int i = 0; i < 2; ++i) {
      if (polled[i].fd >= 0 && polled[i].revents != 0 && !read_some(polled[i].fd, *texts[i])) polled[i].fd = -1;
    }
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  output.went_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  while (!output.errors.empty() && output.errors.back() == '\n') output.errors.pop_back();
  output.errors = one_line(output.errors);
  return output;
}

}  // namespace fenceline::cli
