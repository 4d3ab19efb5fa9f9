// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/sweep_file.hpp"

#include "sim/config/config.hpp"
#include "sim/config/relations.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>

namespace fenceline {
namespace {

namespace fs = std::filesystem;

/// As load_workload and load_machine tell names of built-in machines from files.
bool is_file(const std::string& machine) { return machine.find_first_of("./") != std::string::npos; }

std::string beside(const fs::path& file, const std::string& name) {
  const fs::path path = name;
  return path.is_absolute() ? name : (file.parent_path() / path).lexically_normal().string();
}

std::optional<double> number_in(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// FROM..TO, with a step or factor perhaps.
bool range_in(const std::string& text, SweepAxis& axis) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return false;
  const auto from = number_in(text.substr(0, dots));
  std::string rest = text.substr(dots + 2);
  std::optional<double> change;
  // A sign behind an e is the exponent's.
  std::size_t sign = rest.find_first_of("+*", 1);
  while (sign != std::string::npos && rest[sign] == '+' && (rest[sign - 1] == 'e' || rest[sign - 1] == 'E')) {
    sign = rest.find_first_of("+*", sign + 1);
  }
  const bool is_factor = sign != std::string::npos && rest[sign] == '*';
  if (sign != std::string::npos) {
    change = number_in(rest.substr(sign + 1));
    if (!change) return false;
    rest.resize(sign);
  }
  const auto to = number_in(rest);
  if (!from || !to) return false;
  axis.from = from;
  axis.to = to;
  (is_factor ? axis.factor : axis.step) = change;
  return true;
}

std::vector<std::string> listed_in(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) ++depth;
    if (!quoted && (c == '}' || c == ']')) --depth;
    if (c == ',' && depth <= 0 && !quoted) {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  return values;
}

}  // namespace

bool is_sweep(const nlohmann::json& document) {
  if (!document.is_object() || document.contains("queues")) return false;
  if (document.contains("axes")) return true;
  const auto workloads = document.find("workloads");  // measured files have objects there
  return workloads != document.end() && workloads->is_array() && !workloads->empty() && workloads->front().is_string();
}

Sweep read_sweep(const nlohmann::json& document, const fs::path& file) {
  ConfigErrors relations;
  Sweep sweep = read_sweep(document, file, relations);
  relations.throw_any();
  return sweep;
}

Sweep read_sweep(const nlohmann::json& document, const fs::path& file, ConfigErrors& relations) {
  Sweep sweep;
  read_with_relations(document, file.string(), type_of<Sweep>(), &sweep, relations);
  for (std::string& workload : sweep.workloads) workload = beside(file, workload);
  for (std::string& machine : sweep.machines) {
    if (is_file(machine)) machine = beside(file, machine);
  }
  return sweep;
}

SweepAxis axis_in(const std::string& whole) {
  SweepAxis axis;
  axis.zip = whole.compare(0, 1, "+") == 0;
  const std::string text = whole.substr(axis.zip ? 1 : 0);
  const std::size_t equals = text.find('=');
  const std::size_t slash = text.find('/');
  const bool named = slash != std::string::npos && slash > 1 && text[slash - 1] == ':' && slash < equals;
  if (equals == std::string::npos || slash > equals || (slash != 0 && !named)) {
    throw ConfigError("--vary", "", "/pointer=a,b,c or /pointer=FROM..TO", in_quotes(whole));
  }
  if (named) axis.name = text.substr(0, slash - 1);
  axis.pointer = text.substr(slash, equals - slash);
  const std::string values = text.substr(equals + 1);
  if (!range_in(values, axis)) axis.values = listed_in(values);
  return axis;
}

}  // namespace fenceline
