// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fenceline::windows_compat {

/// From now on the calling thread takes turns (HostThread). The process's first thread does so to the end: what others
/// do after it has left is nobody's business.
void attach_caller();

/// While there is one of these, threads that the calling thread starts are not attached by attached_threads.cpp.
class PlainThreads {
 public:
  PlainThreads();
  ~PlainThreads();
  PlainThreads(const PlainThreads&) = delete;
  PlainThreads& operator=(const PlainThreads&) = delete;
};

}  // namespace fenceline::windows_compat
