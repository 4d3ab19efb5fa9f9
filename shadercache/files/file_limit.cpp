// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/file_limit.hpp"

#include <sys/resource.h>

#include <csignal>

namespace fenceline {
namespace {

thread_local int limits_held = 0;

}  // namespace

FileLimit::FileLimit() {
  if (limits_held++ > 0) return;
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) dropped_.emplace(SIGXFSZ);
}

FileLimit::~FileLimit() { --limits_held; }

}  // namespace fenceline
