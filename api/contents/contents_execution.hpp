// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/content_access.hpp"
#include "api/contents/list_bytes.hpp"
#include "api/contents/resource_contents.hpp"
#include "engines/command/command_effects.hpp"
#include "engines/command/effect_order.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

class Machine;

/// A list that a queue was given: what it does to bytes, as the machine comes to its commands. It writes what the same
/// list's recording would do in a D3D12 program; shaders are not executed.
class ContentsExecution final : public CommandEffects {
 public:
  /// What is executed, and who does it.
  struct Work {
    std::shared_ptr<const CommandStream> stream;
    const ListBytes* bytes = nullptr;             ///< of that stream; part of the contents' program
    std::string queue;                            ///< its name
    std::shared_ptr<CommandEffects> others = {};  ///< what else is to hear what this one hears; null: nobody
  };
  /// The machine is the one that executes it.
  ContentsExecution(const Machine& machine, std::shared_ptr<ResourceContents> contents, Work work);

  /// The number of its queue packet, for those who hear of accesses.
  void submitted(std::uint64_t packet) { actor_.packet = packet; }

  void ended(std::size_t command) override;
  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) override;
  void skip(std::size_t command) override;
  bool skips(std::size_t command) override;
  const IndirectCall* call(std::size_t command) override;
  PipelineVariant variant(std::size_t command, const Command& begins) override;
  void finish() override;
  void timestamp(std::uint32_t slot, std::uint64_t at_ps) override;

 private:
  void settle(std::size_t command, bool skipped);
  void use(std::size_t command);
  void answer(const ListQuery& query);
  const ContentActor& actor_at(std::size_t command);

  const Machine& machine_;
  const std::shared_ptr<ResourceContents> contents_;
  const Work work_;
  ContentActor actor_;
  EffectOrder order_;
  std::vector<std::size_t> skipped_;  // commands, where there are queries
};

}  // namespace fenceline
