// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fenceline::cli {

/// Processes that do jobs: each is sent a greeting line, then a job's number on a line, answers with a line, and is
/// sent the next. One that ends before it has answered is replaced, and its job given again, so many times.
class WorkerPool {
 public:
  struct Options {
    std::vector<std::string> command;  ///< of a worker: a program's path and its arguments
    std::string greeting;              ///< the first line that it reads
    unsigned workers = 1;
    unsigned attempts = 3;  ///< at one job
  };
  struct Client {
    std::function<std::optional<std::uint64_t>()> next;           ///< a job; nothing: there are no more for now
    std::function<void(std::uint64_t, const std::string&)> did;   ///< a job and its answer
    std::function<void(std::uint64_t, const std::string&)> lost;  ///< a job that no attempt did, and why
    std::function<void()> tick;                                   ///< now and then
  };

  explicit WorkerPool(Options options);
  /// Ends its processes.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Until there are no more jobs and all are answered. Throws std::system_error where no process can be made.
  void run(const Client& client);

 private:
  struct Worker {
    int process = -1;
    int talk = -1;    ///< its standard input and output
    int errors = -1;  ///< its standard error
    std::optional<std::uint64_t> job;
    std::string heard;  ///< of its answer
    std::string said;   ///< the end of what it said on standard error
  };
  struct Again {
    std::uint64_t job;
    unsigned attempts;
  };

  Worker start();
  void stop(Worker& worker, bool kill);
  bool give(Worker& worker, const Client& client);
  void wait(const Client& client);
  void listen(Worker& worker, const Client& client);
  void bury(Worker& worker, const Client& client);
  std::optional<std::uint64_t> next_job(const Client& client);

  Options options_;
  std::vector<Worker> workers_;
  std::vector<Again> again_;     ///< jobs to be given again
  std::vector<Again> attempts_;  ///< of jobs under way that have failed before
};

}  // namespace fenceline::cli
