// SPDX-License-Identifier: Apache-2.0
#include "api/cli/usage/manual.hpp"

#include "api/cli/usage/examples.hpp"
#include "api/cli/usage/visible.hpp"
#include "api/version.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace fenceline::cli {
namespace {

/// The text where troff reads it: no backslash, hyphen or leading dot of it means anything there.
std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
  return text;
}

std::string title_of(const std::string& name) {
  return fmt::format(".TH \"{}\" 1 \"\" \"fenceline {}\" \"Fenceline\"\n", upper(name), version);
}

/// "--machine TEXT", "workload".
std::string shown(const CLI::Option& option) {
  if (option.get_positional()) return fmt::format("\\fI{}\\fR", escaped(option.get_name(true)));
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "\\-" : ", \\-") + escaped(name);
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "\\-\\-" : ", \\-\\-") + escaped(name);
  const bool takes = option.get_items_expected_max() > 0;
  return fmt::format("\\fB{}\\fR{}", names, takes ? " \\fI" + escaped(option.get_type_name()) + "\\fR" : "");
}

void add_options(const CLI::App& verb, std::string& page) {
  page += ".SH OPTIONS\n";
  for (const CLI::Option* option : visible_options(verb)) {
    std::string text = option->get_description();
    if (option->get_required()) text += " (required)";
    if (!option->get_default_str().empty()) text += " (default: " + option->get_default_str() + ")";
    page += fmt::format(".TP\n{}\n{}\n", shown(*option), escaped(text));
  }
}

/// The lines of a footer as they are.
void add_lines(const char* section, const std::string& text, std::string& page) {
  const std::size_t first = text.find_first_not_of('\n');
  if (first == std::string::npos) return;
  const std::size_t last = text.find_last_not_of('\n');
  page += fmt::format(".SH {}\n.nf\n{}\n.fi\n", section, escaped(text.substr(first, last + 1 - first)));
}

std::string synopsis_of(const CLI::App& verb, const std::string& command) {
  std::string text = fmt::format("\\fB{}\\fR [\\fIoptions\\fR]", escaped(command));
  for (const CLI::Option* option : visible_options(verb)) {
    if (!option->get_positional()) continue;
    const bool several = option->get_items_expected_max() > 1;
    const std::string name = shown(*option) + (several ? "..." : "");
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

/// The page of a verb, with the verbs that are inside it.
std::string page_of(const CLI::App& verb) {
  const std::string name = "fenceline-" + verb.get_name();
  std::string page = title_of(name);
  page += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(verb.get_description()));
  const auto inner = visible_verbs(verb);
  page += ".SH SYNOPSIS\n";
  if (inner.empty()) page += synopsis_of(verb, "fenceline " + verb.get_name());
  for (const CLI::App* one : inner) {
    page += synopsis_of(*one, "fenceline " + verb.get_name() + " " + one->get_name()) + ".br\n";
  }
  if (inner.empty()) add_options(verb, page);
  for (const CLI::App* one : inner) {
    page += fmt::format(".SH {}\n{}\n", upper(one->get_name()), escaped(one->get_description()));
    for (const CLI::Option* option : visible_options(*one)) {
      page += fmt::format(".TP\n{}\n{}\n", shown(*option), escaped(option->get_description()));
    }
  }
  const std::string footer = verb.get_footer();
  const std::size_t examples = std::min(footer.find(examples_heading), footer.size());
  add_lines("NOTES", footer.substr(0, examples), page);
  add_lines("EXAMPLES", footer.substr(std::min(examples + std::string(examples_heading).size(), footer.size())), page);
  return page + ".SH SEE ALSO\n.BR fenceline (1)\n";
}

}  // namespace

std::map<std::string, std::string> manual_pages(const CLI::App& app) {
  std::map<std::string, std::string> pages;
  std::string page = title_of("fenceline");
  page += fmt::format(".SH NAME\nfenceline \\- {}\n", escaped("cycle-approximate GPU simulator"));
  page += ".SH SYNOPSIS\n\\fBfenceline\\fR \\fIverb\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n";
  page += fmt::format(".SH DESCRIPTION\n{}\n.SH VERBS\n", escaped(app.get_description()));
  for (const CLI::App* verb : visible_verbs(app)) {
    const std::string name = "fenceline-" + verb->get_name();
    page += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", escaped(name), escaped(verb->get_description()));
    pages[name + ".1"] = page_of(*verb);
  }
  add_options(app, page);
  add_lines("NOTES", app.get_footer(), page);
  pages["fenceline.1"] = page;
  return pages;
}

}  // namespace fenceline::cli
