// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fenceline::windows_compat {

/// From now on the calling thread takes turns (HostThread). The process's first thread does so to the end: what others
/// do after it has left is nobody's business.
void attach_caller();

}  // namespace fenceline::windows_compat
