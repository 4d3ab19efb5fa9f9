// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/program.hpp"

#include <string>

namespace fenceline {

/// Goes through the program without time, each wait passing as soon as any signal so far reached its value. Where even
/// that gets stuck the program can never end: throws ConfigError at the wait, telling whether nothing signals the value
/// or which queues and CPU threads wait for each other in a cycle.
void check_waits(const Program& program, const std::string& file);

}  // namespace fenceline
