// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace fenceline::d3d12 {

/// Asks the calling process from within the child, and waits for the answer.
using AskParent = std::function<std::string(const std::string& question)>;

/// Runs `work` in a child of this process (fork) and gives out what it returned; nothing when it did not come to its
/// end: it crashed, threw, used a minute of CPU time or 4 GiB. `answer` is called in this process with the child's
/// questions, one at a time; when it throws, the child is ended and the exception goes on. What `work` changes in
/// memory stays in the child.
std::optional<std::string> call_isolated(const std::function<std::string(const AskParent&)>& work,
                                         const std::function<std::string(const std::string&)>& answer);

}  // namespace fenceline::d3d12
