// SPDX-License-Identifier: Apache-2.0
#include "api/cli/usage/misspelt.hpp"

#include "sim/config/nearest_name.hpp"
#include "sim/config_error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fenceline::cli {
namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  return names;
}

void add_options(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* verb : app.get_subcommands()) add_options(*verb, names);
}

}  // namespace

std::string misspelt_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* at = &app;
  for (const std::string& argument : arguments) {
    const std::vector<std::string> verbs = verbs_of(*at);
    if (verbs.empty() || argument.empty() || argument[0] == '-') return "";
    if (std::find(verbs.begin(), verbs.end(), argument) == verbs.end()) {
      return fmt::format("{}: expected one of {}, found {}{}\n", at->get_name().empty() ? "fenceline" : at->get_name(),
                         fmt::join(verbs, ", "), in_quotes(argument), did_you_mean(argument, verbs));
    }
    at = at->get_subcommand(argument);
  }
  return "";
}

std::string refuse_word(const std::string& text, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), text) != words.end()) return "";
  const std::string expected =
      words.size() == 1 ? words[0] + ", the only one there is" : fmt::format("one of {}", fmt::join(words, ", "));
  return fmt::format("expected {}, found {}{}", expected, in_quotes(text), did_you_mean(text, words));
}

std::string meant_options(const CLI::App& app) {
  std::vector<std::string> names;
  add_options(app, names);
  std::string lines;
  for (const std::string& argument : app.remaining(true)) {
    if (argument.compare(0, 1, "-") != 0) continue;
    const std::string text = argument.substr(0, argument.find('='));
    const std::string near = nearest_name(text, names);
    if (!near.empty()) lines += fmt::format("{}: did you mean {}?\n", one_line(text), near);
  }
  return lines;
}

}  // namespace fenceline::cli
