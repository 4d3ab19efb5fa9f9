// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
}

namespace fenceline::cli {

/// In a line, that the first argument that was to be a verb of the command, or of one of its verbs that has such, is
/// none, and which one is near it. Empty: it is one, or an option, or there is none.
std::string misspelt_verb(const CLI::App& app, const std::vector<std::string>& arguments);

/// What is wrong with a word that was to be one of these. Empty: nothing.
std::string refuse_word(const std::string& text, const std::vector<std::string>& words);

/// In a line for each option that was given and is not known, which one is near it. Empty: none is.
std::string meant_options(const CLI::App& app);

}  // namespace fenceline::cli
