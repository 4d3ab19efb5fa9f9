// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/display/output_config.hpp"
#include "scheduler/display/refreshes.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// Which line of an output is being scanned out when. Nothing runs: it is asked. Source: rules 20 to 22 of
/// docs/display.md.
///
/// A refresh is the blank lines, then those of the picture, of the same time each. At a fixed rate line n from the
/// run's start on, blank ones included, begins at ceil(n * 1e15 / (mHz * lines)) ps, so no error accumulates; at a
/// variable one a refresh's lines are counted from its beginning, and between two refreshes none is scanned.
class Scanout {
 public:
  explicit Scanout(const OutputConfig& config);

  /// The line of the picture that is being scanned, from 0 on; unset: it is blank, or no refresh is under way.
  std::optional<std::uint32_t> line_at(const Refreshes& refreshes, std::uint64_t time_ps) const;
  /// Lines of the picture that have been scanned to their end by then, in all refreshes since the run's start.
  std::uint64_t lines_until(const Refreshes& refreshes, std::uint64_t time_ps) const;

 private:
  struct Place {
    std::uint64_t refreshes;  // that are over
    std::uint64_t lines;      // of the next one, blank ones included
  };
  Place place_at(const Refreshes& refreshes, std::uint64_t time_ps) const;

  std::uint64_t refresh_mhz_;
  std::uint32_t blank_;
  std::uint32_t height_;
};

}  // namespace fenceline
