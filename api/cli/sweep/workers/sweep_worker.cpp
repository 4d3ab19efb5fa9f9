// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/workers/sweep_worker.hpp"

#include "api/cli/commands.hpp"
#include "sim/config/config.hpp"
#include "sim/files/descriptor.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <system_error>

namespace fenceline::cli {
namespace {

using nlohmann::json;

bool write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ::ssize_t written = ::write(descriptor, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

std::string own_program() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw std::system_error(error, "cannot find the program itself: /proc/self/exe");
  return program.string();
}

std::string greeting_of(const SweepPlan& plan, const std::filesystem::path& directory) {
  nlohmann::ordered_json greeting;
  greeting["sweep"] = dump_config(plan.sweep());
  greeting["file"] = plan.file();
  greeting["directory"] = directory.string();
  return greeting.dump();
}

std::string answer_of(const SweepOutcome& outcome) {
  const json answer = {
      {"run", outcome.run}, {"status", outcome.status}, {"error", outcome.error}, {"metrics", json(outcome.metrics)}};
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

SweepOutcome outcome_in(const std::string& answer, std::uint64_t run) {
  const json said = json::parse(answer, nullptr, false);
  SweepOutcome outcome;
  outcome.run = run;
  const auto is = [&](const char* key, json::value_t type) {
    return said.is_object() && said.contains(key) && said[key].type() == type;
  };
  if (!is("status", json::value_t::string) || !is("error", json::value_t::string) ||
      !is("metrics", json::value_t::array)) {
    outcome.status = "error";
    outcome.error = "its process did not answer";
    return outcome;
  }
  outcome.status = said["status"].get<std::string>();
  outcome.error = said["error"].get<std::string>();
  for (const json& metric : said["metrics"]) outcome.metrics.push_back(metric);
  return outcome;
}

int work_for_sweep() {
  // What anything else prints is no answer.
  const int answers = above_standard_streams(::dup(STDOUT_FILENO));
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  std::string line;
  if (answers < 0 || !std::getline(std::cin, line)) return wrong_input;
  const json greeting = json::parse(line);
  const SweepPlan plan(read_config<Sweep>(greeting["sweep"], "sweep"), greeting["file"].get<std::string>());
  const std::filesystem::path directory = greeting["directory"].get<std::string>();
  while (std::getline(std::cin, line)) {
    if (!write_all(answers, answer_of(play_point(plan, std::stoull(line), directory)) + "\n")) return model_failed;
  }
  return done;
}

}  // namespace fenceline::cli
