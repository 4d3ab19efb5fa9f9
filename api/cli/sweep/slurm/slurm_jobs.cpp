// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/slurm/slurm_jobs.hpp"

#include "api/cli/sweep/slurm/command_output.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace fenceline::cli {
namespace {

CommandOutput asked(const std::vector<std::string>& command) {
  try {
    return output_of(command);
  } catch (const std::system_error& error) {
    throw ConfigError("--launcher", "", "Slurm's commands (Debian: slurm-client) in the PATH", error.what());
  }
}

/// Slurm replaces %X in names of files.
std::string without_patterns(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

}  // namespace

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string submitted(const SlurmArray& array) {
  std::vector<std::string> command = {"sbatch",
                                      "--parsable",
                                      "--job-name=" + array.name,
                                      fmt::format("--array=0-{}", array.tasks - 1),
                                      fmt::format("--cpus-per-task={}", array.cores),
                                      "--output=" + without_patterns(array.said.string()) + "/said.%a",
                                      "--open-mode=append"};
  command.insert(command.end(), array.options.begin(), array.options.end());
  command.push_back(array.script.string());
  const CommandOutput output = asked(command);
  // NUMBER, or NUMBER;CLUSTER
  std::string job = output.text.substr(0, output.text.find_first_of(";\n"));
  if (!output.went_well || !number_in(job)) {
    throw ConfigError("--launcher", "", "a job array that sbatch takes",
                      output.errors.empty() ? in_quotes(output.text) : output.errors);
  }
  return job;
}

std::set<std::string> active_jobs() {
  const CommandOutput output = asked({"squeue", "--me", "--noheader", "--format=%F"});
  if (!output.went_well) throw ConfigError("--launcher", "", "an answer from squeue", output.errors);
  std::istringstream lines(output.text);
  std::set<std::string> jobs;
  for (std::string job; lines >> job;) jobs.insert(job);
  return jobs;
}

std::uint64_t most_tasks() {
  constexpr std::uint64_t fallback = 1000;
  std::istringstream lines(asked({"scontrol", "show", "config"}).text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    std::string equals;
    std::string value;
    if (words >> key >> equals >> value && key == "MaxArraySize")
      return std::max<std::uint64_t>(1, number_in(value).value_or(fallback));
  }
  return fallback;
}

std::uint64_t processors() {
  // Allocated/idle/other/total, a line for each partition.
  std::istringstream lines(asked({"sinfo", "--noheader", "--format=%C"}).text);
  std::uint64_t most = 1;
  for (std::string line; lines >> line;) {
    const std::size_t slash = line.rfind('/');
    if (slash != std::string::npos) most = std::max(most, number_in(line.substr(slash + 1)).value_or(1));
  }
  return most;
}

}  // namespace fenceline::cli
