// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <stdexcept>

namespace fenceline::testing {

/// Numbers from one process to another.
class NumberPipe {
 public:
  NumberPipe() {
    if (::pipe(ends_) != 0) throw std::runtime_error("no pipe");
  }
  ~NumberPipe() {
    close(0);
    close(1);
  }
  NumberPipe(const NumberPipe&) = delete;
  NumberPipe& operator=(const NumberPipe&) = delete;
  bool write(std::uint32_t number) { return ::write(ends_[1], &number, sizeof number) == sizeof number; }
  /// False: nobody is left who could write. `close_writing` comes before.
  bool read(std::uint32_t& number) { return ::read(ends_[0], &number, sizeof number) == sizeof number; }
  void close_writing() { close(1); }

 private:
  void close(int end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  int ends_[2] = {-1, -1};
};

/// A copy of this process that does one thing and ends with what it returns. No assertions of Catch there.
class ChildProcess {
 public:
  static constexpr int threw = 99;
  static constexpr int killed = -1;

  template <class Body>
  explicit ChildProcess(Body body) : id_(::fork()) {
    if (id_ < 0) throw std::runtime_error("no process");
    if (id_ != 0) return;
    std::signal(SIGABRT, SIG_DFL);  // Catch's handlers would report it as the test's
    std::signal(SIGSEGV, SIG_DFL);
    ::alarm(120);
    int result = threw;
    try {
      result = body();
    } catch (...) {
    }
    ::_exit(result);
  }
  ~ChildProcess() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    wait();
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// What it ended with, or `killed`.
  int wait() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
    signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : killed;
  }
  /// What killed the process that was waited for, or 0.
  int signal() const { return signal_; }
  void kill() { ::kill(id_, SIGKILL); }
  pid_t id() const { return id_; }

 private:
  pid_t id_;
  int signal_ = 0;
};

}  // namespace fenceline::testing
