// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/host_threads.hpp"

#include "sim/plain_threads.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <system_error>
#include <utility>

namespace fenceline {
namespace {

std::atomic<std::size_t> all_threads{0};

}  // namespace

HostThreads::HostThreads(std::size_t most, std::function<void()> begins)
    : most_(most), begins_(std::move(begins)), pool_(std::make_unique<boost::asio::thread_pool>(0)) {}

HostThreads::~HostThreads() { join(); }

void HostThreads::join() {
  // Before they are gone: who asks meanwhile takes one for a thread of the program, which does no harm.
  all_threads -= threads_.size();
  pool_->stop();
  const PlainThreads own;
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void HostThreads::make_all() {
  const std::lock_guard held(mutex_);
  while (threads_.size() < most_ && !short_) short_ = !add_thread();
}

bool HostThreads::post(std::function<void()> work) {
  {
    const std::lock_guard held(mutex_);
    if (posted_ >= threads_.size() && threads_.size() < most_ && !add_thread()) short_ = true;
    if (threads_.empty()) return false;
    ++posted_;
  }
  boost::asio::post(*pool_, [this, work = std::move(work)] {
    work();
    const std::lock_guard held(mutex_);
    --posted_;
  });
  return true;
}

bool HostThreads::add_thread() {
  const PlainThreads own;
  try {
    threads_.reserve(threads_.size() + 1);
    threads_.emplace_back([this] {
      begins_();
      pool_->attach();
    });
    ++all_threads;
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

bool HostThreads::short_of_threads() const {
  const std::lock_guard held(mutex_);
  return short_;
}

std::size_t HostThreads::all() { return all_threads; }

}  // namespace fenceline
