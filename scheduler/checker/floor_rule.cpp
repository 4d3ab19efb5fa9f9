// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/floor_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace fenceline {
namespace {

constexpr double window_ps = 10e9;  // 10 ms (rule 16)
/// What a band may run beyond its part: until requests, interrupts and short packets are through.
constexpr double slack_ps = 1e9;
constexpr std::uint8_t normal = static_cast<std::uint8_t>(PriorityBand::normal);
constexpr std::uint8_t focus = static_cast<std::uint8_t>(PriorityBand::focus);

}  // namespace

void FloorRule::look_at_bands() {
  if (model_.rules.floor <= 0) return;
  const ScheduleModel::Node& node = model_.nodes[node_];
  const auto any = [&](std::uint8_t band) {
    return std::any_of(node.contexts.begin(), node.contexts.end(), [&](std::uint32_t one) {
      return model_.contexts[one].band == band && model_.wants(model_.contexts[one]);
    });
  };
  const bool both = any(normal) && any(focus);
  if (both == (both_since_ps_ != never)) return;
  if (!both) both_.push_back({both_since_ps_, model_.now_ps});
  both_since_ps_ = both ? model_.now_ps : never;
}

void FloorRule::forget() {
  unsure_ps_ = 2 * window_ps;
  late_starts_ = 0;
}

void FloorRule::check(const ScheduleModel::Packet& packet, const Span& span) {
  const ScheduleModel::Node& node = model_.nodes[node_];
  const ScheduleModel::Context& context = model_.contexts[packet.context];
  if (model_.rules.floor <= 0 || node.queues.size() > 1 || !node.withholds || packet.type == PacketType::wait) return;
  const auto both_ps = [&](std::uint64_t from_ps, std::uint64_t to_ps) {
    const auto shared = [&](std::uint64_t since_ps, std::uint64_t until_ps) {
      const std::uint64_t first_ps = std::max(from_ps, since_ps);
      const std::uint64_t last_ps = std::min(to_ps, until_ps);
      return last_ps > first_ps ? static_cast<double>(last_ps - first_ps) : 0.0;
    };
    double sum = both_since_ps_ == never ? 0 : shared(both_since_ps_, never);
    for (const auto& [since_ps, until_ps] : both_) sum += shared(since_ps, until_ps);
    return sum;
  };
  const ScheduleModel::Queue& queue = node.queues[packet.queue];
  const std::uint64_t asked_ps = queue.request ? queue.request->stops_ps : never;
  const double until_asked_ps = both_ps(span.start_ps, std::min(span.end_ps, std::max(asked_ps, span.start_ps)));
  const double whole_ps = both_ps(span.start_ps, span.end_ps);
  const double before_ps = both_ps(last_ps_, span.start_ps);
  const bool both_then = both_ps(span.start_ps, span.start_ps + 1) > 0;
  const bool sure = unsure_ps_ <= 0;
  unsure_ps_ -= whole_ps;
  last_ps_ = std::max(last_ps_, span.end_ps);
  both_.clear();
  if (context.changed_ps > span.start_ps) {  // which band's time it was is open
    forget();
    return;
  }
  if (context.band != normal && context.band != focus) return;
  if (whole_ps <= 0) return;
  const double share = model_.rules.floor;
  const double most_ps = share * (1 - share) * window_ps;
  std::array<double, ways> piece_ps{};
  piece_ps[until_asked] = until_asked_ps;
  piece_ps[whole_piece] = piece_ps[with_time_before] = whole_ps;
  const bool of_normal = context.band == normal;
  double too_much_ps = -1;
  bool late = true;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    Share& one = shares_[i];
    if (i == with_time_before) one.owed_ps = std::min(most_ps, one.owed_ps + share * before_ps);
    late = late && (of_normal ? one.owed_ps <= 0 : one.owed_ps >= most_ps);
    double& beyond_ps = of_normal ? one.normal_too_much_ps : one.focus_too_much_ps;
    (of_normal ? one.focus_too_much_ps : one.normal_too_much_ps) = 0;
    one.owed_ps += of_normal ? -(1 - share) * piece_ps[i] : share * piece_ps[i];
    if (one.owed_ps < 0) beyond_ps += -one.owed_ps / (1 - share);
    if (one.owed_ps > most_ps) beyond_ps += (one.owed_ps - most_ps) / share;
    one.owed_ps = std::clamp(one.owed_ps, 0.0, most_ps);
    too_much_ps = too_much_ps < 0 ? beyond_ps : std::min(too_much_ps, beyond_ps);
  }
  late_starts_ = late && both_then ? late_starts_ + 1 : 0;
  // The parts know no grace (rule 16). But a normal piece that does not run by the floor, as nobody of the focus band
  // wanted the engine when it began, keeps its grace once somebody does (rule 9), and the log does not tell such pieces
  // from others.
  const double allowed_ps = slack_ps + static_cast<double>(of_normal ? model_.grace_of(context) : 0);
  // What cannot be stopped is at fault only if it began when it was the other band's turn: the first such one may have
  // begun before the scheduler knew.
  if (!sure || too_much_ps <= allowed_ps || (!node.stops_inside && late_starts_ < 2) || told_) return;
  told_ = true;
  violations_.add(span.end_ps, model_.text(node.path),
                  fmt::format("the normal band to have {} % and the focus band the rest of every 10 ms in which both "
                              "want the engine (rule 16)",
                              share * 100),
                  fmt::format("the {} band running {} beyond its part", of_normal ? "normal" : "focus",
                              Violations::time_of(static_cast<std::uint64_t>(too_much_ps))));
}

}  // namespace fenceline
