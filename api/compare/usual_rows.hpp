// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/compare/document_difference.hpp"

#include <vector>

namespace fenceline {

/// Of differences in statistics those that a person looks for first, in their order: without what the greatest of them
/// tell already. Of a distribution p50 and p99, or where neither changed what changed first in the order; of preemption
/// not what the only engine has as all engines have it, not a part that is the whole, nor the time of which `lost_ps`
/// is a part. How attempts to preempt went comes last.
std::vector<ValueDifference> usual_rows(const std::vector<ValueDifference>& all);

}  // namespace fenceline
