// SPDX-License-Identifier: Apache-2.0
#include "sim/plain_threads.hpp"

namespace fenceline {

int& PlainThreads::count() {
  thread_local int count = 0;
  return count;
}

}  // namespace fenceline
