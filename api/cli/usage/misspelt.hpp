// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
class ParseError;
}  // namespace CLI

namespace fenceline::cli {

/// In a line, that the first argument that was to be a verb of the command, or of one of its verbs that has such, is
/// none, and which one is near it. Empty: it is one, or an option, or there is none.
std::string misspelt_verb(const CLI::App& app, const std::vector<std::string>& arguments);

/// What is wrong with a word that was to be one of these. Empty: nothing.
std::string refuse_word(const std::string& text, const std::vector<std::string>& words);

/// What the parser refuses, a line for each: options that are not known, with those that are near, else arguments that
/// are too many, else what else is wrong.
std::string refused_arguments(const CLI::App& app, const CLI::ParseError& error,
                              const std::vector<std::string>& arguments);
/// What is wrong with a text that was to name outputs. Empty: nothing, as far as its length goes.
std::string refuse_no_outputs(const std::string& text);

}  // namespace fenceline::cli
