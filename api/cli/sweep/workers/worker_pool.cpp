// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/workers/worker_pool.hpp"

#include "sim/config_error.hpp"
#include "sim/files/descriptor.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

extern char** environ;

namespace fenceline::cli {
namespace {

constexpr int tick_ms = 100;
constexpr std::size_t longest_said = 300;
constexpr std::size_t longest_answer = 1 << 24;

[[noreturn]] void fail(const char* what, int reason) { throw std::system_error(reason, std::generic_category(), what); }

void close_if_open(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

/// How a process ended, in words.
std::string how_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

WorkerPool::WorkerPool(Options options) : options_(std::move(options)) {}

WorkerPool::~WorkerPool() {
  for (Worker& worker : workers_) stop(worker, true);
}

WorkerPool::Worker WorkerPool::start() {
  int talk[2];
  int errors[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0) fail("no socket for a worker", errno);
  if (::pipe2(errors, O_CLOEXEC) != 0) {
    const int reason = errno;
    ::close(talk[0]);
    ::close(talk[1]);
    fail("no pipe for a worker", reason);
  }
  Worker worker;
  worker.talk = talk[0];
  worker.errors = errors[0];
  ::fcntl(worker.talk, F_SETFL, O_NONBLOCK);
  ::fcntl(worker.errors, F_SETFL, O_NONBLOCK);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, talk[1], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, talk[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (std::string& argument : options_.command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const int reason = ::posix_spawn(&worker.process, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(talk[1]);
  ::close(errors[1]);
  if (reason != 0) {
    worker.process = -1;
    close_if_open(worker.talk);
    close_if_open(worker.errors);
    fail("cannot start a worker", reason);
  }
  const std::string greeting = options_.greeting + "\n";
  ::fcntl(worker.talk, F_SETFL, 0);  // the greeting may be longer than the socket's buffer
  for (std::size_t at = 0; at < greeting.size();) {
    const ::ssize_t sent = ::send(worker.talk, greeting.data() + at, greeting.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) break;  // it has ended: seen when it is listened to
    at += static_cast<std::size_t>(sent);
  }
  ::fcntl(worker.talk, F_SETFL, O_NONBLOCK);
  return worker;
}

void WorkerPool::stop(Worker& worker, bool kill) {
  if (worker.process > 0 && kill) ::kill(worker.process, SIGKILL);
  close_if_open(worker.talk);
  close_if_open(worker.errors);
  if (worker.process > 0) {
    int status = 0;
    while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
  }
  worker.process = -1;
}

std::optional<std::uint64_t> WorkerPool::next_job(const Client& client) {
  if (again_.empty()) return client.next();
  const Again again = again_.front();
  again_.erase(again_.begin());
  attempts_.push_back(again);
  return again.job;
}

/// Gives the worker its next job. False: there is none.
bool WorkerPool::give(Worker& worker, const Client& client) {
  worker.job = next_job(client);
  if (!worker.job) return false;
  if (worker.process < 0)
    worker = [&] {
      Worker started = start();
      started.job = worker.job;
      return started;
    }();
  const std::string line = fmt::format("{}\n", *worker.job);
  // It has read all before: the line fits. Of one that has ended its end is heard.
  while (::send(worker.talk, line.data(), line.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
  return true;
}

/// A worker has ended: its job is given again, or lost.
void WorkerPool::bury(Worker& worker, const Client& client) {
  close_if_open(worker.talk);
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  worker.process = -1;
  char text[4096];
  for (::ssize_t got; (got = ::read(worker.errors, text, sizeof text)) > 0;) {
    worker.said.append(text, static_cast<std::size_t>(got));
  }
  close_if_open(worker.errors);
  worker.heard.clear();
  if (worker.job) {
    const std::uint64_t job = *worker.job;
    worker.job.reset();
    const auto before =
        std::find_if(attempts_.begin(), attempts_.end(), [&](const Again& one) { return one.job == job; });
    const unsigned attempts = (before == attempts_.end() ? 0 : before->attempts) + 1;
    if (before != attempts_.end()) attempts_.erase(before);
    if (attempts < options_.attempts) {
      again_.push_back({job, attempts});
    } else {
      if (worker.said.size() > longest_said) worker.said.erase(0, worker.said.size() - longest_said);
      while (!worker.said.empty() && worker.said.back() == '\n') worker.said.pop_back();
      client.lost(job, fmt::format("its process ended with {}, {} times{}", how_ended(status), attempts,
                                   worker.said.empty() ? "" : ", and said " + one_line(worker.said)));
    }
  }
  worker.said.clear();
}

void WorkerPool::listen(Worker& worker, const Client& client) {
  char text[65536];
  const ::ssize_t said = ::read(worker.errors, text, sizeof text);
  if (said > 0) {
    worker.said.append(text, static_cast<std::size_t>(said));
    if (worker.said.size() > 2 * longest_said) worker.said.erase(0, worker.said.size() - longest_said);
  }
  const ::ssize_t got = ::read(worker.talk, text, sizeof text);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0 || worker.heard.size() > longest_answer) {
    if (got > 0) ::kill(worker.process, SIGKILL);
    bury(worker, client);
    return;
  }
  worker.heard.append(text, static_cast<std::size_t>(got));
  const std::size_t end = worker.heard.find('\n');
  if (end == std::string::npos || !worker.job) return;
  const std::uint64_t job = *worker.job;
  worker.job.reset();
  const std::string answer = worker.heard.substr(0, end);
  worker.heard.erase(0, end + 1);
  attempts_.erase(std::remove_if(attempts_.begin(), attempts_.end(), [&](const Again& one) { return one.job == job; }),
                  attempts_.end());
  client.did(job, answer);
}

void WorkerPool::wait(const Client& client) {
  std::vector<::pollfd> polled;
  for (const Worker& worker : workers_) {
    polled.push_back({worker.talk, POLLIN, 0});
    polled.push_back({worker.errors, POLLIN, 0});
  }
  if (::poll(polled.data(), polled.size(), tick_ms) < 0 && errno != EINTR) fail("cannot wait for workers", errno);
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (polled[2 * i].revents != 0 || polled[2 * i + 1].revents != 0) listen(workers_[i], client);
  }
  client.tick();
}

void WorkerPool::run(const Client& client) {
  workers_.resize(options_.workers);
  for (;;) {
    bool busy = false;
    for (Worker& worker : workers_) busy |= worker.job || give(worker, client);
    if (!busy) break;
    wait(client);
  }
  for (Worker& worker : workers_) stop(worker, false);
  workers_.clear();
}

}  // namespace fenceline::cli
