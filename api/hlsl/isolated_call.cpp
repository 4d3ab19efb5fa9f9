// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/isolated_call.hpp"

#include "sim/files/descriptor.hpp"
#include "sim/sanitizers.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>

namespace fenceline::d3d12 {
namespace {

constexpr char question = 'Q';
constexpr char result = 'R';

/// One end of the channel between the two processes: messages of a kind, a length and bytes.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() { ::close(descriptor_); }

  int descriptor() const { return descriptor_; }
  bool send(char kind, const std::string& bytes) {
    std::array<char, 9> head{};
    const std::uint64_t size = bytes.size();
    head[0] = kind;
    std::memcpy(&head[1], &size, sizeof size);
    return send_all(head.data(), head.size()) && send_all(bytes.data(), bytes.size());
  }
  /// Nothing when the other end is gone.
  std::optional<std::pair<char, std::string>> receive() {
    std::array<char, 9> head{};
    if (!receive_all(head.data(), head.size())) return {};
    std::uint64_t size = 0;
    std::memcpy(&size, &head[1], sizeof size);
    std::string bytes(size, '\0');
    if (!receive_all(bytes.data(), bytes.size())) return {};
    return std::pair(head[0], std::move(bytes));
  }

 private:
  bool send_all(const char* at, std::size_t left) {
    while (left > 0) {
      const ssize_t sent = ::send(descriptor_, at, left, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      at += sent;
      left -= static_cast<std::size_t>(sent);
    }
    return true;
  }
  bool receive_all(char* at, std::size_t left) {
    while (left > 0) {
      const ssize_t got = ::recv(descriptor_, at, left, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      at += got;
      left -= static_cast<std::size_t>(got);
    }
    return true;
  }

  int descriptor_;
};

void limit(__rlimit_resource what, rlim_t to) {
  rlimit now{};
  if (getrlimit(what, &now) != 0) return;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < to) to = now.rlim_max;
  const rlimit lower{to, now.rlim_max};
  setrlimit(what, &lower);
}

/// A child that waits for a lock that another thread held at the fork would wait for ever: it ends by SIGALRM. Far more
/// than its CPU time, for the machine may be busy.
constexpr unsigned real_seconds = 600;

void close_range(unsigned first, unsigned last) {
#ifdef SYS_close_range
  if (first > last || ::syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
  const auto end = static_cast<unsigned>(std::max(0L, ::sysconf(_SC_OPEN_MAX)));
  for (unsigned one = first; one <= last && one < end; ++one) ::close(static_cast<int>(one));
}

/// What is open here stays open, and locked, as long as it is in the child: all but the standard streams and that one.
void close_all_but(int descriptor) {
  constexpr unsigned first = STDERR_FILENO + 1;
  const auto kept = static_cast<unsigned>(descriptor);
  close_range(first, kept - 1);
  close_range(kept + 1, ~0U);
}

/// A child that breaks down does so quietly, soon, and without this process's handlers.
void prepare_child() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU, SIGTERM, SIGINT, SIGTRAP, SIGALRM}) {
    std::signal(signal, SIG_DFL);
  }
  ::alarm(real_seconds);
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  constexpr rlim_t cpu_seconds = 60;
  limit(RLIMIT_CPU, cpu_seconds);
  limit(RLIMIT_CORE, 0);
#if !defined(FENCELINE_ADDRESS_SANITIZER) && !defined(FENCELINE_THREAD_SANITIZER)  // they reserve more than any limit
  constexpr rlim_t more_bytes = rlim_t{4} << 30;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  limit(RLIMIT_AS, pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more_bytes);
#endif
}

[[noreturn]] void run_child(Channel& channel, const std::function<std::string(const AskParent&)>& work) {
  prepare_child();
  close_all_but(channel.descriptor());
  constexpr int failed = 1;
  try {
    const AskParent ask = [&](const std::string& what) {
      if (!channel.send(question, what)) ::_exit(failed);
      ::alarm(0);  // the program may take its time
      const auto answered = channel.receive();
      ::alarm(real_seconds);
      if (!answered) ::_exit(failed);
      return answered->second;
    };
    if (channel.send(result, work(ask))) ::_exit(0);
  } catch (...) {
    // The parent sees that there is no result.
  }
  ::_exit(failed);
}

/// Ends the child, if it has not ended, and takes it off the table of processes.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (::waitpid(id_, nullptr, WNOHANG) != 0) return;  // it has ended, or nobody may wait for it
    ::kill(id_, SIGKILL);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

 private:
  pid_t id_;
};

}  // namespace

std::optional<std::string> call_isolated(const std::function<std::string(const AskParent&)>& work,
                                         const std::function<std::string(const std::string&)>& answer) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
  Channel channel(above_standard_streams(ends[0]));
  const int other = above_standard_streams(ends[1]);
  const pid_t id = channel.descriptor() >= 0 && other >= 0 ? ::fork() : -1;
  if (id == 0) {
    Channel to_parent(other);
    run_child(to_parent, work);
  }
  ::close(other);
  if (id < 0) return {};
  const Child child(id);
  while (auto message = channel.receive()) {
    if (message->first == result) return std::move(message->second);
    if (!channel.send(question, answer(message->second))) return {};
  }
  return {};
}

}  // namespace fenceline::d3d12
