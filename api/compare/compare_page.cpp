// SPDX-License-Identifier: Apache-2.0
#include "api/compare/compare_page.hpp"

#include "api/compare/usual_rows.hpp"
#include "api/pages/compare_script.hpp"
#include "api/pages/compare_style.hpp"
#include "api/pages/page_style.hpp"
#include "api/report/html/html_text.hpp"
#include "api/version.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace fenceline {
namespace {

constexpr std::size_t most_rows = 200;
constexpr std::size_t most_characters = 400;

/// Text in an attribute between quotes.
void append_quoted(OutputFile& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = std::min(text.find_first_of("&\""), text.size());
    out.append(text.substr(0, length));
    if (length == text.size()) return;
    out.append(text[length] == '&' ? "&amp;" : "&quot;");
    text.remove_prefix(length + 1);
  }
}

void append_table(OutputFile& out, const char* title, const std::vector<ValueDifference>& all, bool open,
                  bool with_unit = false) {
  std::vector<ValueDifference> rows = usual_rows(all);
  if (rows.empty()) return;
  rows.resize(std::min(rows.size(), most_rows));
  out.append(fmt::format(
      "<details{}><summary>{} ({})</summary>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\"></th><th "
      "scope=\"col\">A</th><th scope=\"col\">B</th><th scope=\"col\">change</th></tr></thead>\n<tbody>\n",
      open ? " open" : "", title, with_commas(all.size())));
  for (const ValueDifference& row : rows) {
    const ShownDifference shown = shown_difference(row, with_unit);
    out.append("<tr>");
    for (const std::string& cell : {row.pointer, shown.one, shown.other, shown.change}) {
      out.append("<td>" + html_text(cell, most_characters) + "</td>");
    }
    out.append("</tr>\n");
  }
  out.append("</tbody></table></div>\n");
  if (all.size() > rows.size()) {
    out.append(fmt::format("<p class=\"note\">{} more: fenceline compare --json</p>\n",
                           with_commas(all.size() - rows.size())));
  }
  out.append("</details>\n");
}

void append_timeline(OutputFile& out, const char* id, const char* letter, const ComparedRun& run,
                     const std::string& page) {
  const std::string title = fmt::format("{}: {}, {} on {}", letter, html_text(run.report, most_characters),
                                        html_text(run.workload), html_text(run.machine));
  out.append(
      fmt::format("<figure><figcaption>{}</figcaption><iframe id=\"{}\" title=\"{}\" srcdoc=\"", title, id, title));
  append_quoted(out, page);
  out.append("\"></iframe></figure>\n");
}

}  // namespace

void write_compare_page(const std::filesystem::path& file, const RunDifference& difference, const std::string& one,
                        const std::string& other) {
  WholeFile page(file, {difference.one.report, difference.other.report});
  OutputFile& out = page.content();
  const std::string title = fmt::format("{} and {}", html_text(difference.one.report, most_characters),
                                        html_text(difference.other.report, most_characters));
  out.append(fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-"
      "Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n",
      title));
  for (const std::string_view piece : page_style) out.append(piece);
  for (const std::string_view piece : compare_style) out.append(piece);
  out.append(
      fmt::format("</style>\n</head>\n<body>\n<header>\n<h1>What changed from A to B</h1>\n<div "
                  "class=\"muted\">Fenceline {}</div>\n</header>\n<p id=\"verdict\">{}</p>\n",
                  version, html_text(difference.verdict, most_characters)));
  append_table(out, "Inputs that differ", difference.inputs, true, true);
  append_timeline(out, "a", "A", difference.one, one);
  append_timeline(out, "b", "B", difference.other, other);
  append_table(out, "Times, \u00b5s (in report.json ps)", difference.times, false);
  append_table(out, "Counts", difference.counts, false);
  append_table(out, "Frames on screen, \u00b5s", difference.frames, false);
  append_table(out, "Other results", difference.facts, false, true);
  out.append("<script>\n");
  for (const std::string_view piece : compare_script) out.append(piece);
  out.append("</script>\n</body>\n</html>\n");
  page.commit();
}

}  // namespace fenceline
