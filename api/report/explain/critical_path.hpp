// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/explain/causes.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// The one thing on which it hung for a while that something was done.
struct PathPart {
  std::uint64_t from_ps;
  std::uint64_t to_ps;
  Cause cause;  ///< the last link of the chain at that time

  std::uint64_t took_ps() const { return to_ps - from_ps; }
};

/// Back from the time at which a packet was complete to `from_ps`: what it waited for last, what that one had waited
/// for before, and so on, told forwards. The parts touch each other; they end with the packet, or with the run where it
/// never was complete, and begin at `from_ps`. Empty: it was complete before that.
std::vector<PathPart> critical_path(const CauseLog& log, std::uint64_t packet, std::uint64_t from_ps);

/// The path of a swap chain's frame, from when the present of the frame before it was complete (of the first: from the
/// start) to its own.
struct FramePath {
  std::string swap_chain;
  std::uint64_t frame = 0;  ///< its number, from 1
  std::uint64_t from_ps = 0;
  std::uint64_t to_ps = 0;     ///< its present was complete, or the run was over
  bool presented = false;      ///< its present was complete
  std::uint64_t shown_ps = 0;  ///< on the screen from then on; 0: it never was
  std::vector<PathPart> parts;
};

/// Of this frame. `swap_chain` may be empty where there is one only. Throws ConfigError where there is no such frame.
FramePath frame_path(const CauseLog& log, const std::string& swap_chain, std::uint64_t frame);

/// In words: a line for each part, then what took how much of it in all, the longest first.
std::string text_of(const FramePath& path);
nlohmann::ordered_json json_of(const FramePath& path);

}  // namespace fenceline
