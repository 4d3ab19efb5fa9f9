// SPDX-License-Identifier: Apache-2.0
#include "api/validation/load_measured.hpp"

#include "api/import/read_kineto.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_steps.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace fenceline {
namespace {

constexpr std::array<const char*, 5> table_columns = {"kernel_time", "avg", "p50", "p90", "p99"};

/// The words of a line.
std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Its first line names the columns of a text table.
bool is_table(const std::filesystem::path& path) {
  constexpr std::size_t longest = 256;
  const std::string line = first_bytes(path, longest);
  const std::vector<std::string> words = words_of(line.substr(0, line.find('\n')));
  return std::equal(words.begin(), words.end(), table_columns.begin(), table_columns.end());
}

/// A text table as the document that would say the same.
nlohmann::json table_document(const std::filesystem::path& path) {
  nlohmann::json rows = nlohmann::json::array();
  std::istringstream stream(read_input(path));
  std::string line;
  std::getline(stream, line);  // the columns' names
  while (std::getline(stream, line)) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    const std::string pointer = fmt::format("/kernel_time/{}", rows.size());
    if (words.size() != table_columns.size()) {
      throw ConfigError(path.string(), pointer, fmt::format("{} numbers", table_columns.size()),
                        fmt::format("a line of {} words", words.size()));
    }
    nlohmann::json row = nlohmann::json::object();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const nlohmann::json value = nlohmann::json::parse(words[i], nullptr, false);
      if (!value.is_number()) {
        throw ConfigError(path.string(), fmt::format("{}/{}", pointer, table_columns[i]), "a number",
                          in_quotes(words[i]));
      }
      row[table_columns[i]] = value;
    }
    rows.push_back(std::move(row));
  }
  return {{"kernel_time", std::move(rows)}};
}

}  // namespace

bool is_measured(const nlohmann::json& document) {
  const std::vector<std::string> keys = measured_keys();
  // Workloads to play have "fences", too: a list of them.
  const auto has = [&](const std::string& key) {
    const auto found = document.find(key);
    return found != document.end() && !(key == "fences" && found->is_array());
  };
  return document.is_object() && std::any_of(keys.begin(), keys.end(), has);
}

MeasuredFile measured_file(const nlohmann::json& document, const std::string& path) {
  if (!is_measured(document)) {
    throw ConfigError(
        path, "", fmt::format("a measured file: an object with one of the keys {}", fmt::join(measured_keys(), ", ")),
        shown(document));
  }
  auto file = read_config<MeasuredFile>(document, path);
  file.path = path;
  return file;
}

bool is_measured_text(const std::filesystem::path& path) { return is_table(path) || looks_like_trace(path); }

void find_traces(MeasuredFile& file) {
  read_traces(file.torch, file.path);
  const auto trace_of = [&](const std::optional<MeasuredSpread>& step) {
    return step && step->p50 ? trace_of_steps(std::filesystem::path(file.path).parent_path(), *step->p50) : nullptr;
  };
  file.decode_trace = trace_of(file.decode_alone_us);
  file.train_trace = trace_of(file.train_alone_us);
  if (!file.preemption.two_processes || (file.decode_trace && file.train_trace)) return;
  const auto [shortest, longest] = shortest_and_longest_traces(std::filesystem::path(file.path).parent_path());
  if (!file.decode_trace) file.decode_trace = shortest;
  if (!file.train_trace) file.train_trace = longest;
}

MeasuredFile load_measured(const std::filesystem::path& path) {
  MeasuredFile file;
  if (is_table(path)) {
    file = measured_file(table_document(path), path.string());
  } else if (looks_like_trace(path)) {
    file.path = path.string();
    file.trace = std::make_shared<const KinetoTrace>(read_kineto(path));
  } else {
    file = measured_file(load_json(path), path.string());
    find_traces(file);
  }
  return file;
}

bool is_measured_name(const std::filesystem::path& path) {
  return (path.extension() == ".json" || path.extension() == ".dat") && path.filename() != machines_file;
}

std::vector<std::filesystem::path> measured_paths(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && is_measured_name(entry.path())) paths.push_back(entry.path());
  }
  if (paths.empty()) {
    throw ConfigError(path.string(), "", "a directory with measured files, .json or .dat", "none below it");
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace fenceline
