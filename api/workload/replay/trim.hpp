// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/replay/replay_point.hpp"
#include "api/workload/workload.hpp"

#include <optional>
#include <string>

namespace fenceline {

/// A part of a workload's work.
struct ReplayRange {
  std::optional<ReplayPoint> from;  ///< unset: the beginning
  std::optional<ReplayPoint> to;    ///< unset: the end
};

/// From points as text; empty: none. Throws ConfigError that names `--from` or `--to`.
ReplayRange range_of(const std::string& from, const std::string& to);

/// A workload of its own with the range alone (docs/replay.md, rules 8 to 13), its beats resolved. Throws ConfigError:
/// where a point is not there or `from` is not before `to`, and as `order_of` does.
Workload trimmed(const Workload& workload, const ReplayRange& range, const std::string& file);

}  // namespace fenceline
