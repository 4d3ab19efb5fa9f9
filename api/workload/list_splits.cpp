// SPDX-License-Identifier: Apache-2.0
#include "api/workload/list_splits.hpp"

#include "engines/command/splitting.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace fenceline {
namespace {

/// A command of the list, none before `least`.
void check_command(std::uint64_t command, std::uint64_t least, const CommandListInfo& list, const ListPlace& place) {
  if (command >= least && command < list.commands.size()) return;
  throw ConfigError(place.file, place.pointer,
                    fmt::format("a command of the list from {} on, of {}", least, list.commands.size()),
                    fmt::format("{}", command));
}

}  // namespace

void take_splits(const CommandListInfo& list, const std::vector<std::size_t>& starts, const ResourceTable& resources,
                 const ListPlace& place, CommandStream& stream) {
  if (!list.split_offsets && list.patches.empty()) return;
  const auto at = [&](const char* key, std::size_t i, const char* member = "") {
    return ListPlace{place.file, fmt::format("{}/{}/{}{}", place.pointer, key, i, member)};
  };
  if (list.type == CommandListType::bundle) {
    throw ConfigError(place.file, place.pointer, "a bundle without split_offsets and patches: it is not split", "them");
  }
  if (list.split_offsets) {
    auto& offsets = stream.splits.offsets.emplace();
    std::uint64_t least = 1;
    for (const std::uint64_t offset : *list.split_offsets) {
      const ListPlace here = at("split_offsets", offsets.size());
      check_command(offset, least, list, here);
      if (in_render_pass(stream, starts[offset])) {
        throw ConfigError(here.file, here.pointer, "a command outside render passes", fmt::format("{}", offset));
      }
      offsets.push_back(starts[offset]);
      least = offset + 1;
    }
  }
  std::uint64_t least = 0;
  for (const PatchInfo& patch : list.patches) {
    const std::size_t i = stream.splits.patches.size();
    check_command(patch.command, least, list, at("patches", i, "/command"));
    const bool bound = !patch.resource.empty();
    if (bound) resources.resource(patch.resource, at("patches", i, "/resource").pointer);
    stream.splits.patches.push_back({starts[patch.command], patch.slot, bound});
    least = patch.command;
  }
}

}  // namespace fenceline
