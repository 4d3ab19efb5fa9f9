// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/hazards/access_history.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline::d3d12 {
namespace {

/// On one byte there are a write and a read of each queue, and more only of regions with gaps, which do not cover each
/// other. Beyond this the oldest are forgotten: that may hide a hazard and never invents one.
constexpr std::size_t most_on_a_piece = 64;

bool collide(const PastAccess& earlier, const PastAccess& later, const QueueClock& known) {
  return earlier.queue != later.queue && (earlier.access.writes || later.access.writes) && !earlier.before(known) &&
         overlap(earlier.region, later.region);
}

/// On a piece that lies in both.
bool covers(const ByteRegion& region, const ByteRegion& other) { return region.contiguous() || region == other; }

}  // namespace

/// Makes a piece begin at `at` where one goes across it.
void AccessHistory::split(Pieces& pieces, std::uint64_t at) {
  auto piece = pieces.upper_bound(at);
  if (piece == pieces.begin()) return;
  --piece;
  if (piece->first == at || piece->second.end <= at) return;
  Piece behind = piece->second;
  size_ += behind.accesses.size();
  piece->second.end = at;
  pieces.emplace_hint(std::next(piece), at, std::move(behind));
}

void AccessHistory::put(std::vector<Past>& accesses, const Past& access, const QueueClock& known) {
  const auto gives_way = [&](const Past& past) {
    return (past->queue == access->queue || past->before(known)) && (access->access.writes || !past->access.writes) &&
           covers(access->region, past->region);
  };
  const std::size_t before = accesses.size();
  accesses.erase(std::remove_if(accesses.begin(), accesses.end(), gives_way), accesses.end());
  if (accesses.size() == most_on_a_piece) accesses.erase(accesses.begin());
  accesses.push_back(access);
  size_ += accesses.size();
  size_ -= before;
}

void AccessHistory::add(const Past& access, const QueueClock& known, const Tell& tell) {
  if (access->region.empty()) return;
  Pieces& pieces = memories_[access->access.part.resource->memory];
  const std::uint64_t begin = access->region.begin;
  const std::uint64_t end = access->region.end();
  split(pieces, begin);
  split(pieces, end);
  std::vector<const PastAccess*> told;
  auto piece = pieces.lower_bound(begin);
  for (std::uint64_t at = begin; at < end;) {
    if (piece == pieces.end() || piece->first > at) {  // nobody has been there
      const std::uint64_t next = piece == pieces.end() ? end : std::min(end, piece->first);
      piece = pieces.emplace_hint(piece, at, Piece{next, {}});
    }
    for (const Past& past : piece->second.accesses) {
      if (!collide(*past, *access, known)) continue;
      if (std::find(told.begin(), told.end(), past.get()) != told.end()) continue;
      told.push_back(past.get());
      tell(*past);
    }
    put(piece->second.accesses, access, known);
    at = piece->second.end;
    // Pieces that have become alike are one.
    if (piece != pieces.begin()) {
      const auto previous = std::prev(piece);
      if (previous->second.end == piece->first && previous->second.accesses == piece->second.accesses) {
        previous->second.end = piece->second.end;
        size_ -= piece->second.accesses.size();
        pieces.erase(piece);
        piece = previous;
      }
    }
    ++piece;
  }
}

void AccessHistory::forget(const QueueClock& known) {
  size_ = 0;
  for (auto memory = memories_.begin(); memory != memories_.end();) {
    Pieces& pieces = memory->second;
    if (memory->first.expired()) pieces.clear();
    for (auto piece = pieces.begin(); piece != pieces.end();) {
      auto& accesses = piece->second.accesses;
      accesses.erase(
          std::remove_if(accesses.begin(), accesses.end(), [&](const Past& past) { return past->before(known); }),
          accesses.end());
      size_ += accesses.size();
      piece = accesses.empty() ? pieces.erase(piece) : std::next(piece);
    }
    memory = pieces.empty() ? memories_.erase(memory) : std::next(memory);
  }
}

}  // namespace fenceline::d3d12
