// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
}

namespace fenceline::cli {

/// The line before the examples of a verb, wherever help shows them.
constexpr const char* examples_heading = "Examples:\n";

/// Puts the examples of each verb behind the footer of its help: of a verb that has others inside it, those of all of
/// them. They work from the root of the source tree, in their order.
void add_examples(CLI::App& app);

/// The same text for a verb whose help is its own: "Examples:", then a line each.
std::string examples_text(const std::string& verb);

}  // namespace fenceline::cli
