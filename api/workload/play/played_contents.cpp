// SPDX-License-Identifier: Apache-2.0
#include "api/workload/play/played_contents.hpp"

#include "api/contents/contents_execution.hpp"
#include "api/contents/resource_contents.hpp"
#include "api/workload/program.hpp"

#include <stdexcept>
#include <utility>

namespace fenceline {

PlayedContents::PlayedContents(Machine& machine, const Program& program, std::shared_ptr<ResourceContents> contents)
    : machine_(machine), program_(program), contents_(std::move(contents)) {
  if (contents_ == nullptr) contents_ = std::make_shared<ResourceContents>(program.contents);
  if (&contents_->program() != program.contents.get()) {
    throw std::invalid_argument("play: resource contents of another program");
  }
}

void PlayedContents::execute(ContextId queue, std::uint32_t of_program, std::uint32_t list,
                             std::shared_ptr<CommandEffects> others) {
  const auto& stream = program_.lists[list];
  const auto execution =
      std::make_shared<ContentsExecution>(machine_, contents_,
                                          ContentsExecution::Work{stream, &contents_->program().lists[list],
                                                                  program_.queues[of_program].name, std::move(others)});
  execution->submitted(machine_.execute(queue, stream, execution));
}

void PlayedContents::write(const std::string& thread, const Step& step) {
  contents_->apply(contents_->program().writes[step.write], machine_.now_ps(), {thread});
}

}  // namespace fenceline
