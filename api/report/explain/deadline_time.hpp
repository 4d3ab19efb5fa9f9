// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What an engine ran, or did else, while a packet waited for it.
struct RanMeanwhile {
  /// Command list that ran, or whose state was moved; of a switch of processes the process, of a wait the fence.
  std::string list;
  std::uint64_t ps = 0;
  /// It moved state: "save", "switch" (to another context), "restore"; or it was switched to a process:
  /// "process_switch"; or a wait held it: "wait"; or it was being reset: "reset". Unset: it ran.
  std::optional<std::string> moved;
  /// Path of another engine than the packet's, on which the list had the shader array, of which the packet, on its own
  /// engine, had nothing. Unset: of the packet's.
  std::optional<std::string> engine;
};
void describe(Fields& f, RanMeanwhile& c);

/// The last attempt to have another packet stopped for one, which failed.
struct CouldNotStop {
  std::uint64_t packet = 0;
  std::string list;          ///< its command list; of a wait the fence
  std::optional<bool> wait;  ///< true: it was a wait on the engine; unset: a list
  std::string result;
  std::uint64_t at_ps = 0;
};
void describe(Fields& f, CouldNotStop& c);

/// The packet whose end kept or missed a deadline, and where its time went.
struct DeadlinePacket {
  std::uint64_t id = 0;
  std::string queue;
  std::string list;
  std::string engine;
  std::uint64_t submitted_ps = 0;
  std::uint64_t queued_ps = 0;
  std::uint64_t fence_ps = 0;
  std::uint64_t memory_ps = 0;
  std::uint64_t engine_wait_ps = 0;
  std::uint64_t running_ps = 0;
  std::optional<std::uint64_t> no_place_ps;  ///< of those without a place on the shader array; unset: none
  std::uint64_t preempted_ps = 0;
  std::vector<RanMeanwhile> meanwhile;  ///< most first
  std::optional<CouldNotStop> could_not_stop;
};
void describe(Fields& f, DeadlinePacket& c);

constexpr std::size_t most_deadline_times = 1000;  ///< that report.json has

/// One time of a deadline, an element of `deadline_times` in report.json.
struct DeadlineTime {
  std::string deadline;
  std::uint64_t value = 0;
  std::uint64_t due_ps = 0;
  std::optional<std::uint64_t> reached_ps;
  std::optional<bool> device_removed;  ///< true: by the removal of a device, which raises its fences; unset: not
  std::optional<DeadlinePacket> packet;

  bool missed() const { return !reached_ps || *reached_ps > due_ps; }
};
void describe(Fields& f, DeadlineTime& c);

/// As report.json has it; what was never reached has a `reached_ps` of null.
nlohmann::ordered_json json_of(const DeadlineTime& time);

/// The element of this index, of a report.json. Throws ConfigError where it is not what a run writes.
DeadlineTime deadline_time_of(nlohmann::json element, const std::string& file, std::size_t index);

}  // namespace fenceline
