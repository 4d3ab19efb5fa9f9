// SPDX-License-Identifier: Apache-2.0
// RuleChecker, the rule of the normal band's floor: of the time in which both bands want the node each has its part.
//
// What is owed to the normal band grows while the focus band runs, up to the part of one window, and shrinks to nothing
// while the normal band runs. A band that runs on beyond that, though it could have been stopped, has had too much. The
// rule leaves open whether time in which an engine drains, saves and restores counts; a run is wrong if it is by each
// way to count.
#include "scheduler/checker/rule_checker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

constexpr double window_ps = 10e9;  // 10 ms (rule 16)
/// What a band may run beyond its part: until requests, interrupts and short packets are through.
constexpr double slack_ps = 1e9;
constexpr std::uint8_t normal = static_cast<std::uint8_t>(PriorityBand::normal);
constexpr std::uint8_t focus = static_cast<std::uint8_t>(PriorityBand::focus);

}  // namespace

/// Takes note of whether both bands want the node.
void RuleChecker::look_at_bands(Node& node) {
  if (rules_.floor <= 0) return;
  const auto any = [&](std::uint8_t band) {
    return std::any_of(node.contexts.begin(), node.contexts.end(),
                       [&](std::uint32_t one) { return contexts_[one].band == band && wants(contexts_[one]); });
  };
  const bool both = any(normal) && any(focus);
  Floor& floor = node.floor;
  if (both == (floor.both_since_ps != never)) return;
  if (!both) floor.both.push_back({floor.both_since_ps, now_ps_});
  floor.both_since_ps = both ? now_ps_ : never;
}

void RuleChecker::check_floor(Node& node, std::uint32_t index, const Packet& packet, const Span& span) {
  Floor& floor = node.floor;
  const Context& context = contexts_[packet.context];
  if (rules_.floor <= 0 || node.queues.size() > 1 || !node.withholds || packet.type == PacketType::wait) return;
  const auto both_ps = [&](std::uint64_t from_ps, std::uint64_t to_ps) {
    const auto shared = [&](std::uint64_t since_ps, std::uint64_t until_ps) {
      const std::uint64_t first_ps = std::max(from_ps, since_ps);
      const std::uint64_t last_ps = std::min(to_ps, until_ps);
      return last_ps > first_ps ? static_cast<double>(last_ps - first_ps) : 0.0;
    };
    double sum = floor.both_since_ps == never ? 0 : shared(floor.both_since_ps, never);
    for (const auto& [since_ps, until_ps] : floor.both) sum += shared(since_ps, until_ps);
    return sum;
  };
  const Queue& queue = node.queues[index];
  const std::uint64_t asked_ps = queue.request ? queue.request->stops_ps : never;
  const double until_asked_ps = both_ps(span.start_ps, std::min(span.end_ps, std::max(asked_ps, span.start_ps)));
  const double whole_ps = both_ps(span.start_ps, span.end_ps);
  const double before_ps = both_ps(floor.last_ps, span.start_ps);
  floor.last_ps = std::max(floor.last_ps, span.end_ps);
  floor.both.clear();
  if (context.band != normal && context.band != focus) return;
  if (whole_ps <= 0) return;
  const double share = rules_.floor;
  const double most_ps = share * (1 - share) * window_ps;
  const std::array<double, 3> ways = {until_asked_ps, whole_ps, whole_ps};
  const bool of_normal = context.band == normal;
  double too_much_ps = -1;
  bool late = true;
  for (std::size_t i = 0; i < floor.shares.size(); ++i) {
    Share& one = floor.shares[i];
    if (i == 2) one.owed_ps = std::min(most_ps, one.owed_ps + share * before_ps);
    late = late && (of_normal ? one.owed_ps <= 0 : one.owed_ps >= most_ps);
    double& beyond_ps = of_normal ? one.normal_too_much : one.focus_too_much;
    (of_normal ? one.focus_too_much : one.normal_too_much) = 0;
    one.owed_ps += of_normal ? -(1 - share) * ways[i] : share * ways[i];
    if (one.owed_ps < 0) beyond_ps += -one.owed_ps / (1 - share);
    if (one.owed_ps > most_ps) beyond_ps += (one.owed_ps - most_ps) / share;
    one.owed_ps = std::clamp(one.owed_ps, 0.0, most_ps);
    too_much_ps = too_much_ps < 0 ? beyond_ps : std::min(too_much_ps, beyond_ps);
  }
  floor.late_starts = late ? floor.late_starts + 1 : 0;
  // What cannot be stopped is at fault only if it began when it was the other band's turn: the first such one may have
  // begun before the scheduler knew.
  const double allowed_ps = slack_ps + static_cast<double>(of_normal ? grace_of(context) : 0);
  if (too_much_ps <= allowed_ps || (!node.stops_inside && floor.late_starts < 2) || floor.told) return;
  floor.told = true;
  violations_.add(span.end_ps, text(node.path),
                  fmt::format("the normal band to have {} % and the focus band the rest of every 10 ms in which both "
                              "want the engine (rule 16)",
                              share * 100),
                  fmt::format("the {} band running {} beyond its part", of_normal ? "normal" : "focus",
                              Violations::time_of(static_cast<std::uint64_t>(too_much_ps))));
}

}  // namespace fenceline
