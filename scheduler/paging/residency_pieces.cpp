// SPDX-License-Identifier: Apache-2.0
// Residency, the family of functions that split lists for lack of video memory (docs/residency.md, rule 8).
#include "scheduler/paging/residency.hpp"
#include "sim/members.hpp"

#include <algorithm>

namespace fenceline {
namespace {

/// What the list uses whatever piece of it runs.
std::vector<std::uint32_t> used_by_list(const CommandStream& stream) {
  std::vector<std::uint32_t> used;
  for (const AllocationUse& use : stream.memory.uses) {
    if (use.command == AllocationUse::of_list) add_once(used, use.allocation);
  }
  return used;
}

}  // namespace

std::size_t Residency::commands_that_fit(std::uint32_t context, const QueuePacket& packet, std::size_t from) const {
  const bool splits = active_ && config_.residency == ResidencyModel::allocation_list &&
                      config_.over_commit == OverCommit::page && s_.config.caps.preemption_aware;
  if (!splits || used_by(segment_, packet).empty()) return Splitter::any_number;
  const auto bytes_of = [&](const std::vector<std::uint32_t>& all) {
    std::uint64_t bytes = 0;
    for (const std::uint32_t one : all) bytes += segment_[one].bytes;
    return bytes;
  };
  const std::uint64_t kept = bytes_of(contexts_.of(context));
  if (kept + bytes_of(used_by(segment_, packet)) <= segment_.bytes()) return Splitter::any_number;
  std::vector<std::uint32_t> used = used_by_list(*packet.stream);
  std::uint64_t bytes = kept + bytes_of(used);
  for (const AllocationUse& use : packet.stream->memory.uses) {
    if (use.command == AllocationUse::of_list || use.command < from) continue;
    if (add_once(used, use.allocation)) bytes += segment_[use.allocation].bytes;
    if (bytes > segment_.bytes()) return use.command - from;
  }
  return Splitter::any_number;
}

std::pair<std::size_t, std::size_t> Residency::next_piece(std::uint32_t context, const QueuePacket& packet) const {
  const CommandStream& stream = *packet.stream;
  std::size_t from = packet.progress != nullptr ? packet.progress->cursor.command : 0;
  if (packet.progress == nullptr || packet.between_pieces()) {
    return {from, splitter_.end_of(stream, from, commands_that_fit(context, packet, from))};
  }
  for (const HaltedCommand& one : packet.progress->halted) from = std::min(from, one.index);
  return {from, std::min(packet.progress->piece_end, stream.commands.size())};
}

std::vector<std::uint32_t> Residency::used_next(std::uint32_t context, const QueuePacket& packet) const {
  const std::vector<std::uint32_t>& all = used_by(segment_, packet);
  if (commands_that_fit(context, packet, 0) == Splitter::any_number) return all;
  const auto [from, end] = next_piece(context, packet);
  std::vector<std::uint32_t> used;
  for (const AllocationUse& use : packet.stream->memory.uses) {
    if (use.command >= from && use.command < end) add_once(used, use.allocation);
  }
  for (const std::uint32_t one : used_by_list(*packet.stream)) add_once(used, one);
  return used;
}

}  // namespace fenceline
