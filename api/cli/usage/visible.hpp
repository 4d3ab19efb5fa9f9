// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <vector>

namespace fenceline::cli {

/// The verbs that --help shows, in its order.
inline std::vector<const CLI::App*> visible_verbs(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

/// The options and positional arguments that --help shows, in its order.
inline std::vector<const CLI::Option*> visible_options(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

}  // namespace fenceline::cli
