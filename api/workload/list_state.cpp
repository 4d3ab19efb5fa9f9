// SPDX-License-Identifier: Apache-2.0
#include "api/workload/list_state.hpp"

#include "engines/command/splitting.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

namespace fenceline {
namespace {

bool in_occlusion_heap(QueryType type) { return type == QueryType::occlusion || type == QueryType::binary_occlusion; }

std::string text_of(QueryType type, std::uint32_t slot) {
  return fmt::format("{} query {}", enum_names(type)[static_cast<std::size_t>(type)].second, slot);
}

}  // namespace

void ListState::record(const Command& command, const Command* repeated, const std::string& pointer) {
  const Command& work = repeated != nullptr ? *repeated : command;
  if (!render_pass_at_.empty() && traits_of(work).has(command_rule::not_in_render_pass)) {
    throw ConfigError(file_, pointer, "a command that a render pass may have", name_of(work));
  }
  if (std::holds_alternative<BeginRenderPass>(command)) begin_render_pass(pointer);
  if (std::holds_alternative<EndRenderPass>(command)) end_render_pass(pointer);
  if (const auto* begin = std::get_if<BeginQuery>(&command)) begin_query(*begin, pointer);
  if (const auto* end = std::get_if<EndQuery>(&command)) end_query(*end, pointer);
}

void ListState::begin_render_pass(const std::string& pointer) {
  if (!render_pass_at_.empty()) {
    throw ConfigError(file_, pointer, "the end of the render pass that began at " + render_pass_at_,
                      "another beginning");
  }
  render_pass_at_ = pointer;
}

void ListState::end_render_pass(const std::string& pointer) {
  if (render_pass_at_.empty()) throw ConfigError(file_, pointer, "a render pass that has begun", "none");
  render_pass_at_.clear();
}

void ListState::begin_query(const BeginQuery& begin, const std::string& pointer) {
  const auto [entry, is_new] =
      queries_.try_emplace({in_occlusion_heap(begin.type), begin.slot}, Query{begin.type, pointer});
  if (is_new) return;
  throw ConfigError(
      file_, pointer,
      fmt::format("the end of {}, which began at {}", text_of(entry->second.type, begin.slot), entry->second.pointer),
      "another beginning");
}

void ListState::end_query(const EndQuery& end, const std::string& pointer) {
  const auto entry = queries_.find({in_occlusion_heap(end.type), end.slot});
  if (entry == queries_.end() || entry->second.type != end.type) {
    throw ConfigError(file_, pointer, "a query that has begun in this list",
                      text_of(end.type, end.slot) + ", which has not");
  }
  queries_.erase(entry);
}

void ListState::check_resolved(QueryType type, std::uint32_t first_slot, std::uint32_t count,
                               const std::string& pointer) const {
  const auto entry = queries_.lower_bound({in_occlusion_heap(type), first_slot});
  if (type == QueryType::timestamp || entry == queries_.end()) return;
  const auto [in_occlusion, slot] = entry->first;
  if (in_occlusion == in_occlusion_heap(type) && slot - first_slot < count) {
    throw ConfigError(file_, pointer, "queries that have ended",
                      fmt::format("{}, which began at {}", text_of(entry->second.type, slot), entry->second.pointer));
  }
}

void ListState::check_ended() const {
  if (!render_pass_at_.empty()) {
    throw ConfigError(file_, render_pass_at_, "a render pass that the list ends", "one that it does not");
  }
  if (queries_.empty()) return;
  const auto& [place, query] = *queries_.begin();
  throw ConfigError(file_, query.pointer, "a query that the list ends",
                    text_of(query.type, place.second) + ", which goes on");
}

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
      // Commands that take no room may stand between two.
      const std::size_t start = starts[offset];
      if (start > (offsets.empty() ? 0 : offsets.back()) && start < stream.commands.size()) offsets.push_back(start);
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
