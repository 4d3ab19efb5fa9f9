// SPDX-License-Identifier: Apache-2.0
#include "api/report/perfetto/fence_arrows.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

void FenceArrows::packet(const PacketRecord& packet) {
  if (packet.type == PacketType::signal) {
    const auto ran = last_ran_.find(packet.context);
    if (ran == last_ran_.end()) return;
    std::deque<Signalled>& signals = signals_[packet.label];
    signals.push_back({packet.fence_value, ran->second});
    if (signals.size() > most_signals) signals.pop_front();
  } else if (packet.type == PacketType::wait && packet.ready_ps > packet.head_ps) {
    const std::deque<Signalled>& signals = signals_[packet.label];
    const auto found = std::find_if(signals.begin(), signals.end(),
                                    [&](const Signalled& one) { return one.value >= packet.fence_value; });
    if (found != signals.end()) released_[packet.context].push_back(found->from);
  }
}

std::vector<FenceArrows::Slice> FenceArrows::ran(LogName context, const Span& span, std::string_view thread) {
  std::vector<Slice> from;
  if (const auto released = released_.find(context); released != released_.end()) {
    from = std::move(released->second);
    released_.erase(released);
  }
  from.erase(std::remove_if(from.begin(), from.end(), [&](const Slice& slice) { return slice.at_ps > span.start_ps; }),
             from.end());
  // An arrow begins in the slice that encloses its time: not quite at its end.
  const std::uint64_t end = span.end_ps - std::min<std::uint64_t>(2000, span.end_ps - span.start_ps);
  last_ran_.insert_or_assign(context, Slice{std::string(thread), end});
  return from;
}

}  // namespace fenceline
