// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/command_effects.hpp"
#include "scheduler/residency/content_uses.hpp"
#include "scheduler/residency/segment.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace fenceline {

/// Hears which commands of a packet end, so that the segment knows whose content is needed (docs/residency.md, rule
/// 31). The packet's submitter hears what it would without.
class ContentEffects final : public CommandEffects {
 public:
  /// `submitters` may be null.
  ContentEffects(Segment& segment, std::shared_ptr<const CommandStream> list,
                 std::shared_ptr<CommandEffects> submitters);

  void ended(std::size_t command) override;
  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) override;
  void skip(std::size_t command) override;
  bool skips(std::size_t command) override;
  const IndirectCall* call(std::size_t command) override;
  PipelineVariant variant(std::size_t command, const Command& begins) override;
  void finish() override;
  void timestamp(std::uint32_t slot, std::uint64_t at_ps) override;

 private:
  std::shared_ptr<const CommandStream> list_;
  std::shared_ptr<CommandEffects> submitters_;
  ContentUses uses_;
};

}  // namespace fenceline
