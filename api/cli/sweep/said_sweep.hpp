// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/cli/commands.hpp"
#include "api/sweep/sweep.hpp"
#include "sim/config_errors.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace fenceline::cli {

/// The sweep that arguments ask for, of a file or of the command line.
struct SaidSweep {
  Sweep sweep;
  ConfigErrors relations = {};  ///< what does not go together in it
  bool in_file = false;         ///< a file says it, and not the command line alone
  std::string file;             ///< what errors call the sweep
  std::size_t axes = 0;         ///< how many the file has
};
/// Throws ConfigError.
SaidSweep said_sweep(const SweepArguments& arguments);

/// An error of the sweep, at the option where that was typed.
ConfigError as_typed(const ConfigError& error, const SweepArguments& arguments, const SaidSweep& said);
/// Does a piece whose errors are told so.
void with_typed(const SweepArguments& arguments, const SaidSweep& said, const std::function<void()>& piece);

}  // namespace fenceline::cli
