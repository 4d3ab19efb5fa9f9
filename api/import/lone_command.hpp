// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kernel_bound.hpp"
#include "api/machine.hpp"
#include "engines/command/pipeline.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace fenceline {

/// Commands played one at a time on a machine that does nothing else: how long each takes, and what a group must move
/// for a dispatch to take a measured time. Answers are remembered.
class LoneCommands final : private LogSink {
 public:
  /// The machine needs a compute node.
  explicit LoneCommands(const MachineConfig& config);
  LoneCommands(const LoneCommands&) = delete;
  LoneCommands& operator=(const LoneCommands&) = delete;

  /// From the start of a copy or clear on a compute engine to its end.
  std::uint64_t duration_ps(const Command& command);

  struct Fit {
    GroupWork work;
    std::uint64_t duration_ps = 0;  ///< what the dispatch takes with it
  };
  /// The work with which `groups` groups take `wanted_ps`: bytes of video memory, of which each thread has as many in
  /// flight as `bound` says; where that would take longer however few they are, cycles. A first guess, then played and
  /// corrected until the dispatch is as close as whole bytes or cycles allow. A dispatch that the machine cannot do as
  /// fast gets none. At least one group must fit on an SM.
  Fit fit(const GroupFootprint& footprint, std::uint64_t groups, std::uint64_t wanted_ps, const KernelBound& bound);

  /// Groups of the footprint that the machine runs at once.
  std::uint64_t capacity(const GroupFootprint& footprint) const;

 private:
  void span(const EventLog& log, const Span& span) override;
  std::uint64_t play(std::shared_ptr<const CommandStream> stream);
  std::uint64_t dispatch_ps(const GroupFootprint& footprint, std::uint64_t groups, const GroupWork& work);

  using WorkOf = std::function<GroupWork(std::uint64_t)>;
  Fit search(const GroupFootprint& footprint, std::uint64_t groups, std::uint64_t wanted_ps, double slope,
             const WorkOf& work_of);

  void start_machine();

  MachineConfig config_;
  std::optional<Machine> machine_;
  ContextId queue_{};
  std::uint64_t last_ps_ = 0;
  std::map<std::pair<std::uint8_t, std::uint64_t>, std::uint64_t> copies_;  // route, bytes (fills: no_route)
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t>, Fit>
      fits_;
};

}  // namespace fenceline
