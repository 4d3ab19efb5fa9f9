// SPDX-License-Identifier: Apache-2.0
#include "scheduler/paging/adapted_stream.hpp"

#include "sim/members.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

CopyRoute* route_in(Command& command) {
  if (auto* copy = std::get_if<CopyBuffer>(&command)) return &copy->route;
  if (auto* copy = std::get_if<CopyTexture>(&command)) return &copy->route;
  if (auto* copy = std::get_if<ResolveQueryData>(&command)) return &copy->route;
  return nullptr;
}

struct Ends {
  bool source_on_device;
  bool destination_on_device;
};
Ends ends_of(CopyRoute route) {
  return {route == CopyRoute::device_to_device || route == CopyRoute::device_to_host,
          route == CopyRoute::device_to_device || route == CopyRoute::host_to_device};
}
CopyRoute route_of(const Ends& ends) {
  if (ends.source_on_device) {
    return ends.destination_on_device ? CopyRoute::device_to_device : CopyRoute::device_to_host;
  }
  return ends.destination_on_device ? CopyRoute::host_to_device : CopyRoute::host_to_host;
}

std::uint64_t pcie_passes(CopyRoute route) {
  switch (route) {
    case CopyRoute::device_to_device: return 0;
    case CopyRoute::host_to_device:
    case CopyRoute::device_to_host: return 1;
    case CopyRoute::host_to_host: return 2;
  }
  return 0;
}

void use_in_place(CommandStream& adapted, const AllocationUse& use, std::uint64_t bytes) {
  if (use.as == AllocationUse::As::discard) return;
  Command& command = adapted.commands[use.command];
  if (CopyRoute* route = route_in(command)) {
    Ends ends = ends_of(*route);
    (use.as == AllocationUse::As::source ? ends.source_on_device : ends.destination_on_device) = false;
    *route = route_of(ends);
    return;
  }
  const auto [read, is_first] =
      adapted.memory.remote_reads.try_emplace(use.command, CopyBuffer{CopyRoute::host_to_device, 0});
  std::get<CopyBuffer>(read->second).bytes += bytes;
}

void fault(CommandStream& adapted, std::size_t command, const AllocationUse& use, const AllocationNow& resource) {
  const auto access = static_cast<std::uint32_t>(adapted.faulting_accesses.size());
  adapted.faulting_accesses.push_back(
      {resource.address, use.as == AllocationUse::As::destination, resource.name, false});
  adapted.commands[command] = PageFault{access};
}

}  // namespace

void adapt(CommandStream& adapted, const CommandStream& recorded, std::size_t from,
           const std::function<AllocationNow(std::uint32_t)>& now) {
  std::copy(recorded.commands.begin() + static_cast<std::ptrdiff_t>(from), recorded.commands.end(),
            adapted.commands.begin() + static_cast<std::ptrdiff_t>(from));
  auto& reads = adapted.memory.remote_reads;
  reads.erase(reads.lower_bound(from), reads.end());
  std::size_t command = AllocationUse::of_list;
  std::vector<std::uint32_t> read;  // by that command: each passes once
  for (const AllocationUse& use : recorded.memory.uses) {
    if (use.command == AllocationUse::of_list || use.command < from) continue;
    const AllocationNow allocation = now(use.allocation);
    if (allocation.used != UsedNow::in_place) continue;
    if (std::exchange(command, use.command) != use.command) read.clear();
    use_in_place(adapted, use, add_once(read, use.allocation) ? allocation.bytes : 0);
  }
  const auto faults = [&](const AllocationUse& use) {
    const bool comes = use.command == AllocationUse::of_list || use.command >= from;
    return comes && !use.in_tiles && now(use.allocation).used == UsedNow::not_resident;
  };
  const auto& uses = recorded.memory.uses;
  const auto first = std::find_if(uses.begin(), uses.end(), faults);
  if (first == uses.end() || from >= adapted.commands.size()) return;
  const std::size_t stops = first->command == AllocationUse::of_list ? from : first->command;
  fault(adapted, stops, *first, now(first->allocation));
  reads.erase(stops);
}

std::uint64_t remote_bytes(const CommandStream& adapted, const CommandStream& recorded, std::size_t from,
                           std::size_t to) {
  std::uint64_t bytes = 0;
  for (std::size_t i = from; i < std::min(to, recorded.commands.size()); ++i) {
    const auto before = copy_cost(recorded.commands[i]);
    const auto after = copy_cost(adapted.commands[i]);
    if (before && after && before->route != after->route) bytes += after->bytes * pcie_passes(after->route);
  }
  const auto& reads = adapted.memory.remote_reads;
  for (auto read = reads.lower_bound(from); read != reads.end() && read->first < to; ++read) {
    bytes += std::get<CopyBuffer>(read->second).bytes;
  }
  return bytes;
}

}  // namespace fenceline
