// SPDX-License-Identifier: Apache-2.0
#include "api/repeat/worker_processes.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace fenceline {
namespace {

constexpr std::size_t longest_message = 1024;

/// In a worker, which ends here: what the parent has not written yet is not written twice.
[[noreturn]] void work_and_end(const std::function<void(std::uint32_t)>& work, std::uint32_t job, char* message) {
  int code = 1;
  try {
    work(job);
    code = 0;
  } catch (const std::exception& error) {
    std::strncpy(message, error.what(), longest_message - 1);
  } catch (...) {
    std::strncpy(message, "it threw", longest_message - 1);
  }
  _exit(code);
}

int waited(pid_t worker) {
  int status = 0;
  while (waitpid(worker, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return status;
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes)
    : memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
      bytes_(bytes) {
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
}

SharedMemory::~SharedMemory() { munmap(memory_, bytes_); }

void in_processes(std::uint32_t jobs, const std::function<void(std::uint32_t job)>& work) {
  if (jobs == 1) {
    work(0);
    return;
  }
  const SharedMemory messages(jobs * longest_message);
  std::vector<pid_t> workers;
  std::string failure;
  for (std::uint32_t job = 0; job < jobs; ++job) {
    const pid_t worker = fork();
    if (worker == 0) work_and_end(work, job, static_cast<char*>(messages.at(job * longest_message)));
    if (worker < 0) {
      failure = "a worker process: " + std::system_category().message(errno);
      break;
    }
    workers.push_back(worker);
  }
  for (std::size_t job = 0; job < workers.size(); ++job) {
    const int status = waited(workers[job]);
    const char* const message = static_cast<const char*>(messages.at(job * longest_message));
    if (status == 0 || !failure.empty()) continue;
    failure = message[0] != '\0' ? message : "a worker process ended with status " + std::to_string(status);
  }
  if (!failure.empty()) throw std::runtime_error(failure);
}

}  // namespace fenceline
