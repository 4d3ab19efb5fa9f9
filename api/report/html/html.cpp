// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/html.hpp"

#include "api/pages/page_library.hpp"
#include "api/pages/page_style.hpp"
#include "api/pages/timeline_script.hpp"
#include "api/report/html/html_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace fenceline {
namespace {

template <class... Arguments>
void print(OutputFile& file, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(file.buffer()), format, std::forward<Arguments>(arguments)...);
  file.end_record();
}

void begin_table(OutputFile& file, const std::string& title, const std::vector<std::string>& columns) {
  print(file, "<h2>{}</h2>\n<div class=\"scroll\"><table>\n<thead><tr>", html_text(title));
  for (const std::string& column : columns) print(file, "<th scope=\"col\">{}</th>", html_text(column));
  file.append("</tr></thead>\n<tbody>\n");
}

void end_table(OutputFile& file) { file.append("</tbody></table></div>\n"); }

template <std::size_t count>
void append_all(OutputFile& file, const std::string_view (&pieces)[count]) {
  for (const std::string_view piece : pieces) file.append(piece);
}

/// In the unit that fits, to three digits behind the point: "80.925 ms".
std::string short_time(std::uint64_t ps) {
  const TimeUnit unit = unit_for(ps);
  const std::uint64_t least = std::max<std::uint64_t>(1, unit.ps / 1000);
  return time_text((ps + least / 2) / least * least, unit);
}

}  // namespace

HtmlSink::HtmlSink(OutputFile& file, const StatsSink& stats, HtmlHeading heading)
    : file_(file), stats_(stats), heading_(std::move(heading)), data_(file, heading_.prefixes) {
  const std::string workload = html_text(heading_.workload);
  const std::string machine = html_text(heading_.machine);
  // The policy forbids whatever a name could smuggle past the escaping to reach a network.
  print(file_,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{} on {}</title>\n<style>\n",
        workload, machine);
  append_all(file_, page_style);
  print(file_,
        "</style>\n</head>\n<body>\n<header>\n<h1>{} <span>on</span> {}</h1>\n"
        "<div class=\"muted\">Fenceline {}</div>\n</header>\n<script type=\"text/plain\" id=\"data\">",
        workload, machine, html_text(heading_.version));
}

void HtmlSink::message(const EventLog& log, const Message& message) {
  if (message.severity != Severity::warning || ++warning_count_ > most_warnings) return;
  warnings_.push_back(fmt::format("{} \u00b5s, {}: {}", microseconds(message.at_ps), shown(log.text(message.track)),
                                  html_text(message.text)));
}

void HtmlSink::finish(const EventLog& log, std::uint64_t end_ps) {
  if (heading_.deadlines) {
    for (const DeadlineRow& row : heading_.deadlines()) data_.deadline(log, row);
  }
  data_.finish(end_ps);
  file_.append("</script>\n");
  write_timeline();
  file_.append("<main id=\"figures\">\n");
  write_facts(stats_.tracks(), stats_.contexts());
  write_warnings();
  write_engines(stats_.tracks());
  write_queues(stats_.contexts());
  write_fences();
  if (heading_.tables) {
    for (const HtmlTable& table : heading_.tables()) write(table);
  }
  file_.append("</main>\n<script>\n/* D3 (https://d3js.org), of Mike Bostock, under its BSD licence. */\n");
  append_all(file_, page_library);
  file_.append("</script>\n<script>\n");
  append_all(file_, timeline_script);
  file_.append("</script>\n</body>\n</html>\n");
}

void HtmlSink::write(const HtmlTable& table) {
  begin_table(file_, table.title, table.columns);
  for (const std::vector<std::string>& row : table.rows) {
    file_.append("<tr>");
    for (const std::string& cell : row) print(file_, "<td>{}</td>", html_text(cell));
    file_.append("</tr>\n");
  }
  end_table(file_);
  if (!table.note.empty()) print(file_, "<p class=\"note\">{}</p>\n", html_text(table.note, table.note.size()));
}

std::string HtmlSink::shown(std::string_view name) const {
  for (const std::string& prefix : heading_.prefixes) {
    if (name.size() > prefix.size() && name.substr(0, prefix.size()) == prefix) {
      return html_text(name.substr(prefix.size()));
    }
  }
  return html_text(name);
}

void HtmlSink::write_facts(const std::vector<TrackStats>& tracks, const std::vector<ContextStats>& contexts) {
  const auto fact = [this](const char* name, const std::string& value, const std::string& more) {
    print(file_, "<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, more);
  };
  const std::uint64_t end_ps = stats_.totals().end_ps;
  file_.append("<dl class=\"facts\">\n");
  fact("Makespan", short_time(end_ps), fmt::format("{} ps", with_commas(end_ps)));
  std::uint64_t render_packets = 0;
  for (const ContextStats& context : contexts) render_packets += context.render_packets;
  fact("Command list packets", with_commas(render_packets),
       fmt::format("{} packets with signals and waits", with_commas(stats_.totals().packets)));
  const auto busiest =
      std::max_element(tracks.begin(), tracks.end(), [](auto& a, auto& b) { return a.busy_ps < b.busy_ps; });
  if (busiest != tracks.end()) {
    fact("Busiest engine", percent(busiest->busy_ps, end_ps, 1) + "\u00a0%",
         fmt::format("{}, busy for {}", shown(busiest->track), short_time(busiest->busy_ps)));
  }
  const auto slowest = std::max_element(contexts.begin(), contexts.end(),
                                        [](auto& a, auto& b) { return a.queue.max_ps < b.queue.max_ps; });
  if (slowest != contexts.end()) {
    fact("Longest time in queue", short_time(slowest->queue.max_ps),
         fmt::format("a packet of {}", shown(slowest->context)));
  }
  file_.append("</dl>\n");
}

void HtmlSink::write_warnings() {
  if (warnings_.empty()) return;
  file_.append("<ul class=\"warnings\">\n");
  for (const std::string& warning : warnings_) print(file_, "<li>{}</li>\n", warning);
  if (warning_count_ > most_warnings) {
    print(file_, "<li>{} more warnings in log.txt</li>\n", with_commas(warning_count_ - most_warnings));
  }
  file_.append("</ul>\n");
}

/// What the script fills.
void HtmlSink::write_timeline() {
  file_.append(
      "<noscript><p class=\"note\">The timeline needs JavaScript; the figures are below.</p></noscript>\n"
      "<section id=\"timeline\" hidden>\n<div id=\"bar\"></div>\n<div id=\"stage\">\n<div id=\"picture\">"
      "<canvas id=\"canvas\"></canvas><div id=\"plot\" tabindex=\"0\" role=\"application\" "
      "aria-label=\"Timeline of the run; keys are listed under Help\"></div><div id=\"tip\" hidden></div></div>\n"
      "<aside id=\"panel\" hidden></aside>\n</div>\n<div id=\"legend\"></div>\n</section>\n");
}

void HtmlSink::write_engines(const std::vector<TrackStats>& tracks) {
  const std::uint64_t end_ps = stats_.totals().end_ps;
  begin_table(file_, "Engines", {"engine", "packets", "busy \u00b5s", "idle \u00b5s", "busy %", ""});
  for (const TrackStats& track : tracks) {
    print(file_,
          "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
          "<td class=\"share\"><b><i style=\"width:{}%\"></i></b></td></tr>\n",
          shown(track.track), with_commas(track.packet_spans), microseconds(track.busy_ps),
          microseconds(end_ps - std::min(end_ps, track.busy_ps)), percent(track.busy_ps, end_ps, 2),
          percent(track.busy_ps, end_ps, 2));
  }
  end_table(file_);
}

void HtmlSink::write_queues(const std::vector<ContextStats>& contexts) {
  begin_table(file_, "Queues",
              {"queue", "packets", "in queue \u00b5s, mean", "p50 \u00b5s", "p99 \u00b5s", "max \u00b5s",
               "fence wait \u00b5s", "running \u00b5s", "preempted \u00b5s", "preemptions"});
  for (const ContextStats& context : contexts) {
    print(file_, "<tr><td>{}</td><td>{}</td>", shown(context.context), with_commas(context.render_packets));
    for (const std::uint64_t time :
         {context.queue.mean_ps, context.queue.p50_ps, context.queue.p99_ps, context.queue.max_ps, context.fence_ps,
          context.running_ps, context.preempted_ps}) {
      print(file_, "<td>{}</td>", microseconds(time));
    }
    print(file_, "<td>{}</td></tr>\n", with_commas(context.preemptions));
  }
  end_table(file_);
  file_.append(
      "<p class=\"note\">Packets are command list packets. In queue: from submission until the first command "
      "began. Fence wait, running and preempted are sums over the queue.</p>\n");
}

void HtmlSink::write_fences() {
  if (stats_.fences().empty()) return;
  begin_table(file_, "Fences", {"fence", "last value", "signals"});
  for (const FenceStats& fence : stats_.fences()) {
    print(file_, "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", shown(fence.fence), fence.last_value,
          with_commas(fence.signals));
  }
  end_table(file_);
}

}  // namespace fenceline
