// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/frame_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace fenceline {
namespace {

__extension__ using Wide = unsigned __int128;
constexpr Wide ps_mhz = 1'000'000'000'000'000;

/// The first vertical blank at or after that time.
std::uint64_t next_vblank(std::uint64_t at_ps, std::uint64_t mhz) {
  auto vblank = static_cast<std::uint64_t>(Wide{at_ps} * mhz / ps_mhz);
  while ((Wide{vblank} * ps_mhz + mhz - 1) / mhz < at_ps) ++vblank;
  return vblank;
}
/// Lines that have been scanned by then at a fixed rate: of the picture, and whether one of it is being scanned now.
struct Scanned {
  std::uint64_t lines;
  std::optional<std::uint32_t> now;
};
Scanned scanned_by(std::uint64_t at_ps, const OutputLimits& output) {
  const std::uint64_t all = output.lines + output.blank_lines;
  const auto begun = static_cast<std::uint64_t>(Wide{at_ps} * output.refresh_mhz * all / ps_mhz);
  const std::uint64_t in_refresh = begun % all;
  Scanned found{begun / all * output.lines, {}};
  if (in_refresh < output.blank_lines) return found;
  found.now = static_cast<std::uint32_t>(in_refresh - output.blank_lines);
  found.lines += *found.now;
  return found;
}
std::uint64_t time_of(std::uint64_t vblank, std::uint64_t mhz) {
  return static_cast<std::uint64_t>((Wide{vblank} * ps_mhz + mhz - 1) / mhz);
}

/// What is presented when the one before has left the screen is the first frame of a swap chain that was closed, and
/// made anew.
bool begins_anew(const FrameRecord& before, const FrameRecord& next) { return next.presented_ps >= before.left_ps; }

}  // namespace

std::vector<OutputLimits> limits_of(const DisplayConfig& display, const std::string& path) {
  const auto mhz_of = [](double hz) { return static_cast<std::uint64_t>(std::llround(hz * 1e3)); };
  std::vector<OutputLimits> outputs;
  for (const OutputConfig& output : screens_of(display)) {
    OutputLimits limits{outputs.empty() ? path : path + "." + output.name,
                        mhz_of(output.refresh_hz),
                        {},
                        output.height,
                        output.blank_lines};
    if (output.variable_refresh_min_hz) limits.least_mhz = mhz_of(*output.variable_refresh_min_hz);
    outputs.push_back(std::move(limits));
  }
  return outputs;
}

FrameChecker::FrameChecker(EventLog& log, const std::vector<OutputLimits>& outputs, Violations& violations)
    : log_(log), violations_(violations) {
  for (const OutputLimits& output : outputs) outputs_.emplace(log.name(output.path), output);
}

void FrameChecker::violation(const FrameRecord& record, const std::string& expected, const std::string& found) {
  violations_.add(record.left_ps, fmt::format("{}, frame {}", log_.text(record.swap_chain), record.frame), expected,
                  found);
}

void FrameChecker::frame(const FrameRecord& record) {
  check_order(record);
  if (record.fate == FrameRecord::Fate::discarded) {
    if (record.interval == 0) made_room_[record.swap_chain].insert(record.ready_ps);
    return;
  }
  const auto output = outputs_.find(record.output);
  if (output != outputs_.end()) {
    check_begin(record, output->second);
    if (output->second.lines > 0) check_lines(record, output->second);
    const auto before = last_.find(record.swap_chain);
    if (before != last_.end() && !record.composed) check_stay(before->second, record, output->second);
  }
  last_.insert_or_assign(record.swap_chain, record);
  std::set<std::uint64_t>& made_room = made_room_[record.swap_chain];
  made_room.erase(made_room.begin(), made_room.lower_bound(record.ready_ps));
}

void FrameChecker::check_order(const FrameRecord& record) {
  const std::uint64_t stamps[] = {record.input_ps.value_or(0), record.presented_ps, record.ready_ps,
                                  record.on_screen_ps, record.left_ps};
  if (!std::is_sorted(std::begin(stamps), std::end(stamps))) {
    violation(record, "input, present, ready, on screen and gone in this order", "another one");
  }
  if (record.fate == FrameRecord::Fate::discarded) return;
  const auto before = last_.find(record.swap_chain);
  if (before == last_.end()) return;
  if (record.ready_ps < before->second.ready_ps) {
    violation(record, fmt::format("ready after frame {}, which was before it", before->second.frame),
              "ready at " + Violations::time_of(record.ready_ps));
  }
  if (record.on_screen_ps != before->second.left_ps && !begins_anew(before->second, record)) {
    violation(record, "on screen from " + Violations::time_of(before->second.left_ps) + " on, when the last one left",
              Violations::time_of(record.on_screen_ps));
  }
}

void FrameChecker::check_begin(const FrameRecord& record, const OutputLimits& output) {
  if (record.fate == FrameRecord::Fate::tore) {
    if (record.interval != 0 && !record.composed)
      violation(record, "no tearing of interval 1 and more", "a frame that tore");
    return;
  }
  if (output.least_mhz) return;
  const std::uint64_t blank_ps = time_of(next_vblank(record.on_screen_ps, output.refresh_mhz), output.refresh_mhz);
  if (blank_ps != record.on_screen_ps) {
    violation(record, "on screen from a vertical blank on, " + Violations::time_of(blank_ps),
              Violations::time_of(record.on_screen_ps));
  }
  if (record.ready_ps >= record.on_screen_ps) {
    violation(record, "ready before its vertical blank", "ready at " + Violations::time_of(record.ready_ps));
  }
}

void FrameChecker::check_lines(const FrameRecord& record, const OutputLimits& output) {
  const auto text = [](std::optional<std::uint32_t> line) {
    return line ? fmt::format("at line {}", *line) : std::string("at none");
  };
  if (record.fate != FrameRecord::Fate::tore && record.tear_line) {
    violation(record, "no tear of a frame that was shown from a vertical blank on", text(record.tear_line));
  }
  if (record.tear_line && *record.tear_line >= output.lines) {
    violation(record, fmt::format("a tear at one of {} lines", output.lines), text(record.tear_line));
  }
  if (output.least_mhz) {
    const std::uint64_t most =
        (2 + (record.left_ps - record.on_screen_ps) / time_of(1, output.refresh_mhz)) * output.lines;
    if (record.lines > most) violation(record, fmt::format("at most {} lines", most), std::to_string(record.lines));
    return;
  }
  const Scanned begin = scanned_by(record.on_screen_ps, output);
  if (record.fate == FrameRecord::Fate::tore && record.tear_line != begin.now) {
    violation(record, "a tear " + text(begin.now) + ", which was being scanned", text(record.tear_line));
  }
  const std::uint64_t lines = scanned_by(record.left_ps, output).lines - begin.lines;
  if (record.lines != lines) violation(record, fmt::format("{} lines scanned", lines), std::to_string(record.lines));
}

/// `next` has taken the place of `before`.
void FrameChecker::check_stay(const FrameRecord& before, const FrameRecord& next, const OutputLimits& output) {
  if (next.fate == FrameRecord::Fate::tore || before.fate == FrameRecord::Fate::tore) return;
  if (begins_anew(before, next)) return;
  const std::set<std::uint64_t>& made_room = made_room_[next.swap_chain];
  const auto since = made_room.lower_bound(before.ready_ps);
  const bool short_stay = next.interval == 0 || (since != made_room.end() && *since <= next.ready_ps);
  const std::uint64_t least = short_stay ? 1 : std::max<std::uint32_t>(1, before.interval);
  bool stayed = false;
  if (output.least_mhz) {
    stayed = next.on_screen_ps - before.on_screen_ps >= least * time_of(1, output.refresh_mhz);
  } else {
    stayed = next_vblank(next.on_screen_ps, output.refresh_mhz) >=
             next_vblank(before.on_screen_ps, output.refresh_mhz) + least;
  }
  if (stayed) return;
  violation(next, fmt::format("frame {} to stay for {} vertical blanks", before.frame, least),
            "on screen from " + Violations::time_of(next.on_screen_ps) + " on");
}

}  // namespace fenceline
