// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/modes/processing_mode.hpp"

namespace fenceline {

/// The user-mode driver's side of a mode change: D3D12DDI's pfnSetBackgroundProcessingMode.
class BackgroundDriver {
 public:
  virtual ~BackgroundDriver() = default;
  /// New settings. It may queue tasks before it returns: with a commit they run, whatever the mode. True: it would like
  /// to look at more GPU work (pFurtherMeasurementsDesired).
  virtual bool set_background_processing_mode(ProcessingMode mode, MeasurementsAction action) = 0;
};

}  // namespace fenceline
