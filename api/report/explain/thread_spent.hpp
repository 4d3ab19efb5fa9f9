// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/explain/thread_log.hpp"

#include <cstddef>
#include <string>

namespace fenceline {

/// What a thread spent from one step up to another: "worked for 70.000 us, slept for 10.000 us". Empty: no time.
std::string spent_text(const ThreadLog& threads, ThreadLog::Place from, std::size_t to_step);

}  // namespace fenceline
