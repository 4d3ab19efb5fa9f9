// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "engines/command/command.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What a queue takes and the engines it may drive, by D3D12's names (D3D12_COMMAND_LIST_TYPE): a direct queue runs on
/// a 3D node, a compute queue on a compute node, a copy queue on a copy node.
enum class QueueType : std::uint8_t { direct, compute, copy };
constexpr EnumNames<QueueType, 3> enum_names(QueueType) {
  return {{{QueueType::direct, "direct"}, {QueueType::compute, "compute"}, {QueueType::copy, "copy"}}};
}

/// What a command list is for: a queue's type, or a bundle, which direct lists execute.
enum class CommandListType : std::uint8_t { direct, compute, copy, bundle };
constexpr EnumNames<CommandListType, 4> enum_names(CommandListType) {
  return {{{CommandListType::direct, "direct"},
           {CommandListType::compute, "compute"},
           {CommandListType::copy, "copy"},
           {CommandListType::bundle, "bundle"}}};
}
/// The lists that queues of this type take.
constexpr CommandListType command_list_type(QueueType type) { return static_cast<CommandListType>(type); }

/// D3D12_COMMAND_QUEUE_PRIORITY, names and values.
enum class QueuePriority : std::int32_t { normal = 0, high = 100, global_realtime = 10000 };
constexpr EnumNames<QueuePriority, 3> enum_names(QueuePriority) {
  return {{{QueuePriority::normal, "normal"},
           {QueuePriority::high, "high"},
           {QueuePriority::global_realtime, "global_realtime"}}};
}

/// A queue to be made: Machine::create_queue.
struct QueueConfig {
  std::string name;                                   ///< in every file of a run
  QueueType type = QueueType::direct;                 ///< which engine it drives
  QueuePriority priority = QueuePriority::normal;     ///< high: before others of its process; global_realtime: a band
  std::string path = {};                              ///< submission path; empty: the machine's default
  std::string process = {};                           ///< who owns the queue; empty: the only process
  std::optional<int> in_process_priority = {};        ///< -7..+7; unset: 0, or +1 where priority is high
  std::optional<std::uint32_t> realtime_level = {};   ///< 0..31, where it is in the realtime band
  std::optional<double> quantum_us = {};              ///< of a turn among its process's queues; unset: its band's
  std::optional<double> grace_us = {};                ///< once a higher rank is ready; unset: its band's
  std::optional<double> grace_same_priority_us = {};  ///< once its turn is over; unset: none
  bool disable_gpu_timeout = false;                   ///< D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT
  std::uint32_t node_mask = 1;                        ///< on which linked adapters: bit i, adapter i
};

/// The queue runs on the first of the linked adapters, which has the screens.
inline bool may_present(const QueueConfig& queue) { return (queue.node_mask & 1) != 0; }

/// "direct", "compute", "copy".
const char* name_of(QueueType type);
const char* name_of(CommandListType type);

/// The node is of the kind that queues of this type run on.
bool runs_on(const NodeConfig& node, QueueType type);

/// The nodes that queues of this type run on can be preempted: what GLOBAL_REALTIME needs.
bool preemptible(const MachineConfig& machine, QueueType type);
/// The node of each of these queues, created in this order: those of a type go to the nodes of their type in turn.
std::vector<std::uint32_t> nodes_of(const std::vector<QueueConfig>& queues, const MachineConfig& machine);

/// What packets of a path cost on the node.
const NodePath& node_path(const SubmissionPath& path, const NodeConfig& node);

/// The submission path of D3D12's queues: the way that was measured through Vulkan, where the machine has one, for
/// D3D12's drivers work alike; else its default.
std::string d3d12_path(const MachineConfig& machine);

/// Index of the node whose engine pages: the one that the machine names, else the first copy node, else the first.
std::uint32_t paging_node_of(const MachineConfig& machine);

/// D3D12's table of methods per command list type. An ExecuteIndirect is allowed where its own command is, too.
bool allowed(const Command& command, CommandListType type);

/// Why the machine cannot have this queue; empty when it can.
std::string refusal(const QueueConfig& queue, const MachineConfig& machine);

/// Why the stream cannot run on a queue of this type: a command the list type does not have, or a thread group that
/// fits on no SM. Empty when it can.
std::string refusal(const CommandStream& stream, QueueType type, const MachineConfig& machine);

}  // namespace fenceline
