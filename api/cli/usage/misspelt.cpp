// SPDX-License-Identifier: Apache-2.0
#include "api/cli/usage/misspelt.hpp"

#include "api/report/run/outputs.hpp"
#include "sim/config/nearest_name.hpp"
#include "sim/config_error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

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
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  for (const CLI::App* verb : app.get_subcommands()) add_options(*verb, names);
}

/// " (did you mean --set?)", if one of the names is near. What they all begin with is no likeness.
std::string meant_option(const std::string& text, const std::vector<std::string>& names) {
  const std::string near = nearest_name(text.substr(std::min(text.find_first_not_of('-'), text.size())), names);
  return near.empty() ? "" : fmt::format(" (did you mean --{}?)", near);
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

std::string refuse_no_outputs(const std::string& text) {
  if (!text.empty()) return "";
  return fmt::format("expected one or several of {}, found \"\"", fmt::join(output_names(), ", "));
}

std::string refused_arguments(const CLI::App& app, const CLI::ParseError& error,
                              const std::vector<std::string>& arguments) {
  std::string command = "fenceline";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    command += ' ' + at->get_name();
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) {
    const bool names_option = std::string_view(error.what()).substr(0, 1) == "-";
    return one_line(names_option ? error.what() : fmt::format("{}: {}", command, error.what())) + '\n';
  }
  std::vector<std::string> names;
  add_options(app, names);
  std::vector<std::string> extra = app.remaining(true);
  std::string options;
  std::string words;  // what follows an option that is not known may be its value
  for (const std::string& argument : arguments) {
    const auto found = std::find(extra.begin(), extra.end(), argument);
    if (found == extra.end()) continue;
    extra.erase(found);
    const std::string text = argument.substr(0, argument.find('='));
    if (argument.compare(0, 1, "-") != 0) {
      words += fmt::format("{}: expected no further argument, found {}\n", command, in_quotes(argument));
    } else {
      options += fmt::format("{}: expected an option that it has, found {}{}\n", command, in_quotes(text),
                             meant_option(text, names));
    }
  }
  return options.empty() ? words : options;
}

}  // namespace fenceline::cli
