// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

struct WorkOrder;
struct Workload;

/// What a point counts.
enum class PointUnit : std::uint8_t {
  frame,   ///< presents
  submit,  ///< ExecuteCommandLists
};
constexpr EnumNames<PointUnit, 2> enum_names(PointUnit) {
  return {{{PointUnit::frame, "frame"}, {PointUnit::submit, "submit"}}};
}

/// A point of a workload's work: so many presents, or ExecuteCommandLists, have come (docs/replay.md, rule 6).
struct ReplayPoint {
  PointUnit unit = PointUnit::submit;  ///< what is counted
  std::uint64_t count = 0;             ///< how many; 0: the beginning
};

/// From `frame:N` or `submit:N`. Throws ConfigError; `option` is where the text stands.
ReplayPoint point_of(const std::string& text, const std::string& option);
std::string text_of(const ReplayPoint& point);  ///< as it is read

/// How many events of the order are before the point. Throws ConfigError where there is no such point.
std::size_t events_before(const ReplayPoint& point, const WorkOrder& order, const std::string& option);

/// By queue, how many packets it has before the point. Throws ConfigError where there is no such point.
std::vector<std::uint64_t> packets_before(const ReplayPoint& point, const Workload& workload);

}  // namespace fenceline
