// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/threads/thread_id.hpp"

#include <atomic>

namespace fenceline::windows_compat {
namespace {

thread_local DWORD id_of_this_thread = 0;

}  // namespace

DWORD thread_id() {
  if (id_of_this_thread == 0) id_of_this_thread = new_thread_id();
  return id_of_this_thread;
}

DWORD new_thread_id() {
  static std::atomic<DWORD> last{0};
  return ++last;
}

void set_thread_id(DWORD id) { id_of_this_thread = id; }

}  // namespace fenceline::windows_compat
