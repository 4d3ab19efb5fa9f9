// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/dma_packet.hpp"

namespace fenceline {

/// Part of the bandwidth of PCIe that the submission path lets one copy have at most.
double pcie_share(CopyRoute route, const SubmissionCost& cost);

}  // namespace fenceline
