// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <sys/resource.h>

#include <string>

namespace fenceline {

/// The kernel's ways to let the calling thread wait for all others; as sched_setscheduler and setpriority they answer
/// 0, or say why not in errno.
struct IdleCalls {
  int (*set_policy)(int policy) = [](int policy) {
    const sched_param none{};
    return sched_setscheduler(0, policy, &none);
  };
  int (*set_nice)(int nice) = [](int nice) { return setpriority(PRIO_PROCESS, 0, nice); };  // on Linux, of the thread
};

/// The calling thread becomes idle for good, for the kernel lets few processes raise it again: SCHED_IDLE, or nice 19
/// where that is refused. The answer is what was refused and what happened instead, for a log; empty: nothing.
std::string become_idle(const IdleCalls& calls = {});

}  // namespace fenceline
