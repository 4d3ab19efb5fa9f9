// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

namespace fenceline::testing {

/// What has to be done, from the command lists.
struct Demand {
  std::map<std::uint64_t, std::uint64_t> commands;  // by packet, without the ExecuteIndirects themselves
  std::map<std::uint64_t, std::uint64_t> indirect;  // ExecuteIndirects, by packet
  std::array<double, 2> pcie_bytes{};               // to the device, to the host; without arguments
  double argument_bytes = 0;                        // read over PCIe, if each is read once
  double largest = 0;                               // copy
  std::uint64_t transfers = 0;
  std::uint64_t timestamps = 0;

  void add(std::uint64_t packet, const CommandStream& list) {
    bool skip = false;
    for (const Command& command : list.commands) {
      timestamps += std::holds_alternative<Timestamp>(command);
      if (const auto* predication = std::get_if<SetPredication>(&command)) skip = predication->skip;
      if (passes_through(command) || (skip && traits_of(command).has(command_rule::predicated))) continue;
      if (const auto* execute = std::get_if<ExecuteIndirect>(&command)) {
        const IndirectCall& call = list.indirect_calls[execute->call];
        ++indirect[packet];
        commands[packet] += call.count;
        ++transfers;
        if (call.arguments_in_host) argument_bytes += static_cast<double>(fenceline::argument_bytes(call));
        continue;
      }
      ++commands[packet];
      if (const auto cost = copy_cost(command)) add_copy(*cost);
    }
  }

 private:
  void add_copy(const CopyCost& cost) {
    ++transfers;
    const auto bytes = static_cast<double>(cost.bytes);
    largest = std::max(largest, bytes);
    if (cost.route == CopyRoute::host_to_device || cost.route == CopyRoute::host_to_host) pcie_bytes[0] += bytes;
    if (cost.route == CopyRoute::device_to_host || cost.route == CopyRoute::host_to_host) pcie_bytes[1] += bytes;
  }
  /// Done when the front end is done with it: the log shows no command.
  static bool passes_through(const Command& command) {
    if (const auto* begin = std::get_if<BeginRenderPass>(&command)) return begin->clear_bytes == 0;
    if (const auto* end = std::get_if<EndRenderPass>(&command)) return end->resolve_bytes == 0;
    return std::holds_alternative<Barrier>(command) || std::holds_alternative<Timestamp>(command) ||
           std::holds_alternative<BeginQuery>(command) || std::holds_alternative<EndQuery>(command) ||
           std::holds_alternative<SetPredication>(command) || std::holds_alternative<Discard>(command);
  }
};

}  // namespace fenceline::testing
