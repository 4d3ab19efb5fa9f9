// SPDX-License-Identifier: Apache-2.0
#include "api/cli/usage/usage_verbs.hpp"

#include "api/cli/usage/manual.hpp"
#include "api/cli/usage/misspelt.hpp"
#include "sim/files/console.hpp"
#include "sim/files/whole_file.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace fenceline::cli {

void add_usage_verbs(CLI::App& app, const KnownValues& values) {
  auto* completion = app.add_subcommand("completion", "print a script that makes a shell complete this command");
  const auto shell = std::make_shared<std::string>();
  completion->add_option("shell", *shell, "bash")
      ->required()
      ->check(CLI::Validator([](const std::string& text) { return refuse_word(text, {"bash"}); }, "{bash}"));
  completion->callback([&app, values, shell] { console::print(bash_completion(app, values)); });

  auto* manual = app.add_subcommand("manual", "write manual pages, made of what --help says");
  const auto directory = std::make_shared<std::string>();
  manual->add_option("--write", *directory, "directory for fenceline.1, fenceline-run.1 and so on")->required();
  manual->callback([&app, directory] {
    std::filesystem::create_directories(*directory);
    for (const auto& [name, text] : manual_pages(app)) {
      write_whole_file(std::filesystem::path(*directory) / name, text);
    }
  });
}

}  // namespace fenceline::cli
