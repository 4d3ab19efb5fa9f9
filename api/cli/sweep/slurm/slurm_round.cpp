// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/slurm/slurm_round.hpp"

#include "api/cli/sweep/workers/sweep_worker.hpp"
#include "sim/config_error.hpp"
#include "sim/files/descriptor.hpp"
#include "sim/files/input_file.hpp"
#include "sim/files/output_file.hpp"
#include "sim/files/run_marker.hpp"
#include "sim/files/system_reason.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace fenceline::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* greeting_file = "greeting";
constexpr const char* batches_file = "batches";
constexpr const char* job_file = "job";

void write_text(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.append(text);
  file.close();
}

/// A word of a shell.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// FIRST-LAST,FIRST-LAST
std::string ranges_of(const std::vector<std::uint64_t>& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t last = i;
    while (last + 1 < runs.size() && runs[last + 1] == runs[last] + 1) ++last;
    text += fmt::format("{}{}-{}", text.empty() ? "" : ",", runs[i], runs[last]);
    i = last + 1;
  }
  return text;
}

bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// False: it is none.
bool take_ranges(std::string_view text, std::vector<std::uint64_t>& runs) {
  while (!text.empty()) {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    if (!take_number(text, first) || text.empty() || text.front() != '-') return false;
    text.remove_prefix(1);
    if (!take_number(text, last) || last < first || last >= SweepPlan::most_runs) return false;
    for (; first <= last; ++first) runs.push_back(first);
    if (runs.size() > SweepPlan::most_runs) return false;
    if (text.empty()) return true;
    if (text.front() != ',') return false;
    text.remove_prefix(1);
  }
  return false;
}

}  // namespace

SlurmRound SlurmRound::make(const fs::path& directory, const std::string& greeting, const Batches& batches) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) throw OutputError(directory, "cannot create", error);
  RunMarker marker(directory);
  marker.create();
  for (const char* const file : {greeting_file, batches_file, job_file, "job.sh"}) marker.add(file);
  for (std::size_t task = 0; task < batches.size(); ++task) {
    marker.add(fmt::format("answers.{}", task));
    marker.add(fmt::format("said.{}", task));  // by Slurm
  }
  write_text(directory / greeting_file, greeting + "\n");
  std::string text;
  for (const std::vector<std::uint64_t>& batch : batches) text += ranges_of(batch) + "\n";
  write_text(directory / batches_file, text);
  write_text(directory / "job.sh", fmt::format("#!/bin/sh\nexec {} sweep --slurm-round {}\n", quoted(own_program()),
                                               quoted(directory.string())));
  return SlurmRound(directory);
}

bool SlurmRound::was_submitted(const fs::path& directory) {
  std::error_code error;
  return fs::file_size(directory / job_file, error) > 0 && !error;
}

SlurmRound::SlurmRound(fs::path directory) : directory_(std::move(directory)) {
  const std::string text = read_input(directory_ / batches_file);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    batches_.emplace_back();
    if (end == std::string_view::npos || !take_ranges(rest.substr(0, end), batches_.back())) {
      throw ConfigError((directory_ / batches_file).string(), "",
                        fmt::format("runs, FIRST-LAST,FIRST-LAST, in line {}", batches_.size()),
                        shortened(in_quotes(std::string(rest.substr(0, end))), 60));
    }
    rest.remove_prefix(end + 1);
  }
  read_.resize(batches_.size());
}

std::string SlurmRound::greeting() const {
  std::string text = read_input(directory_ / greeting_file);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string SlurmRound::job() const {
  std::error_code error;
  if (!fs::exists(directory_ / job_file, error)) return "";
  const std::string text = read_input(directory_ / job_file);
  return text.substr(0, text.find('\n'));
}

void SlurmRound::set_job(const std::string& job) const { write_text(directory_ / job_file, job + "\n"); }

fs::path SlurmRound::answers(std::uint64_t task) const { return directory_ / fmt::format("answers.{}", task); }

void SlurmRound::each_answer(const std::function<void(const SweepOutcome&)>& visit) {
  for (std::size_t task = 0; task < batches_.size(); ++task) {
    std::ifstream file(answers(task), std::ios::binary);
    if (!file || !file.seekg(static_cast<std::streamoff>(read_[task]))) continue;
    for (std::string line; std::getline(file, line) && !file.eof();) {  // what ends without a newline is not whole
      read_[task] += line.size() + 1;
      const json said = json::parse(line, nullptr, false);
      const auto run = said.is_object() ? said.find("run") : said.end();
      if (!said.is_object() || run == said.end() || !run->is_number_unsigned()) continue;
      visit(outcome_in(line, run->get<std::uint64_t>()));
    }
  }
}

void SlurmRound::answer(std::uint64_t task, const SweepOutcome& outcome) const {
  const fs::path path = answers(task);
  const int descriptor =
      above_standard_streams(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (descriptor < 0) throw OutputError(path, "cannot open", system_reason(errno));
  const ::off_t size = ::lseek(descriptor, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(descriptor, &last, 1, size - 1) != 1) last = '\n';
  OutputFile file(path, descriptor);
  if (last != '\n') file.append("\n");  // of one that was killed
  file.append(answer_of(outcome) + "\n");
  file.close();
}

std::vector<fs::path> slurm_rounds(const fs::path& sweep) {
  std::vector<fs::path> rounds;
  for (std::uint64_t number = 1;; ++number) {
    const fs::path directory = slurm_round_directory(sweep, number);
    std::error_code error;
    if (!fs::exists(directory, error)) return rounds;
    rounds.push_back(directory);
  }
}

fs::path slurm_round_directory(const fs::path& sweep, std::uint64_t number) {
  return sweep / "slurm" / fmt::format("{:06}", number);
}

}  // namespace fenceline::cli
