// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
}

namespace fenceline::cli {

/// Words that may stand behind an option ("--machine") or a verb ("schema").
using KnownValues = std::map<std::string, std::vector<std::string>>;

/// A script that makes bash complete the command: verbs, options and known values, also behind the commas of a list of
/// them; all else are files.
std::string bash_completion(const CLI::App& app, const KnownValues& values);

}  // namespace fenceline::cli
