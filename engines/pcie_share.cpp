// SPDX-License-Identifier: Apache-2.0
#include "engines/pcie_share.hpp"

#include <algorithm>

namespace fenceline {

double pcie_share(CopyRoute route, const SubmissionCost& cost) {
  switch (route) {
    case CopyRoute::host_to_device: return cost.to_device_share;
    case CopyRoute::device_to_host: return cost.to_host_share;
    case CopyRoute::host_to_host: return std::min(cost.to_device_share, cost.to_host_share);
    case CopyRoute::device_to_device: break;
  }
  return 1;
}

}  // namespace fenceline
