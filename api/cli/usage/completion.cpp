// SPDX-License-Identifier: Apache-2.0
#include "api/cli/usage/completion.hpp"

#include "api/cli/usage/visible.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fenceline::cli {
namespace {

constexpr const char* head = R"(# Completion of fenceline for bash: what `fenceline completion` prints.
_fenceline() {
  local word=${COMP_WORDS[COMP_CWORD]} words= before=
  local line="${COMP_WORDS[*]:1:COMP_CWORD-1} "
  case ${COMP_WORDS[COMP_CWORD-1]} in
)";
constexpr const char* tail = R"(      esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${word#"$before"}")
}
complete -o default -F _fenceline fenceline
)";

/// A pattern for the line up to the word, and the words that may come; of a verb what it has of its own, those inside
/// it first: bash takes the first pattern that fits.
void add_verb(const CLI::App& app, const std::string& line, const KnownValues& values, std::string& script) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : visible_verbs(app)) {
    add_verb(*verb, line + verb->get_name() + ' ', values, script);
    verbs.push_back(verb->get_name());
  }
  std::vector<std::string> options;
  for (const CLI::Option* option : visible_options(app)) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  const auto known = values.find(app.get_name());
  if (known != values.end()) verbs = known->second;
  script += fmt::format("        '{}'{}) if [[ $word == -* ]]; then words='{}'; else words='{}'; fi ;;\n", line,
                        line == " " ? "" : "*", fmt::join(options, " "), fmt::join(verbs, " "));
}

}  // namespace

std::string bash_completion(const CLI::App& app, const KnownValues& values) {
  std::string script = head;
  for (const auto& [option, words] : values) {
    if (option.compare(0, 2, "--") == 0)
      script += fmt::format("    {}) words='{}'; if [[ $word == *,* ]]; then before=${{word%,*}},; fi ;;\n", option,
                            fmt::join(words, " "));
  }
  script += "    *)\n      case $line in\n";
  std::string verbs;
  for (const CLI::App* verb : visible_verbs(app)) add_verb(*verb, verb->get_name() + ' ', values, script);
  std::vector<std::string> names;
  for (const CLI::App* verb : visible_verbs(app)) names.push_back(verb->get_name());
  script += fmt::format("        ' ') words='{} --help --version' ;;\n", fmt::join(names, " "));
  return script + tail;
}

}  // namespace fenceline::cli
