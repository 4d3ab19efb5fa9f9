// SPDX-License-Identifier: Apache-2.0
#include "api/cli/summary.hpp"

#include "api/report/contents/access_log.hpp"
#include "api/report/limits/preemption_limits.hpp"
#include "api/report/replay/pass_times.hpp"
#include "api/report/run/outputs.hpp"
#include "api/report/run/run_recovery.hpp"
#include "api/report/run/run_residency.hpp"
#include "api/version.hpp"
#include "sim/config_error.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fenceline::cli {
namespace {

// The rows of each table that are shown; with their headings and the other lines they make no more than most_lines.
constexpr std::size_t most_engines = 6;
constexpr std::size_t most_queues = 6;
constexpr std::size_t most_fences = 3;
constexpr std::size_t most_overlaps = 3;
constexpr std::size_t most_preempting = 2;
constexpr std::size_t most_deadlines = 3;
constexpr std::size_t most_swap_chains = 4;
constexpr std::size_t most_episodes = 6;
constexpr std::size_t lines_after_reasons = 3;  // what has no effect besides, files, trace
constexpr std::size_t most_lines = 40;
constexpr std::size_t timeline_width = 64;
/// The last part of a path: "adapter.copy0" -> "copy0". Queue names may have dots of their own.
std::string short_name(const std::string& path, const char* prefix) {
  return path.rfind(prefix, 0) == 0 ? path.substr(std::char_traits<char>::length(prefix)) : path;
}

class Text {
 public:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += one_line(fmt::format(format, std::forward<Arguments>(arguments)...)) + '\n';  // names may have breaks
  }
  void more(std::size_t all, std::size_t shown, const char* what) {
    if (all > shown) line("  ... and {} more {} (see report.json)", all - shown, what);
  }
  const std::string& text() const { return text_; }
  std::size_t lines() const { return static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n')); }

 private:
  std::string text_;
};

/// '#' where the engine was busy for at least half of the column's time, '-' where it was for less.
std::string bar_of(const TrackStats& track, std::uint64_t end_ps) {
  std::string bar;
  for (std::size_t column = 0; column < timeline_width; ++column) {
    const std::uint64_t from = end_ps / timeline_width * column;
    const std::uint64_t to = column + 1 == timeline_width ? end_ps : end_ps / timeline_width * (column + 1);
    const std::uint64_t busy = common_length(track.busy, {{from, to}});
    bar += busy == 0 ? ' ' : busy * 2 >= to - from ? '#' : '-';
  }
  return bar;
}

/// Shares are of the time from `from_ps` on.
void add_engines(Text& text, const std::vector<TrackStats>& tracks, std::uint64_t from_ps, std::uint64_t end_ps) {
  const std::uint64_t whole_ps = end_ps - std::min(from_ps, end_ps);
  text.line("{:<12} {:>7} {:>14} {:>9}  timeline, 0 .. {:.3f} us", "engine", "busy %", "busy us", "packets",
            us(end_ps));
  for (std::size_t i = 0; i < std::min(tracks.size(), most_engines); ++i) {
    const TrackStats& track = tracks[i];
    const double share = whole_ps == 0 ? 0 : 100 * static_cast<double>(track.busy_ps) / static_cast<double>(whole_ps);
    text.line("{:<12} {:>7.2f} {:>14.3f} {:>9}  |{}|", short_name(track.track, "adapter."), share, us(track.busy_ps),
              track.packet_spans, bar_of(track, end_ps));
  }
  text.more(tracks.size(), most_engines, "engines");
}

void add_overlaps(Text& text, const std::vector<TrackStats>& tracks) {
  struct Overlap {
    std::string engines;
    std::uint64_t ps;
  };
  std::vector<Overlap> overlaps;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    for (std::size_t j = i + 1; j < tracks.size(); ++j) {
      const std::uint64_t ps = common_length(tracks[i].busy, tracks[j].busy);
      if (ps == 0) continue;
      overlaps.push_back(
          {short_name(tracks[i].track, "adapter.") + " and " + short_name(tracks[j].track, "adapter."), ps});
    }
  }
  std::stable_sort(overlaps.begin(), overlaps.end(), [](const Overlap& a, const Overlap& b) { return a.ps > b.ps; });
  for (std::size_t i = 0; i < std::min(overlaps.size(), most_overlaps); ++i) {
    text.line("overlap      {} busy together for {:.3f} us", overlaps[i].engines, us(overlaps[i].ps));
  }
}

void add_queues(Text& text, const RunResult& result) {
  const auto queues = result.stats.contexts();
  text.line("{:<12} {:>9} {:>15} {:>15} {:>14} {:>14} {:>9}", "queue", "packets", "in queue, mean", "in queue, p99",
            "fence wait us", "running us", "preempted");
  for (std::size_t i = 0; i < std::min(queues.size(), most_queues); ++i) {
    const ContextStats& queue = queues[i];
    text.line("{:<12} {:>9} {:>12.3f} us {:>12.3f} us {:>14.3f} {:>14.3f} {:>9}",
              short_name(queue.context, "adapter.scheduler."), queue.render_packets, us(queue.queue.mean_ps),
              us(queue.queue.p99_ps), us(queue.fence_ps), us(queue.running_ps), queue.preemptions);
  }
  text.more(queues.size(), most_queues, "queues");
}

/// "MissLessPriority 12, MissRemainingQuantum 3"; empty: none missed.
std::string misses_of(const NodePreemption& node) {
  std::string text;
  for (std::size_t i = 0; i < preemption_attempt_results; ++i) {
    if (i == static_cast<std::size_t>(PreemptionAttempt::success) || node.attempts[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", preemption_attempt_names[i], node.attempts[i]);
  }
  return text;
}

void add_preemption(Text& text, const LoadedWorkload& loaded, const RunPreemption& preemption) {
  if (preemption.nodes.empty()) return;
  text.line("{:<12} {:>9} {:>9} {:>12} {:>10} {:>10} {:>10} {:>13} {:>10} {:>10} {:>10} {:>14} {:>7}", "preemption",
            "requests", "stopped", "latency, us", "p50", "p99", "max", "from request", "p99", "drain", "save",
            "saved bytes", "lost %");
  const auto line = [&](const std::string& name, const NodePreemption& node) {
    const std::uint64_t whole_ps = std::max<std::uint64_t>(1, node.engine_ps);
    text.line(
        "{:<12} {:>9} {:>9} {:>12.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>13.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>14} "
        "{:>7.3f}",
        name, node.requests, node.stopped, us(node.latency.mean_ps), us(node.latency.p50_ps), us(node.latency.p99_ps),
        us(node.latency.max_ps), us(node.from_request.mean_ps), us(node.from_request.p99_ps), us(node.drain.mean_ps),
        us(node.save.mean_ps), node.saved_bytes,
        100 * static_cast<double>(node.lost_ps) / static_cast<double>(whole_ps));
  };
  for (std::size_t i = 0; i < std::min(preemption.nodes.size(), most_preempting); ++i) {
    line(short_name(preemption.nodes[i].node, "adapter."), preemption.nodes[i]);
  }
  text.more(preemption.nodes.size(), most_preempting, "engines");
  if (preemption.nodes.size() > 1) line("all engines", preemption.total);
  const std::string misses = misses_of(preemption.total);
  if (!misses.empty()) {
    text.line("attempts     {} of {} missed: {}", preemption.total.missed(), preemption.total.attempted(), misses);
  }
  const std::vector<PreemptionLimit> limits =
      preemption_limits(loaded.machine, stoppable_work(loaded.workload, loaded.machine), preemption);
  std::vector<PreemptionLimit> told;  // what holds of several engines, once
  for (const PreemptionLimit& limit : limits) {
    const auto same =
        std::find_if(told.begin(), told.end(), [&](const PreemptionLimit& one) { return one.text == limit.text; });
    if (same == told.end()) {
      told.push_back(limit);
    } else {
      same->node += ", " + limit.node;
    }
  }
  for (std::size_t i = 0; i < std::min(told.size(), most_preempting); ++i) {
    text.line("limit        {}: {}", told[i].node, told[i].text);
  }
}

void add_deadlines(Text& text, const std::vector<DeadlineResult>& deadlines) {
  if (deadlines.empty()) return;
  text.line("{:<12} {:>9} {:>9} {:>9} {:>12} {:>15} {:>15}", "deadline", "times", "met", "missed", "not reached",
            "late, worst", "late, mean");
  for (std::size_t i = 0; i < std::min(deadlines.size(), most_deadlines); ++i) {
    const DeadlineResult& one = deadlines[i];
    text.line("{:<12} {:>9} {:>9} {:>9} {:>12} {:>12.3f} us {:>12.3f} us", one.name, one.count, one.met, one.missed,
              one.not_reached, us(one.worst_ps), us(one.mean_ps));
  }
  text.more(deadlines.size(), most_deadlines, "deadlines");
}

void add_recovery(Text& text, const std::vector<RecoveryEpisode>& episodes) {
  for (std::size_t i = 0; i < std::min(episodes.size(), most_episodes); ++i) {
    text.line("recovery     {}", line_of(episodes[i]));
  }
  text.more(episodes.size(), most_episodes, "timeouts and page faults");
}

void add_passes(Text& text, const std::vector<std::uint64_t>& passes_ps) {
  if (passes_ps.size() < 2) return;
  const PassTimes times = pass_times(passes_ps);
  text.line("passes       {}: min {:.6f} us, mean {:.6f} us, max {:.6f} us", passes_ps.size(), us(times.min_ps),
            us(times.mean_ps), us(times.max_ps));
}

void add_fast_forward(Text& text, const RunOptions& options, const RunResult& result) {
  if (!result.fast_forward_ps) return;
  text.line("fast forward to {}, at {:.6f} us: engines, queues and packets are counted from then on",
            options.fast_forward, us(*result.fast_forward_ps));
}

void add_residency(Text& text, const RunResidency& residency) {
  if (residency.paged()) text.line("video memory {}", line_of(residency));
}

void add_swap_chains(Text& text, const std::vector<SwapChainResult>& chains) {
  if (chains.empty()) return;
  text.line("{:<12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>15} {:>15} {:>15}", "frames of", "presented", "shown", "discarded",
            "missed", "glitches", "frame, mean us", "to screen, p99", "input, p99");
  for (std::size_t i = 0; i < std::min(chains.size(), most_swap_chains); ++i) {
    const SwapChainResult& one = chains[i];
    text.line("{:<12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>15.3f} {:>15.3f} {:>15}", one.name, one.presented, one.shown,
              one.discarded, one.missed_vblanks, one.glitches, us(one.frame.mean_ps), us(one.present_to_screen.p99_ps),
              one.input_to_screen ? fmt::format("{:.3f}", us(one.input_to_screen->p99_ps)) : "");
  }
  text.more(chains.size(), most_swap_chains, "swap chains");
}

void add_tears(Text& text, const std::vector<TornOutput>& outputs) {
  for (const TornOutput& output : outputs) {
    if (output.tears == 0) continue;
    text.line("tears        {} frames on {}, at lines {} to {}", output.tears, output.name, *output.first_line,
              *output.last_line);
  }
}

void add_background(Text& text, const std::map<std::string, BackgroundStatistics>& background) {
  for (const auto& [process, one] : background) {
    text.line(
        "background   {}{}{} tasks queued, {} finished in {:.3f} us of CPU time, {} cancelled{}{}; {} variants, "
        "executed {} times, saved {:.3g} instructions",
        process, process.empty() ? "" : ": ", one.queued, one.finished, us(one.cpu_ps), one.cancelled,
        one.pending > 0 ? fmt::format(", {} pending", one.pending) : "",
        one.dropped > 0 ? fmt::format(", {} dropped", one.dropped) : "", one.variants, one.specialised,
        static_cast<double>(one.saved_instructions));
  }
}

void add_creation(Text& text, const std::map<std::string, CreationStatistics>& creation) {
  for (const auto& [process, one] : creation) {
    text.line(
        "pipelines    {}{}{} created in {:.3f} us of CPU time: {} compiled, {} found; {} shaders converted, {} found",
        process, process.empty() ? "" : ": ", one.created, us(one.cpu_ps), one.compiled, one.created - one.compiled,
        one.converted, one.conversions_found);
  }
}

void add_fences(Text& text, const RunResult& result) {
  const auto fences = result.stats.fences();
  if (fences.empty()) return;
  text.line("{:<12} {:>9} {:>9}", "fence", "value", "signals");
  for (std::size_t i = 0; i < std::min(fences.size(), most_fences); ++i) {
    text.line("{:<12} {:>9} {:>9}", short_name(fences[i].fence, "adapter.fences."), fences[i].last_value,
              fences[i].signals);
  }
  text.more(fences.size(), most_fences, "fences");
  text.line("interrupts   {} by signals of queues", result.fence_interrupts);
}

/// What the user set or wrote into the workload, with the reasons where there is room for them; of the machine's file,
/// and of much else, only where; of a built-in machine how many.
void add_silent(Text& text, const std::vector<SilentKnobs>& silent) {
  struct Silent {
    std::string file;
    std::string pointers;
    std::size_t parameters = 0;
  };
  std::vector<Silent> without_reason;
  for (const SilentKnobs& knobs : silent) {
    if ((knobs.of_workload || knobs.file == "--set") && text.lines() + lines_after_reasons < most_lines) {
      text.line("no effect    {}", line_of(knobs));
      continue;
    }
    if (without_reason.empty() || without_reason.back().file != knobs.file) without_reason.push_back({knobs.file, {}});
    Silent& of_file = without_reason.back();
    of_file.parameters += knobs.parameters;
    for (const std::string& pointer : knobs.pointers)
      of_file.pointers += (of_file.pointers.empty() ? "" : ", ") + pointer;
  }
  if (without_reason.empty()) return;
  std::string line;
  for (const Silent& of_file : without_reason) {
    const bool own = of_file.file.rfind("built-in ", 0) != 0;  // nobody chose what a built-in machine says
    const std::string which = own ? " (" + of_file.pointers + ")" : "";
    line += fmt::format("{}: {} values{}; ", of_file.file, of_file.parameters, which);
  }
  text.line("no effect    {}fenceline check says which and why", line);
}

void add_packets(Text& text, const RunResult& result) {
  if (result.render_packets > RunResult::most_lines) return;  // a long run is read in the trace
  if (text.lines() + 1 + result.first_packets.size() + 2 > most_lines) return;
  text.line("{:<12} {:<24} {:>14} {:>14}", "packet of", "command list", "start us", "end us");
  for (const RunResult::PacketLine& packet : result.first_packets) {
    text.line("{:<12} {:<24} {:>14.3f} {:>14.3f}", short_name(packet.queue, "adapter.scheduler."), packet.label,
              us(packet.started_ps), us(packet.finished_ps));
  }
}

}  // namespace

std::string summary_of(const LoadedWorkload& loaded, const RunOptions& options, const RunResult& result) {
  Text text;
  const auto tracks = result.stats.tracks();
  text.line("fenceline {}: {} on {}", version, loaded.workload.name, loaded.machine.name);
  text.line("makespan     {:.6f} us{}", us(result.end_ps),
            result.completed            ? ""
            : !result.bugcheck.empty()  ? "  (not completed: bugcheck)"
            : result.unfinished.empty() ? "  (not completed: deadlock)"
            : options.is_end            ? "  (ended there, as asked for)"
                                        : "  (not completed: limit)");
  add_passes(text, result.passes_ps);
  add_fast_forward(text, options, result);
  add_engines(text, tracks, result.fast_forward_ps.value_or(0), result.end_ps);
  add_overlaps(text, tracks);
  add_queues(text, result);
  add_preemption(text, loaded, result.preemption);
  add_recovery(text, result.recovery);
  add_residency(text, result.residency);
  if (result.contents) text.line("contents     {}", line_of(*result.contents));
  add_deadlines(text, result.deadlines);
  add_swap_chains(text, result.swap_chains);
  add_tears(text, result.outputs);
  add_fences(text, result);
  add_background(text, result.background);
  add_creation(text, result.creation);
  add_silent(text, result.silent);
  add_packets(text, result);
  std::string files = wants(report_output, options.only) ? fmt::format(" {}", report_file) : "";
  for (const OutputRow& output : outputs_of(options.outputs, options.only)) files += fmt::format(" {}", output.file);
  text.line("files        {}:{}", options.directory.string(), files);
  if (!wants("trace", options.only)) return text.text();
  text.line("trace        open trace.json at https://ui.perfetto.dev (\"Open trace file\") or in chrome://tracing");
  return text.text();
}

}  // namespace fenceline::cli
