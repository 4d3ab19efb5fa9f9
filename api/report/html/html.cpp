// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/html.hpp"

#include "api/report/html/html_style.hpp"
#include "api/report/html/html_text.hpp"
#include "api/report/html/html_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::uint64_t merged_bars_of(const PacketTimeline& timeline) {
  std::uint64_t merged = 0;
  for (const PacketTimeline::Engine& engine : timeline.engines()) merged += engine.running.merged();
  for (const PacketTimeline::Queue& queue : timeline.queues()) {
    for (const BarLane* lane : {&queue.running, &queue.fence, &queue.node, &queue.preempted, &queue.signals}) {
      merged += lane->merged();
    }
  }
  for (const PacketTimeline::Worker& worker : timeline.workers()) merged += worker.tasks.merged();
  return merged;
}

}  // namespace

HtmlSink::HtmlSink(OutputFile& file, const StatsSink& stats, HtmlHeading heading)
    : file_(file), stats_(stats), heading_(std::move(heading)) {}

void HtmlSink::span(const EventLog&, const Span& span) {
  if (span.kind == SpanKind::packet) timeline_.span(span);
}

void HtmlSink::packet(const EventLog&, const PacketRecord& packet) { timeline_.packet(packet); }

void HtmlSink::task(const EventLog&, const TaskRecord& task) { timeline_.task(task); }

void HtmlSink::message(const EventLog& log, const Message& message) {
  if (message.severity != Severity::warning || ++warning_count_ > most_warnings) return;
  warnings_.push_back(fmt::format("{} \u00b5s, {}: {}", microseconds(message.at_ps), shown(log.text(message.track)),
                                  html_text(message.text)));
}

void HtmlSink::finish(const EventLog& log, std::uint64_t end_ps) {
  timeline_.settle(end_ps);
  const auto tracks = stats_.tracks();
  const auto contexts = stats_.contexts();
  const std::string workload = html_text(heading_.workload);
  const std::string machine = html_text(heading_.machine);
  // The policy forbids whatever a name could smuggle past the escaping.
  print(file_,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{} on {}</title>\n<style>{}{}</style>\n</head>\n<body>\n<main>\n"
        "<h1>{} on {}</h1>\n<div class=\"muted\">Fenceline {}: report of a run</div>\n",
        workload, machine, html_style, timeline_.workers().empty() ? "" : html_task_style, workload, machine,
        html_text(heading_.version));
  write_facts(tracks, contexts);
  write_warnings();
  write_timeline(log);
  write_engines(tracks);
  write_queues(contexts);
  write_fences();
  if (heading_.tables) {
    for (const HtmlTable& table : heading_.tables()) write(table);
  }
  file_.append("</main>\n</body>\n</html>\n");
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
  fact("Makespan", fmt::format("{}\u00a0\u00b5s", microseconds(end_ps)), fmt::format("{} ps", with_commas(end_ps)));
  std::uint64_t render_packets = 0;
  for (const ContextStats& context : contexts) render_packets += context.render_packets;
  fact("Command list packets", with_commas(render_packets),
       fmt::format("{} packets with signals and waits", with_commas(stats_.totals().packets)));
  const auto busiest =
      std::max_element(tracks.begin(), tracks.end(), [](auto& a, auto& b) { return a.busy_ps < b.busy_ps; });
  if (busiest != tracks.end()) {
    fact("Busiest engine", percent(busiest->busy_ps, end_ps, 1) + "\u00a0%",
         fmt::format("{}, {} \u00b5s busy", shown(busiest->track), microseconds(busiest->busy_ps)));
  }
  const auto slowest = std::max_element(contexts.begin(), contexts.end(),
                                        [](auto& a, auto& b) { return a.queue.max_ps < b.queue.max_ps; });
  if (slowest != contexts.end()) {
    fact("Longest time in queue", fmt::format("{}\u00a0\u00b5s", microseconds(slowest->queue.max_ps)),
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

void HtmlSink::write_timeline(const EventLog& log) {
  file_.append(
      "<h2>Timeline</h2>\n<section>\n"
      "<input class=\"zoom\" type=\"radio\" name=\"zoom\" id=\"z1\" checked>"
      "<input class=\"zoom\" type=\"radio\" name=\"zoom\" id=\"z4\">"
      "<input class=\"zoom\" type=\"radio\" name=\"zoom\" id=\"z16\">\n<div class=\"bar-line\">\n");
  for (const PacketTimeline::Queue& queue : timeline_.queues()) {
    if (queue.running.bars().empty() && queue.running.merged() == 0) continue;
    print(file_, "<span class=\"key\"><i class=\"q{}\"></i>{}</span>\n", queue.colour, shown(log.text(queue.context)));
  }
  file_.append(
      "<span class=\"key\"><i class=\"fence\"></i>waiting on a fence</span>\n"
      "<span class=\"key\"><i class=\"node\"></i>waiting for the engine</span>\n");
  const auto& queues = timeline_.queues();
  if (std::any_of(queues.begin(), queues.end(), [](const PacketTimeline::Queue& queue) {
        return !queue.preempted.bars().empty() || queue.preempted.merged() > 0;
      })) {
    file_.append("<span class=\"key\"><i class=\"preempted\"></i>preempted</span>\n");
  }
  file_.append("<span class=\"key\"><i class=\"signal\"></i>signals a fence</span>\n");
  if (!timeline_.workers().empty()) {
    file_.append("<span class=\"key\"><i class=\"task\"></i>background task</span>\n");
  }
  file_.append(
      "<span class=\"zooms\"><label for=\"z1\">1\u00d7</label><label for=\"z4\">4\u00d7</label>"
      "<label for=\"z16\">16\u00d7</label></span>\n</div>\n");
  file_.append(html_of(timeline_, [&](LogName name) { return shown(log.text(name)); }));
  if (const std::uint64_t merged = merged_bars_of(timeline_); merged > 0) {
    print(file_,
          "<p class=\"note\">{} bars are too many or too short to draw one by one. They are merged: the height of a "
          "column is the share of its time that they cover. packets.csv and trace.json have every packet.</p>\n",
          with_commas(merged));
  } else {
    file_.append("<p class=\"note\">Point at a bar for its times. trace.json has the same and every command.</p>\n");
  }
  file_.append("</section>\n");
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
              {"queue", "packets", "in queue \u00b5s, mean", "p50", "p99", "max", "fence wait \u00b5s",
               "running \u00b5s", "preempted \u00b5s", "preemptions"});
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
