// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fenceline {

struct MachineConfig;
struct Program;
struct Workload;

/// A captured workload, and its program, on a machine other than the one it was taken on: a queue whose submission path
/// that does not have goes the way of D3D12's queues there, and frames and waits for vertical blanks of an output that
/// it does not have are the primary one's.
void take_what_is_there(const MachineConfig& machine, Workload& workload, Program& program);

}  // namespace fenceline
