// SPDX-License-Identifier: Apache-2.0
#include "api/workload/list_state.hpp"

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

}  // namespace fenceline
