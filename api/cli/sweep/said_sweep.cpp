// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/said_sweep.hpp"

#include "api/sweep/sweep_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config/relations.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fenceline::cli {
namespace {

/// The sweep that a file says, if it is one: else a workload's document, whose faults its reader tells.
std::optional<Sweep> sweep_in(const std::string& file) {
  try {
    const nlohmann::json document = load_json(file);
    if (!is_sweep(document)) return std::nullopt;
    ConfigErrors relations;  // found again beside what the command line says
    return read_sweep(document, file, relations);
  } catch (const ConfigError& error) {
    if (error.pointer().empty() && error.expected() != "a JSON document") return std::nullopt;
    throw;
  }
}

}  // namespace

SaidSweep said_sweep(const SweepArguments& arguments) {
  for (const std::string& file : arguments.files) {
    if (file == "-") throw ConfigError("standard input", "", "a file: each run reads it", "-");
  }
  Sweep sweep;
  std::optional<Sweep> said;
  if (arguments.files.size() == 1) said = sweep_in(arguments.files[0]);
  if (said) {
    sweep = *said;
  } else {
    sweep.name = "sweep_" + std::filesystem::path(arguments.files[0]).stem().string();
    sweep.workloads = arguments.files;
  }
  if (!arguments.machines.empty()) sweep.machines = arguments.machines;
  sweep.set.insert(sweep.set.end(), arguments.sets.begin(), arguments.sets.end());
  for (const std::string& varied : arguments.varied) sweep.axes.push_back(axis_in(varied));
  if (!arguments.metrics.empty()) sweep.metrics = arguments.metrics;
  if (!arguments.outputs.empty()) sweep.outputs = {arguments.outputs};
  if (arguments.limit_us > 0) sweep.limit_us = arguments.limit_us;
  if (arguments.repeat > 0) sweep.repeat = arguments.repeat;
  if (arguments.seed) {
    if (sweep.repeat == 0) throw ConfigError("--seed", "", "--repeat beside it", fmt::format("{}", *arguments.seed));
    sweep.seed = *arguments.seed;
  }
  // What was said on the command line is held against the same rules.
  SaidSweep result;
  result.in_file = said.has_value();
  result.file = said ? arguments.files[0] : "fenceline sweep";
  result.axes = said ? said->axes.size() : 0;
  with_typed(arguments, result, [&] {
    read_with_relations(dump_config(sweep), result.file, type_of<Sweep>(), &result.sweep, result.relations);
  });
  return result;
}

ConfigError as_typed(const ConfigError& error, const SweepArguments& arguments, const SaidSweep& said) {
  const std::vector<std::string> tokens = split_pointer(error.pointer()).value_or(std::vector<std::string>());
  if (error.file() != said.file || tokens.empty()) return error;
  const auto at = [&](const char* option) { return ConfigError(option, "", error.expected(), error.found()); };
  const auto is_in_file = [&] {  // axes of the command line come behind the file's
    return said.in_file && (tokens.size() == 1 || std::stoul(tokens[1]) < said.axes);
  };
  if (tokens[0] == "axes" && !is_in_file()) return at("--vary");
  if (tokens[0] == "metrics" && !arguments.metrics.empty()) return at("--metric");
  if (tokens[0] == "machines" && !arguments.machines.empty()) return at("--machine");
  if (tokens[0] == "outputs" && !arguments.outputs.empty()) return at("--outputs");
  return error;
}

void with_typed(const SweepArguments& arguments, const SaidSweep& said, const std::function<void()>& piece) {
  try {
    piece();
  } catch (const ConfigError& error) {
    ConfigErrors errors;
    for (const ConfigError& one : error.each()) errors.add(as_typed(one, arguments, said));
    errors.throw_any();
  }
}

}  // namespace fenceline::cli
