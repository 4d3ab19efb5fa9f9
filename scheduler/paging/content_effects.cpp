// SPDX-License-Identifier: Apache-2.0
#include "scheduler/paging/content_effects.hpp"

#include <utility>
#include <variant>

namespace fenceline {

ContentEffects::ContentEffects(Segment& segment, std::shared_ptr<const CommandStream> list,
                               std::shared_ptr<CommandEffects> submitters)
    : list_(std::move(list)),
      submitters_(std::move(submitters)),
      uses_(list_, [&segment](std::uint32_t allocation, bool needed) { segment.content(allocation, needed); }) {}

void ContentEffects::ended(std::size_t command) {
  uses_.ended(command);
  if (submitters_ != nullptr) submitters_->ended(command);
}

void ContentEffects::ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) {
  if (submitters_ != nullptr) submitters_->ran(command, start_ps, end_ps);
}

void ContentEffects::skip(std::size_t command) {
  uses_.skipped(command);
  if (submitters_ != nullptr) submitters_->skip(command);
}

bool ContentEffects::skips(std::size_t command) {
  uses_.ended(command);
  return submitters_ != nullptr ? submitters_->skips(command) : std::get<SetPredication>(list_->commands[command]).skip;
}

const IndirectCall* ContentEffects::call(std::size_t command) {
  return submitters_ != nullptr ? submitters_->call(command) : nullptr;
}

PipelineVariant ContentEffects::variant(std::size_t command, const Command& begins) {
  return submitters_ != nullptr ? submitters_->variant(command, begins) : PipelineVariant{};
}

void ContentEffects::finish() {
  uses_.finished();
  if (submitters_ != nullptr) submitters_->finish();
}

void ContentEffects::timestamp(std::uint32_t slot, std::uint64_t at_ps) {
  if (submitters_ != nullptr) submitters_->timestamp(slot, at_ps);
}

}  // namespace fenceline
