// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/host_thread.hpp"

#include "api/d3d12/host/host.hpp"

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

void HostThread::join(std::thread& thread) {
  Host::instance().leave();
  thread.join();
  Host::instance().come_back();
}

}  // namespace fenceline
