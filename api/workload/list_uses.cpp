// SPDX-License-Identifier: Apache-2.0
#include "api/workload/list_uses.hpp"

#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace fenceline {

void add_uses(CommandStream& stream, const ResourceTable& resources,
              const std::function<void(const NameVisitor&)>& each) {
  const std::size_t command = stream.commands.size() - 1;
  const bool copies = traits_of(stream.commands.back()).work == CommandWork::copy;
  const bool discards = std::holds_alternative<Discard>(stream.commands.back());
  const bool from_resource = !std::holds_alternative<ResolveQueryData>(stream.commands.back());
  std::vector<AllocationUse>& uses = stream.memory.uses;
  std::size_t named = from_resource ? 0 : 1;  // of a copy: 0 is its source
  each([&](const std::string& name) {
    if (name.empty()) return;
    const AllocationUse::As as = discards       ? AllocationUse::As::discard
                                 : !copies      ? AllocationUse::As::other
                                 : named++ == 0 ? AllocationUse::As::source
                                                : AllocationUse::As::destination;
    const ResourceInfo& info = resources.resource(name, "");
    if (!info.allocation) return;
    bool again = false;  // those of the last command are the last ones
    for (auto one = uses.rbegin(); one != uses.rend() && one->command == command && !again; ++one) {
      again = one->allocation == *info.allocation && one->as == as;
    }
    if (!again) uses.push_back({command, *info.allocation, as});
    stream.memory.discards = stream.memory.discards || discards;
  });
}

void end_uses(CommandStream& stream, const ResourceTable& resources, const CommandListInfo& list,
              const std::string& pointer) {
  ConfigErrors errors;
  for (std::size_t i = 0; i < list.uses.size(); ++i) {
    errors.keep([&] {
      const ResourceInfo& info = resources.resource(list.uses[i], fmt::format("{}/uses/{}", pointer, i));
      if (info.allocation) stream.memory.uses.push_back({AllocationUse::of_list, *info.allocation});
    });
  }
  errors.throw_any();
  std::vector<bool> listed;
  for (const AllocationUse& use : stream.memory.uses) {
    if (use.allocation >= listed.size()) listed.resize(use.allocation + 1);
    if (listed[use.allocation]) continue;
    listed[use.allocation] = true;
    stream.memory.allocations.push_back(use.allocation);
    stream.memory.allocations_end = std::max(stream.memory.allocations_end, use.allocation + 1);
  }
}

}  // namespace fenceline
