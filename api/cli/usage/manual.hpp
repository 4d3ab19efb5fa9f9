// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
}

namespace fenceline::cli {

/// Manual pages made from the help, by the names of their files: fenceline.1, and one for each verb, as
/// fenceline-run.1.
std::map<std::string, std::string> manual_pages(const CLI::App& app);

}  // namespace fenceline::cli
