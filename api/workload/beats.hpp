// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"

#include <string>

namespace fenceline {

/// The same workload with the times of its beats where they are kept, and without beats: what a program is made of, and
/// what is replayed in part. Throws ConfigError where a beat is not there, two have one name, or something is to happen
/// longer before a beat than that comes after the start.
void resolve_beats(Workload& workload, const std::string& file);
/// The same, of a copy.
Workload with_times_of_beats(Workload workload, const std::string& file);
/// Something in it is still to be resolved.
bool keeps_beats(const Workload& workload);

}  // namespace fenceline
