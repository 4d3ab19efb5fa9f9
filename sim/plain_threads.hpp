// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fenceline {

/// While there is one of these, threads that the calling thread starts, or waits for the end of, are the simulator's
/// own: no program's, which may have to take turns (api/windows_compat/threads/attached_threads.hpp).
class PlainThreads {
 public:
  PlainThreads() { ++count(); }
  ~PlainThreads() { --count(); }
  PlainThreads(const PlainThreads&) = delete;
  PlainThreads& operator=(const PlainThreads&) = delete;

  /// Of the calling thread: there is one.
  static bool any() { return count() > 0; }

 private:
  static int& count();
};

}  // namespace fenceline
