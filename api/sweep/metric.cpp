// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/metric.hpp"

#include "sim/config/json_pointer.hpp"
#include "sim/config/nearest_name.hpp"
#include "sim/config_error.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

using nlohmann::ordered_json;

constexpr auto us = MetricRow::Unit::us;
constexpr auto percent = MetricRow::Unit::percent;
constexpr auto largest = MetricRow::Combine::largest;

/// The name is the token, or ends with it behind a dot.
bool is_called(const std::string& name, const std::string& token) {
  if (name == token) return true;
  return name.size() > token.size() && name[name.size() - token.size() - 1] == '.' &&
         name.compare(name.size() - token.size(), token.size(), token) == 0;
}

bool is_number(const std::string& token) {
  return !token.empty() && token.size() < 10 && token.find_first_not_of("0123456789") == std::string::npos;
}

/// Its first text is called so.
bool is_called(const ordered_json& element, const std::string& token) {
  if (!element.is_object()) return false;
  const auto text =
      std::find_if(element.begin(), element.end(), [](const ordered_json& member) { return member.is_string(); });
  return text != element.end() && is_called(text->get_ref<const std::string&>(), token);
}

/// "3d" of "adapter.3d0": the last part of the name is the token and a number.
bool is_numbered(const std::string& name, const std::string& token) {
  const std::string last = name.substr(name.rfind('.') + 1);
  return last.size() > token.size() && last.compare(0, token.size(), token) == 0 &&
         is_number(last.substr(token.size()));
}

/// The only engine of that type, as --set addresses it; null: there is none, or several.
const ordered_json* engine_of_type(const ordered_json& list, const std::string& token) {
  const auto is_it = [&](const ordered_json& element) {
    if (!element.is_object()) return false;
    const auto engine = element.find("engine");
    return engine != element.end() && engine->is_string() && is_numbered(engine->get_ref<const std::string&>(), token);
  };
  if (std::count_if(list.begin(), list.end(), is_it) != 1) return nullptr;
  return &*std::find_if(list.begin(), list.end(), is_it);
}

const ordered_json* child(const ordered_json& parent, const std::string& token) {
  if (parent.is_object()) {
    const auto found = parent.find(token);
    return found == parent.end() ? nullptr : &*found;
  }
  if (!parent.is_array()) return nullptr;
  if (is_number(token) && std::stoul(token) < parent.size()) return &parent[std::stoul(token)];
  const auto found = std::find_if(parent.begin(), parent.end(),
                                  [&](const ordered_json& element) { return is_called(element, token); });
  return found == parent.end() ? engine_of_type(parent, token) : &*found;
}

/// What these tokens lead to; `*` leads to each element, or, with `which`, to that.
void collect(const ordered_json& at, const std::vector<std::string>& tokens, std::size_t next, const std::string& which,
             std::vector<const ordered_json*>& found) {
  if (next == tokens.size()) {
    found.push_back(&at);
  } else if (tokens[next] == "*" && which.empty()) {
    if (!at.is_structured()) return;
    for (const ordered_json& element : at) collect(element, tokens, next + 1, which, found);
  } else if (const ordered_json* down = child(at, tokens[next] == "*" ? which : tokens[next])) {
    collect(*down, tokens, next + 1, which, found);
  }
}

std::optional<double> combined(const ordered_json& report, const char* pointer, const Metric& metric) {
  std::vector<const ordered_json*> found;
  const ordered_json* const statistics = child(report, "statistics");
  if (statistics == nullptr) return std::nullopt;
  const std::vector<std::string> tokens = *split_pointer(pointer);
  if (metric.which.empty()) collect(*statistics, tokens, 0, "", found);
  for (auto which = metric.which.begin(); which != metric.which.end() && found.empty(); ++which) {
    collect(*statistics, tokens, 0, *which, found);
  }
  if (metric.row->combine == MetricRow::Combine::count) return static_cast<double>(found.size());
  std::optional<double> result;
  for (const ordered_json* one : found) {
    if (!one->is_number()) continue;
    const auto value = one->get<double>();
    if (!result) {
      result = value;
    } else {
      result = metric.row->combine == largest ? std::max(*result, value) : *result + value;
    }
  }
  return result;
}

bool takes_which(const MetricRow& row) { return std::string_view(row.pointer).find("/*") != std::string_view::npos; }

const MetricRow& row_named(const std::string& name, const std::string& file, const std::string& pointer) {
  std::vector<std::string> known;
  for (const MetricRow& row : metric_rows()) {
    if (name == row.name) return row;
    known.emplace_back(row.name);
  }
  const std::string near = nearest_name(name, known);
  throw ConfigError(file, pointer, fmt::format("/pointer into report.json, or one of {}", fmt::join(known, ", ")),
                    in_quotes(name) + (near.empty() ? "" : fmt::format(" (did you mean {}?)", in_quotes(near))));
}

std::vector<std::string> alternatives_in(const std::string& text) {
  std::vector<std::string> alternatives(1);
  for (const char c : text) {
    if (c == '|') {
      alternatives.emplace_back();
    } else {
      alternatives.back() += c;
    }
  }
  return alternatives;
}

Metric metric_named(const std::string& text, const std::string& file, const std::string& pointer) {
  const std::size_t equals = text.find('=');
  const bool named = equals != std::string::npos && equals < text.find_first_of("/:");
  if (named && equals == 0) throw ConfigError(file, pointer, "NAME=METRIC or NAME=/pointer", in_quotes(text));
  const std::string name = named ? text.substr(0, equals) : text;
  const std::string what = named ? text.substr(equals + 1) : text;
  if (what.compare(0, 1, "/") == 0) {
    if (!split_pointer(what)) throw ConfigError(file, pointer, "~0 for ~ and ~1 for / in a pointer", in_quotes(what));
    return {name, nullptr, {}, what};
  }
  const std::size_t colon = what.find(':');
  const MetricRow& row = row_named(what.substr(0, colon), file, pointer);
  if (colon == std::string::npos) return {name, &row, {}, ""};
  std::vector<std::string> which = alternatives_in(what.substr(colon + 1));
  if (!takes_which(row)) throw ConfigError(file, pointer, fmt::format("{} alone", row.name), in_quotes(what));
  if (std::find(which.begin(), which.end(), "") != which.end()) {
    throw ConfigError(file, pointer, "a name behind the colon", in_quotes(what));
  }
  return {name, &row, std::move(which), ""};
}

}  // namespace

const std::vector<MetricRow>& metric_rows() {
  static const std::vector<MetricRow> rows = {
      {"makespan_us", "simulated time of the whole run", "/end_ps", us},
      {"packets", "packets that completed", "/packets", MetricRow::Unit::plain, nullptr, MetricRow::Combine::sum, true},
      {"packets_per_second", "of simulated time: throughput", "/packets", MetricRow::Unit::per_second, "/end_ps",
       MetricRow::Combine::sum, true},
      {"busy_percent", "of the run's time, of the busiest engine; :ENGINE of one", "/engines/*/busy_ps", percent,
       "/end_ps", largest, true},
      {"preemption_requests", "requests to preempt", "/preemption/requests"},
      {"preemption_mean_us", "latency of preemption, mean", "/preemption/latency_ps/mean", us},
      {"preemption_p50_us", "latency of preemption, median", "/preemption/latency_ps/p50", us},
      {"preemption_p90_us", "latency of preemption, 90 % are at most so long", "/preemption/latency_ps/p90", us},
      {"preemption_p99_us", "latency of preemption, 99 % are at most so long", "/preemption/latency_ps/p99", us},
      {"preemption_max_us", "latency of preemption, the longest", "/preemption/latency_ps/max", us},
      {"drain_mean_us", "its drain: until nothing ran any more, mean", "/preemption/drain_ps/mean", us},
      {"save_mean_us", "its save: until the state was saved, mean", "/preemption/save_ps/mean", us},
      {"saved_bytes", "state that was saved", "/preemption/saved_bytes"},
      {"lost_percent", "throughput lost: engine time that saved and restored state", "/preemption/lost_ps", percent,
       "/preemption/engine_ps"},
      {"queue_mean_us", "time in queue, mean, of the worst queue; :QUEUE of one", "/queues/*/time_in_queue_ps/mean", us,
       nullptr, largest},
      {"queue_p50_us", "time in queue, median", "/queues/*/time_in_queue_ps/p50", us, nullptr, largest},
      {"queue_p90_us", "time in queue, 90 % are at most so long", "/queues/*/time_in_queue_ps/p90", us, nullptr,
       largest},
      {"queue_p99_us", "time in queue, 99 % are at most so long", "/queues/*/time_in_queue_ps/p99", us, nullptr,
       largest},
      {"queue_max_us", "time in queue, the longest", "/queues/*/time_in_queue_ps/max", us, nullptr, largest},
      {"deadlines", "how many there were; :DEADLINE of one", "/deadlines/*/count"},
      {"deadlines_missed", "how many were missed (vsyncs, where these are deadlines)", "/deadlines/*/missed"},
      {"deadlines_unreached", "how many were not reached by the end of the run", "/deadlines/*/not_reached"},
      {"deadline_late_us", "how late the latest was", "/deadlines/*/worst_late_ps", us, nullptr, largest},
      {"frames_shown", "frames of swap chains that came on screen; :SWAP_CHAIN of one", "/swap_chains/*/shown",
       MetricRow::Unit::plain, nullptr, MetricRow::Combine::sum, true},
      {"vblanks_missed", "vertical blanks that frames of swap chains missed; :SWAP_CHAIN of one",
       "/swap_chains/*/missed_vblanks"},
      {"glitches", "frames of swap chains that stayed too long", "/swap_chains/*/glitches"},
      {"timeouts", "timeouts (TDR) and page faults", "/recovery/*", MetricRow::Unit::plain, nullptr,
       MetricRow::Combine::count},
      {"paged_bytes", "bytes that were moved between video memory and system memory", "/residency/in_bytes"},
  };
  return rows;
}

const std::vector<std::string>& usual_metrics() {
  static const std::vector<std::string> usual = {
      "makespan_us",       "preemption_requests", "preemption_p50_us", "preemption_p90_us", "preemption_p99_us",
      "preemption_max_us", "saved_bytes",         "lost_percent",      "deadlines",         "deadlines_missed"};
  return usual;
}

std::vector<Metric> metrics_named(const std::vector<std::string>& texts, const std::string& file) {
  std::vector<Metric> metrics;
  ConfigErrors errors;
  const std::vector<std::string>& wanted = texts.empty() ? usual_metrics() : texts;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    errors.keep([&] { metrics.push_back(metric_named(wanted[i], file, pointer_to("/metrics", i))); });
  }
  errors.throw_any();
  return metrics;
}

void check_which(const std::vector<Metric>& metrics, const ReportNames& names, const std::string& file) {
  ConfigErrors errors;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i].row == nullptr) continue;
    const auto list = names.find((*split_pointer(metrics[i].row->pointer))[0]);
    if (list == names.end()) continue;
    for (const std::string& which : metrics[i].which) {
      const auto is_it = [&](const std::string& name) { return is_called(name, which); };
      if (is_number(which) || std::any_of(list->second.begin(), list->second.end(), is_it)) continue;
      const auto is_of_type = [&](const std::string& name) { return is_numbered(name, which); };
      if (list->first == "engines" && std::count_if(list->second.begin(), list->second.end(), is_of_type) == 1)
        continue;
      std::set<std::string> last;  // each once
      for (const std::string& name : list->second) last.insert(name.substr(name.rfind('.') + 1));
      const std::vector<std::string> known(last.begin(), last.end());
      const std::string near = nearest_name(which, known);
      errors.add({file, pointer_to("/metrics", i),
                  known.empty() ? fmt::format("one of the {}, of which there are none", list->first)
                                : fmt::format("one of the {} {}", list->first, fmt::join(known, ", ")),
                  in_quotes(which) + (near.empty() ? "" : fmt::format(" (did you mean {}?)", in_quotes(near)))});
    }
  }
  errors.throw_any();
}

nlohmann::json value_of(const Metric& metric, const ordered_json& report) {
  if (metric.row == nullptr) {
    std::vector<const ordered_json*> found;
    std::vector<std::string> tokens = *split_pointer(metric.pointer);
    collect(report, tokens, 0, "*", found);
    if (found.empty()) return nullptr;
    const ordered_json& value = *found[0];
    if (value.is_structured()) return value.dump();
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    return nlohmann::json(value);
  }
  const std::optional<double> value = combined(report, metric.row->pointer, metric);
  if (!value) return nullptr;
  double divisor =
      metric.row->unit == us ? 1e6 : 1;  // to divide gives the nearest number, to multiply by 1e-6 does not
  if (metric.row->per != nullptr) {
    divisor = combined(report, metric.row->per, metric).value_or(0);
    if (divisor == 0) return *value == 0 ? nlohmann::json(0.0) : nlohmann::json(nullptr);
  }
  const bool is_count = metric.row->unit == MetricRow::Unit::plain && *value >= 0 && *value < 9e15;
  if (is_count) return static_cast<std::uint64_t>(*value);
  const double factor = metric.row->unit == percent ? 100 : metric.row->unit == MetricRow::Unit::per_second ? 1e12 : 1;
  return *value * factor / divisor;
}

}  // namespace fenceline
