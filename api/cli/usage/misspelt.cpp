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

/// What a text means: the one name that begins with it, else the nearest. Empty: nothing.
std::string meant(const std::string& text, const std::vector<std::string>& names) {
  const auto begins = [&](const std::string& name) { return name.compare(0, text.size(), text) == 0; };
  const auto first = std::find_if(names.begin(), names.end(), begins);
  if (text.size() > 2 && std::count_if(names.begin(), names.end(), begins) == 1) return *first;
  return nearest_name(text, names);
}

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
      const std::string near = meant(argument, verbs);
      return fmt::format("{}: expected one of {}, found {}{}\n", at->get_name().empty() ? "fenceline" : at->get_name(),
                         fmt::join(verbs, ", "), in_quotes(argument),
                         near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near));
    }
    at = at->get_subcommand(argument);
  }
  return "";
}

std::string meant_options(const CLI::App& app) {
  std::vector<std::string> names;
  add_options(app, names);
  std::string lines;
  for (const std::string& argument : app.remaining(true)) {
    if (argument.compare(0, 1, "-") != 0) continue;
    const std::string text = argument.substr(0, argument.find('='));
    const std::string near = meant(text, names);
    if (!near.empty()) lines += fmt::format("{}: did you mean {}?\n", one_line(text), near);
  }
  return lines;
}

}  // namespace fenceline::cli
