// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace fenceline {

/// Makes programs of several threads deterministic: attached threads call the D3D12 face in the order of their
/// simulated clocks, and time advances only when all of them are blocked there. Every thread that calls the face has to
/// be attached, the first one, too; an attached thread that blocks elsewhere (a mutex, a join) holds up the others,
/// unless it says so by `join`.
///
///     fenceline::HostThread here;
///     here.attach();
///     fenceline::HostThread there;                    // in the order in which threads are to be numbered
///     std::thread worker([&] { there.attach(); work(); there.detach(); });
///     fenceline::HostThread::join(worker);
class HostThread {
 public:
  /// Announces a thread, whose clock begins with the calling thread's. Until it is attached and makes its first call
  /// others wait for it.
  HostThread();
  /// Detaches.
  ~HostThread();
  HostThread(const HostThread&) = delete;
  HostThread& operator=(const HostThread&) = delete;

  /// The calling thread is the announced one. Once, and before its first call.
  void attach();
  /// It makes no more calls.
  void detach();

  /// The calling thread computes for so long (at most 1e6 s), in simulated time: but for calls and this, what a program
  /// does costs none. An attached thread's CPU time, also of its calls, passes on the cores of a machine that has some
  /// (/host/cpu), where other threads and background tasks may take it longer.
  static void compute(std::chrono::nanoseconds time);

  /// Joins a thread; meanwhile the others need not wait for the caller.
  static void join(std::thread& thread);

 private:
  std::uint64_t number_;
  bool over_ = false;
};

}  // namespace fenceline
