// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/sweep_page.hpp"

#include "api/pages/sweep_library.hpp"
#include "api/pages/sweep_script.hpp"
#include "api/pages/sweep_style.hpp"
#include "api/report/html/html_text.hpp"
#include "api/report/run/outputs.hpp"
#include "api/version.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fenceline::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t most_page_rows = 20'000;  // what a browser draws without waiting long

/// A label with the choice of what is drawn.
std::string choice(const char* id, const char* label) {
  return fmt::format("<label>{} <select id=\"{}\"></select></label>\n", label, id);
}

/// A picture with its choices.
std::string card(const char* id, const char* title, const std::string& choices, bool legend) {
  return fmt::format(
      "<section class=\"card\" id=\"{}-card\">\n<header><h2>{}</h2><span>{}</span></header>\n{}"
      "<svg role=\"img\" aria-label=\"{}\"></svg>\n<p class=\"note\"></p>\n</section>\n",
      id, title, choices, legend ? "<div class=\"legend\"></div>\n" : "", title);
}

/// Text inside a script element: nothing in it ends the element.
std::string script_json(const ordered_json& value) {
  std::string text = value.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
  std::string safe;
  for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

/// The file of each run's directory that a link opens; empty: runs leave none.
std::string linked_file(const SweepPlan& plan) {
  OutputKeys kept;
  for (const std::string& names : plan.sweep().outputs) kept.merge(output_names_in(names, plan.file()));
  for (const char* wished : {"html", "report"}) {
    for (const OutputRow& output : outputs()) {
      if (kept.count(wished) > 0 && output_name(output) == wished) return output.file;
    }
    if (kept.count(wished) > 0 && wished == report_output) return report_file;
  }
  for (const OutputRow& output : outputs_of({}, kept)) return output.file;
  return "";
}

ordered_json head_of(const SweepPlan& plan) {
  const Sweep& sweep = plan.sweep();
  ordered_json head;
  head["name"] = sweep.name;
  head["link"] = linked_file(plan);
  head["set"] = sweep.set;
  head["workloads"] = sweep.workloads;
  head["machines"] = sweep.machines.empty() ? std::vector<std::string>{""} : sweep.machines;
  head["axes"] = ordered_json::array();
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    head["axes"].push_back({{"name", plan.axis_names()[i]},
                            {"pointer", sweep.axes[i].pointer},
                            {"values", axis_values(sweep.axes[i], plan.file(), "")}});
  }
  if (sweep.repeat > 0) {
    ordered_json seeds = ordered_json::array();
    for (std::uint64_t i = 0; i < sweep.repeat; ++i) seeds.push_back(fmt::format("{}", sweep.seed + i));
    head["axes"].push_back({{"name", plan.axis_names().back()}, {"seed", true}, {"values", seeds}});
  }
  if (sweep.limit_us > 0) head["limit_us"] = sweep.limit_us;
  head["metrics"] = ordered_json::array();
  head["more_is_better"] = ordered_json::array();
  for (const Metric& metric : plan.metrics()) {
    head["metrics"].push_back(metric.name);
    head["more_is_better"].push_back(metric.row != nullptr && metric.row->more_is_better);
  }
  return head;
}

}  // namespace

void write_sweep_page(const std::filesystem::path& file, const SweepPlan& plan, const ResultsFile& results) {
  WholeFile page(file);
  OutputFile& out = page.content();
  const std::string name = html_text(plan.sweep().name);
  out.append(
      fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                  "content=\"width=device-width, initial-scale=1\">\n<title>{} - Fenceline sweep</title>\n<style>\n",
                  name));
  for (const std::string_view piece : sweep_style) out.append(piece);
  out.append(
      fmt::format("</style>\n</head>\n<body>\n<h1>{}</h1>\n<p>{}</p>\n<p class=\"muted\">{} runs, {} failed; "
                  "fenceline {}</p>\n<noscript><p>The pictures need JavaScript.</p></noscript>\n",
                  name, html_text(plan.sweep().source, 600), results.done(), results.failed(), version));
  out.append("<div id=\"controls\">\n" + choice("workload", "workload") + choice("machine", "machine") +
             choice("by", "by") + choice("colour", "colour") + "</div>\n<div id=\"charts\">\n");
  out.append(card("latency", "Latency: median, 90 %, 99 %, longest", choice("family", "of"), true));
  out.append(card("pareto", "Trade-off", choice("y", "") + choice("x", "against"), true));
  out.append(card("heat", "Two axes", choice("heat", ""), false));
  out.append(card("bars", "One metric", choice("bars", ""), true));
  out.append(
      "</div>\n<div id=\"chosen\" hidden></div>\n<p id=\"more\" class=\"muted\"></p>\n<div id=\"scroll\"><table "
      "id=\"table\"><thead><tr></tr></thead><tbody></tbody></table></div>\n<div id=\"tip\" hidden></div>\n");
  ordered_json facts = head_of(plan);
  facts["total"] = results.done();
  std::string head = script_json(facts);
  head.pop_back();  // the rows stand in the same object
  out.append("<script type=\"application/json\" id=\"data\">" + head + ",\"rows\":[");
  std::uint64_t rows = 0;
  // The place of each of the axes' values, from the places of their groups.
  const std::vector<SweepAxis>& axes = plan.sweep().axes;
  results.each([&](const SweepOutcome& outcome) {
    if (rows == most_page_rows) return;
    const std::vector<std::uint64_t> places = plan.places(outcome.run);
    ordered_json of_axes = ordered_json::array();
    std::size_t group = 1;
    for (const SweepAxis& axis : axes) {
      if (!axis.zip) ++group;
      of_axes.push_back(places[group]);
    }
    if (plan.sweep().repeat > 0) of_axes.push_back(places[group + 1]);
    const ordered_json row = {
        outcome.run, places[0], places[1], of_axes, outcome.status, outcome.error, ordered_json(outcome.metrics)};
    out.append((rows++ == 0 ? "\n" : ",\n") + script_json(row));
  });
  out.append("]}</script>\n<script>\n");
  for (const std::string_view piece : sweep_library) out.append(piece);
  out.append("</script>\n<script>\n");
  for (const std::string_view piece : sweep_script) out.append(piece);
  out.append("</script>\n</body>\n</html>\n");
  page.commit();
}

}  // namespace fenceline::cli
