// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/host_thread.hpp"

#include "api/d3d12/host/host.hpp"

#include <algorithm>

namespace fenceline {

using d3d12::Host;

HostThread::HostThread() : number_(Host::instance().announce()) {}

HostThread::~HostThread() {
  if (!over_) detach();
}

void HostThread::attach() { Host::instance().attach(number_); }

void HostThread::detach() {
  over_ = true;
  Host::instance().detach(number_);
}

void HostThread::compute(std::chrono::nanoseconds time) {
  constexpr std::int64_t most_ns = 1'000'000'000'000'000;
  constexpr std::uint64_t ps_per_ns = 1000;
  const std::int64_t ns = std::clamp<std::int64_t>(time.count(), 0, most_ns);
  Host::instance().compute(static_cast<std::uint64_t>(ns) * ps_per_ns);
}

void HostThread::join(std::thread& thread) {
  Host::instance().leave();
  thread.join();
  Host::instance().come_back();
}

}  // namespace fenceline
