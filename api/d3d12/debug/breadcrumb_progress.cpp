// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/breadcrumb_progress.hpp"

namespace fenceline::d3d12 {
namespace {

/// CommandEffects::ended does not tell of these, except of some.
bool ends_untold(const Command& command) {
  return traits_of(command).work == CommandWork::front_end || std::holds_alternative<BeginRenderPass>(command) ||
         std::holds_alternative<EndRenderPass>(command);
}

}  // namespace

BreadcrumbProgress::BreadcrumbProgress(const Breadcrumbs& breadcrumbs, const CommandStream& stream)
    : breadcrumbs_(breadcrumbs) {
  settled_.reserve(stream.commands.size());
  for (const Command& command : stream.commands) settled_.push_back(ends_untold(command));
}

void BreadcrumbProgress::complete(std::size_t command) {
  settled_[command] = true;
  while (next_ < settled_.size() && settled_[next_]) ++next_;
  const std::vector<std::size_t>& first_commands = breadcrumbs_.first_commands();
  const auto end_of = [&](std::size_t operation) {
    return operation + 1 < first_commands.size() ? first_commands[operation + 1] : settled_.size();
  };
  while (completed_ < first_commands.size() && end_of(completed_) <= next_) ++completed_;
}

}  // namespace fenceline::d3d12
