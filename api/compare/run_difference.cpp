// SPDX-License-Identifier: Apache-2.0
#include "api/compare/run_difference.hpp"

#include "api/capture/file/recorded_run.hpp"
#include "api/compare/frame_difference.hpp"
#include "api/compare/run_inputs.hpp"
#include "api/compare/usual_rows.hpp"
#include "api/compare/verdict.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace fenceline {
namespace {

using nlohmann::json;

struct LoadedReport {
  ComparedRun run;
  json document;
};

std::string text_in(const json& document, const char* key, const std::string& file) {
  if (!document[key].is_string()) throw ConfigError(file, std::string("/") + key, "a string", shown(document[key]));
  return document[key];
}

LoadedReport load_report(const std::filesystem::path& path) {
  const std::string file = report_of(path).string();
  json document = load_json(file);
  if (!is_report(document)) throw ConfigError(file, "", "report.json of a run, or its directory", shown(document));
  for (const char* key : {"machine", "statistics"}) {
    if (document.contains(key) && document[key].is_object()) continue;
    const json found = document.value(key, json());
    const bool repeated = document.contains("repeat");
    throw ConfigError(file, std::string("/") + key, "an object, as report.json of one run has there",
                      found.is_null() ? (repeated ? "that of several runs (--repeat)" : "no such key") : shown(found));
  }
  // Why each was late is what `fenceline explain` says.
  if (const json::json_pointer times("/statistics/deadline_times"); document.contains(times)) {
    for (json& time : document[times]) {
      if (time.is_object()) time.erase("packet");
    }
  }
  ComparedRun run{file, text_in(document, "workload_name", file), text_in(document, "machine_name", file)};
  return {std::move(run), std::move(document)};
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
/// A key in the pointer says the unit: p99 of time_in_queue_ps is a time.
bool is_time(const std::string& pointer) {
  return ends_with(pointer, "_ps") || ends_with(pointer, "/ps") || pointer.find("_ps/") != std::string::npos;
}

double change_of(const ValueDifference& one) { return one.other.get<double>() - one.one.get<double>(); }
/// Of the greater of the two.
double part_of(const ValueDifference& one) {
  return std::fabs(change_of(one)) / std::max(std::fabs(one.one.get<double>()), std::fabs(one.other.get<double>()));
}

template <class Effect>
void sort_by(std::vector<ValueDifference>& all, Effect effect) {
  std::stable_sort(all.begin(), all.end(),
                   [&](const ValueDifference& a, const ValueDifference& b) { return effect(a) > effect(b); });
}

/// With the place of the part before each pointer.
void add(std::vector<ValueDifference>& all, std::vector<ValueDifference> more, const std::string& base) {
  for (ValueDifference& one : more) one.pointer.insert(0, base);
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::string come_to(const RunDifference& difference, const json& one, const json& other) {
  const bool alike =
      difference.facts.empty() && difference.times.empty() && difference.counts.empty() && difference.frames.empty();
  if (alike && difference.inputs.empty()) return "alike: the same inputs, the same results";
  if (alike)
    return fmt::format("the same results, though {} differ{}",
                       difference.inputs.size() == 1 ? "1 input" : fmt::format("{} inputs", difference.inputs.size()),
                       difference.inputs.size() == 1 ? "s" : "");
  return verdict_of(one, other, difference.inputs.size());
}

std::string shown_number(const ValueDifference& one, const json& value) {
  if (value.is_null()) return "never";
  if (is_time(one.pointer)) return fmt::format("{:.3f}", value.get<double>() / 1e6);
  return shown(value);
}

std::string shown_value(const ValueDifference& one, const json& value) {
  if (value.is_null() && !is_time(one.pointer)) return "nothing";
  return value.is_null() || value.is_number() ? shown_number(one, value) : shown(value);
}

/// The same where nothing above it says the unit.
std::string value_with_unit(const ValueDifference& one, const json& value) {
  return shown_value(one, value) + (value.is_number() && is_time(one.pointer) ? " us" : "");
}

std::string more_line(std::size_t all, std::size_t shown) {
  return all > shown ? fmt::format("... and {} more (--all, --json)\n", all - shown) : "";
}

/// All of them, or those that are usual, so many at most.
std::vector<ValueDifference> rows_of(const std::vector<ValueDifference>& all, std::optional<std::size_t> most) {
  std::vector<ValueDifference> rows = most ? usual_rows(all) : all;
  if (most) rows.resize(std::min(rows.size(), *most));
  return rows;
}

std::string values_text(const char* what, const std::vector<ValueDifference>& all, std::optional<std::size_t> most) {
  const std::vector<ValueDifference> rows = rows_of(all, most);
  if (rows.empty()) return "";
  std::string text = fmt::format("\n{}\n", what);
  for (const ValueDifference& row : rows) {
    text += fmt::format("{}: {} -> {}\n", one_line(row.pointer), value_with_unit(row, row.one),
                        value_with_unit(row, row.other));
  }
  return text + more_line(all.size(), rows.size());
}

/// The change, and what it is of the first number, where that is something. Empty: they are not both numbers.
std::pair<std::string, std::string> shown_change(const ValueDifference& one) {
  if (!one.one.is_number() || !one.other.is_number()) return {};
  const double change = change_of(one);
  return {is_time(one.pointer) ? fmt::format("{:+.3f}", change / 1e6) : fmt::format("{:+g}", change),
          percent_of(change, one.one.get<double>())};
}

std::string numbers_text(const char* what, const std::vector<ValueDifference>& all, std::optional<std::size_t> most) {
  const std::vector<ValueDifference> rows = rows_of(all, most);
  if (rows.empty()) return "";
  std::size_t width = std::string(what).size();
  for (const ValueDifference& row : rows) width = std::max(width, one_line(row.pointer).size());
  std::string text = fmt::format("\n{:<{}} {:>15} {:>15} {:>15}\n", what, width, "A", "B", "change");
  for (const ValueDifference& one : rows) {
    const auto [change, part] = shown_change(one);
    text += fmt::format("{:<{}} {:>15} {:>15}{}{}\n", one_line(one.pointer), width, shown_number(one, one.one),
                        shown_number(one, one.other), change.empty() ? "" : fmt::format(" {:>15}", change),
                        part.empty() ? "" : fmt::format(" {:>10}", part));
  }
  return text + more_line(all.size(), rows.size());
}

}  // namespace

RunDifference difference_of(const std::filesystem::path& one, const std::filesystem::path& other) {
  const LoadedReport a = load_report(one);
  const LoadedReport b = load_report(other);
  RunDifference difference;
  difference.one = a.run;
  difference.other = b.run;
  const auto part = [](const LoadedReport& report, const char* key) { return report.document.value(key, json()); };
  const json from_a = run_inputs(a.document);
  const json from_b = run_inputs(b.document);
  add(difference.inputs, differences(from_a["machine"], from_b["machine"]), "");
  for (const char* key : {"workload", "run", "fenceline"}) {
    add(difference.inputs, differences(from_a[key], from_b[key]), std::string("/") + key);
  }
  for (ValueDifference& one_difference : differences(part(a, "statistics"), part(b, "statistics"))) {
    const bool numbers = one_difference.one.is_number() && one_difference.other.is_number();
    auto& kind = !numbers ? difference.facts : is_time(one_difference.pointer) ? difference.times : difference.counts;
    kind.push_back(std::move(one_difference));
  }
  sort_by(difference.times, [](const ValueDifference& time) { return std::fabs(change_of(time)); });
  sort_by(difference.counts, part_of);
  const auto frames_of = [](const LoadedReport& report) {
    return std::filesystem::path(report.run.report).parent_path() / "frames.csv";
  };
  difference.frames = frame_differences(frames_of(a), frames_of(b));
  const auto is_shown = [](const ValueDifference& frame) { return !frame.one.is_null() && !frame.other.is_null(); };
  sort_by(difference.frames,
          [&](const ValueDifference& frame) { return is_shown(frame) ? std::fabs(change_of(frame)) : HUGE_VAL; });
  difference.verdict = come_to(difference, a.document, b.document);
  return difference;
}

ShownDifference shown_difference(const ValueDifference& difference, bool with_unit) {
  const auto [change, part] = shown_change(difference);
  const auto shown = with_unit ? value_with_unit : shown_value;
  return {shown(difference, difference.one), shown(difference, difference.other),
          part.empty() ? change : fmt::format("{} ({})", change, part)};
}

std::string text_of(const RunDifference& difference, std::optional<std::size_t> most) {
  std::string text;
  for (const auto& [letter, run] : {std::pair('A', &difference.one), std::pair('B', &difference.other)}) {
    text +=
        one_line(fmt::format("{}            {}: {} on {}", letter, run->report, run->workload, run->machine)) + '\n';
  }
  text += values_text("inputs that differ", difference.inputs, most);
  text += values_text("results that differ", difference.facts, most);
  text += numbers_text("times, us", difference.times, most);
  text += numbers_text("counts", difference.counts, most);
  text += numbers_text("frames on screen, us", difference.frames, most);
  return text + fmt::format("\nverdict      {}\n", difference.verdict);
}

nlohmann::ordered_json json_of(const RunDifference& difference) {
  using Json = nlohmann::ordered_json;
  const auto run = [](const ComparedRun& one) {
    return Json{{"report", one.report}, {"workload_name", one.workload}, {"machine_name", one.machine}};
  };
  const auto values = [](const std::vector<ValueDifference>& all) {
    Json list = Json::array();
    for (const ValueDifference& one : all) {
      list.push_back(Json{{"pointer", one.pointer}, {"a", Json(one.one)}, {"b", Json(one.other)}});
    }
    return list;
  };
  return Json{{"a", run(difference.one)},
              {"b", run(difference.other)},
              {"inputs", values(difference.inputs)},
              {"results", values(difference.facts)},
              {"times", values(difference.times)},
              {"counts", values(difference.counts)},
              {"frames", values(difference.frames)},
              {"verdict", difference.verdict}};
}

}  // namespace fenceline
