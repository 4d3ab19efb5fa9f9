// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace boost::asio {
class thread_pool;
}

namespace fenceline {

/// Threads of one kind, made as they are needed.
class HostThreads {
 public:
  /// `begins` is called on each, first.
  HostThreads(std::size_t most, std::function<void()> begins);
  /// What was posted has been done.
  ~HostThreads();
  /// The threads end; what was posted has been done. Who posts from one such object to another ends both before either
  /// goes: a thread may still be at its post when what it posted is done.
  void join();
  /// All of them now: each new one has the priority of the thread that makes it.
  void make_all();
  /// One of the threads does it. Where the system has no thread left, fewer do all; false: there is none at all, and
  /// nobody does it.
  bool post(std::function<void()> work);
  /// The system had fewer threads than were wanted.
  bool short_of_threads() const;
  /// Of all such objects of this process.
  static std::size_t all();

 private:
  bool add_thread();

  std::size_t most_;
  std::function<void()> begins_;
  mutable std::mutex mutex_;
  std::size_t posted_ = 0;  // and not done
  bool short_ = false;
  std::unique_ptr<boost::asio::thread_pool> pool_;
  std::vector<std::thread> threads_;  // attached to it
};

}  // namespace fenceline
