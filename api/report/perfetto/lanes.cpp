// SPDX-License-Identifier: Apache-2.0
#include "api/report/perfetto/lanes.hpp"

#include <algorithm>

namespace fenceline {
namespace {

/// All that moves state stands on one level. Regions stand over each other.
bool alike(std::optional<SpanKind> block, SpanKind kind) {
  return block && kind != SpanKind::region && (*block == kind || (moves_state(*block) && moves_state(kind)));
}

}  // namespace

std::size_t Lanes::place(const Span& span) {
  std::size_t chosen = lanes_.size();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    const bool own = span.kind == SpanKind::region || (span.id != 0 && lane.packet == span.id);
    if (span.start_ps >= lane.busy_until) {
      if (own || chosen == lanes_.size()) chosen = i;
      if (own || span.id == 0) break;
    } else if (std::uint32_t below = 0; own && lane.accepts_above(span, below)) {
      lane.depth = below;
      chosen = i;
      break;
    }
  }
  if (chosen == lanes_.size()) lanes_.emplace_back();
  lanes_[chosen].put(span);
  return chosen;
}

/// `below`: how many blocks stay when the span has taken in those that it contains.
bool Lanes::Lane::accepts_above(const Span& span, std::uint32_t& below) const {
  if (span.start_ps < closed_until) return false;
  for (below = depth; below > 0; --below) {
    const Block& block = blocks[below - 1];
    if (block.end_ps <= span.start_ps) return true;
    if (block.start_ps < span.start_ps || block.end_ps > span.end_ps || alike(block.kind, span.kind)) return false;
  }
  return true;
}

void Lanes::Lane::put(const Span& span) {
  if (span.kind != SpanKind::region && (packet != span.id || span.id == 0)) {
    closed_until = busy_until;
    packet = span.id;
    depth = 0;
  }
  busy_until = std::max(busy_until, span.end_ps);
  if (depth > 0 && alike(blocks[depth - 1].kind, span.kind)) {
    blocks[depth - 1].end_ps = span.end_ps;
    return;
  }
  if (depth == blocks.size()) {
    blocks[0] = {std::nullopt, blocks[0].start_ps, blocks[1].end_ps};
    std::move(blocks.begin() + 2, blocks.end(), blocks.begin() + 1);
    --depth;
  }
  blocks[depth++] = {span.kind, span.start_ps, span.end_ps};
}

}  // namespace fenceline
