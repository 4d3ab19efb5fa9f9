// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/html_timeline.hpp"

#include "api/report/html/html_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

constexpr unsigned axis_height = 26;
constexpr unsigned heading_height = 30;
constexpr unsigned gap = 8;  ///< between the bars of two rows
constexpr unsigned bar_height = 20;
constexpr unsigned wait_height = 4;
constexpr std::uint64_t least_share = 6;   ///< percent of a row's height
constexpr std::size_t most_depth = 16;     ///< bars at one time that are drawn below each other
constexpr std::size_t most_names = 150;    ///< bars with their name on them
constexpr std::size_t most_windows = 200;  ///< tooltips over merged bars

/// Where bars at one time are below each other.
struct Placing {
  std::vector<std::size_t> level;  ///< by bar
  std::size_t depth = 1;
};

Placing place(const std::vector<Bar>& bars) {
  Placing placing;
  std::array<std::uint64_t, most_depth> busy_until{};
  for (const Bar& bar : bars) {
    const auto earliest = std::min_element(busy_until.begin(), busy_until.end());
    auto free = std::find_if(busy_until.begin(), busy_until.end(), [&](auto until) { return until <= bar.start_ps; });
    if (free == busy_until.end()) free = earliest;  // then bars hide each other
    *free = std::max(*free, bar.end_ps);
    placing.level.push_back(static_cast<std::size_t>(free - busy_until.begin()));
    placing.depth = std::max(placing.depth, placing.level.back() + 1);
  }
  return placing;
}

/// Merged bars of one kind.
struct Layer {
  TimeColumns columns;
  std::string css;
  const char* what;
};

class Drawing {
 public:
  Drawing(const PacketTimeline& timeline, const HtmlName& name)
      : timeline_(timeline), name_(name), end_(timeline.end_ps()) {
    std::size_t merged_rows = 0;
    for (const PacketTimeline::Engine& engine : timeline.engines()) merged_rows += engine.running.merged() > 0 ? 1 : 0;
    for (const PacketTimeline::Queue& queue : timeline.queues()) merged_rows += merged_of(queue) > 0 ? 1 : 0;
    for (const PacketTimeline::Worker& worker : timeline.workers()) merged_rows += worker.tasks.merged() > 0 ? 1 : 0;
    windows_per_row_ = std::min<std::size_t>(50, most_windows / std::max<std::size_t>(1, merged_rows));
    choose_named();
  }

  std::string html() {
    y_ = axis_height;
    add_heading("Engines");
    for (const PacketTimeline::Engine& engine : timeline_.engines()) add(engine);
    add_left_out(timeline_.engines_left_out(), "engines");
    add_heading("Queues");
    for (const PacketTimeline::Queue& queue : timeline_.queues()) add(queue);
    add_left_out(timeline_.queues_left_out(), "queues");
    if (!timeline_.workers().empty()) add_heading("Background");
    for (const PacketTimeline::Worker& worker : timeline_.workers()) add(worker);
    add_left_out(timeline_.workers_left_out(), "workers");
    y_ += gap / 2;
    return fmt::format(
        "<div class=\"timeline\"><div class=\"names\" style=\"height:{0}px\">\n{1}</div>\n"
        "<div class=\"plot\"><svg height=\"{0}\" role=\"img\" aria-label=\"timeline\">\n{2}{3}</svg></div></div>\n",
        y_, names_, ticks(), svg_);
  }

 private:
  static std::uint64_t merged_of(const PacketTimeline::Queue& queue) {
    return queue.running.merged() + queue.fence.merged() + queue.node.merged() + queue.preempted.merged();
  }

  /// The shortest length whose bars may show their name, so that no more than most_names do, or as many more as there
  /// are bars missing to the most that a timeline may have.
  void choose_named() {
    std::vector<std::uint64_t> lengths;
    std::size_t bars = 0;
    const auto collect = [&](const BarLane& lane) {
      bars += lane.bars().size();
      for (const Bar& bar : lane.bars()) lengths.push_back(bar.end_ps - bar.start_ps);
    };
    for (const PacketTimeline::Engine& engine : timeline_.engines()) collect(engine.running);
    for (const PacketTimeline::Queue& queue : timeline_.queues()) {
      collect(queue.running);
      bars += queue.fence.bars().size() + queue.node.bars().size() + queue.preempted.bars().size() +
              queue.signals.bars().size();
    }
    for (const PacketTimeline::Worker& worker : timeline_.workers()) collect(worker.tasks);
    std::sort(lengths.rbegin(), lengths.rend());
    const std::size_t most = most_names + PacketTimeline::most_bars - std::min(bars, PacketTimeline::most_bars);
    named_from_ps_ = lengths.size() > most ? lengths[most] + 1 : 1;
  }

  /// The narrowest plot, in its usual width, in which the bar has room for its name or much of it; 0 if none has.
  unsigned zoom_for_name(const Bar& bar, const std::string& text) const {
    if (bar.end_ps - bar.start_ps < named_from_ps_) return 0;
    const double share = static_cast<double>(bar.end_ps - bar.start_ps) / static_cast<double>(end_);
    const double enough = std::min(60.0, 10 + 6.6 * static_cast<double>(text.size()));  // pixels
    for (const unsigned zoom : {1U, 4U, 16U}) {
      if (share * 1050 * zoom >= enough) return zoom;
    }
    return 0;
  }

  void add_heading(const char* text) {
    names_ += fmt::format("<h3 style=\"top:{}px\">{}</h3>\n", y_, text);
    y_ += heading_height;
  }

  void add_left_out(std::size_t count, const char* what) {
    if (count == 0) return;
    names_ += fmt::format("<div class=\"muted\" style=\"top:{}px;height:{}px\">+ {} {} not drawn</div>\n", y_,
                          bar_height, with_commas(count), what);
    y_ += bar_height + gap;
  }

  /// Names the row and draws what lies behind its bars.
  void begin_row(const std::string& text, unsigned height) {
    names_ +=
        fmt::format("<div style=\"top:{}px;height:{}px\" title=\"{}\"><span>{}</span></div>\n", y_, height, text, text);
    svg_ += fmt::format("<rect class=\"row\" y=\"{}\" width=\"100%\" height=\"{}\"/>\n", y_ - gap / 2, height + gap);
  }

  void add(const PacketTimeline::Engine& engine) {
    const Placing placing = place(engine.running.bars());
    const std::size_t depth = placing.depth;
    const unsigned level_height = depth == 1 ? bar_height : depth == 2 ? 12 : depth <= 6 ? 8 : 5;
    const auto height = static_cast<unsigned>(depth) * level_height;
    begin_row(name_(engine.track), height);
    std::vector<Layer> layers;
    for (std::uint32_t colour = 0; colour < BarLane::colours; ++colour) {
      const TimeColumns& columns = engine.running.columns()[colour];
      if (!columns.columns().empty()) layers.push_back({columns, fmt::format("q{}", colour), "running"});
    }
    add_layers(layers, height);
    for (std::size_t i = 0; i < placing.level.size(); ++i) {
      add_running(engine.running.bars()[i], y_ + static_cast<unsigned>(placing.level[i]) * level_height, level_height);
    }
    y_ += height + gap;
  }

  void add(const PacketTimeline::Queue& queue) {
    begin_row(name_(queue.context), bar_height);
    const std::string running = fmt::format("q{}", queue.colour);
    std::vector<Layer> layers;
    const std::pair<const BarLane*, Layer> kinds[] = {{&queue.running, {{}, running, "running"}},
                                                      {&queue.node, {{}, "node", "waiting for the engine"}},
                                                      {&queue.preempted, {{}, "preempted", "preempted"}},
                                                      {&queue.fence, {{}, "fence", "waiting on a fence"}}};
    for (const auto& [lane, layer] : kinds) {
      if (lane->merged() > 0) layers.push_back({lane->columns()[queue.colour], layer.css, layer.what});
    }
    add_layers(layers, bar_height);
    const unsigned wait_y = y_ + (bar_height - wait_height) / 2;
    for (const Bar& bar : queue.node.bars()) {
      add_bar(bar, "node", wait_y, wait_height,
              fmt::format("{} waits for {}\n{}", name_(bar.packet.label), name_(bar.packet.node), times_of(bar)));
    }
    for (const Bar& bar : queue.preempted.bars()) {
      add_bar(bar, "preempted", wait_y, wait_height,
              fmt::format("{} is preempted\n{}", name_(bar.packet.label), times_of(bar)));
    }
    for (const Bar& bar : queue.fence.bars()) {
      add_bar(bar, "fence", wait_y, wait_height,
              bar.packet.type == PacketType::wait
                  ? fmt::format("waits until fence {} reaches {}\n{}", name_(bar.packet.label), bar.packet.fence_value,
                                times_of(bar))
                  : fmt::format("{} waits on a fence\n{}", name_(bar.packet.label), times_of(bar)));
    }
    for (const Bar& bar : queue.running.bars()) add_running(bar, y_, bar_height);
    for (const Bar& bar : queue.signals.bars()) {
      svg_ += fmt::format(
          "<rect class=\"signal\" x=\"{}%\" y=\"{}\" width=\"2\" height=\"{}\"><title>signals fence {}"
          " = {}\nat {} \u00b5s</title></rect>\n",
          x_of(bar.start_ps), y_ + bar_height - 6, 10, name_(bar.packet.label), bar.packet.fence_value,
          microseconds(bar.start_ps));
    }
    y_ += bar_height + gap;
  }

  void add(const PacketTimeline::Worker& worker) {
    begin_row(name_(worker.track), bar_height);
    std::vector<Layer> layers;
    if (worker.tasks.merged() > 0) layers.push_back({worker.tasks.columns()[0], "task", "background tasks"});
    add_layers(layers, bar_height);
    for (const Bar& bar : worker.tasks.bars()) {
      add_named(
          bar, "task", y_, bar_height,
          fmt::format("background task {}: {}\non {}\nstart {} \u00b5s\nduration {} \u00b5s{}", bar.packet.id,
                      name_(bar.packet.label), name_(worker.track), microseconds(bar.start_ps),
                      microseconds(bar.end_ps - bar.start_ps), bar.packet.completed_ps == 0 ? ", not finished" : ""));
    }
    y_ += bar_height + gap;
  }

  void add_running(const Bar& bar, unsigned y, unsigned height) {
    add_named(bar, fmt::format("q{}", bar.colour), y, height, tip_of(bar));
  }

  /// A bar with its name on it where there is room.
  void add_named(const Bar& bar, const std::string& css, unsigned y, unsigned height, const std::string& tip) {
    add_bar(bar, css, y, height, tip);
    const std::string text = name_(bar.packet.label);
    const unsigned zoom = height < 12 ? 0 : zoom_for_name(bar, text);
    if (zoom == 0) return;
    // An SVG of its own cuts the name off at the end of the bar.
    svg_ += fmt::format(
        "<svg x=\"{}%\" y=\"{}\" width=\"{}%\" height=\"{}\"><text class=\"n{}\" x=\"5\" y=\"{}\">{}</text></svg>\n",
        x_of(bar.start_ps), y, x_of(bar.end_ps - bar.start_ps), height, zoom, height / 2 + 4, text);
  }

  void add_bar(const Bar& bar, const std::string& css, unsigned y, unsigned height, const std::string& tip) {
    svg_ +=
        fmt::format("<rect class=\"bar {}\" x=\"{}%\" y=\"{}\" width=\"{}%\" height=\"{}\"><title>{}</title></rect>\n",
                    css, x_of(bar.start_ps), y, x_of(bar.end_ps - bar.start_ps), height, tip);
  }

  /// Merged bars, one layer upon the other: a full column means that all its time was covered. Any time is visible.
  void add_layers(std::vector<Layer>& layers, unsigned height) {
    if (layers.empty()) return;
    std::uint64_t width = 1;
    for (const Layer& layer : layers) width = std::max(width, layer.columns.width_ps());
    while ((end_ - 1) / width >= TimeColumns::most) width *= 2;
    for (Layer& layer : layers) layer.columns.widen(width);
    __extension__ using Wide = unsigned __int128;
    const auto columns_in_run = static_cast<std::uint64_t>(static_cast<Wide>(end_) * 1000 / width);
    svg_ += fmt::format(
        "<svg y=\"{}\" width=\"100%\" height=\"{}\" viewBox=\"0 0 {}.{:03} 100\" preserveAspectRatio=\"none\">\n", y_,
        height, columns_in_run / 1000, columns_in_run % 1000);
    std::vector<std::uint64_t> below(TimeColumns::most, 0);  // percent already covered by the layers underneath
    for (const Layer& layer : layers) {
      svg_ += fmt::format("<path class=\"{}\" d=\"", layer.css);
      std::size_t from = 0;
      std::uint64_t low = 0;
      std::uint64_t high = 0;
      const auto close_run = [&](std::size_t to) {
        if (high > low) svg_ += fmt::format("M{} {}h{}v{}h-{}z", from, 100 - high, to - from, high - low, to - from);
      };
      for (std::size_t i = 0; i < TimeColumns::most; ++i) {
        const std::uint64_t covered = layer.columns.columns()[i].covered_ps;
        const auto percent_of_width = static_cast<std::uint64_t>(static_cast<Wide>(covered) * 100 / width);
        const std::uint64_t share = covered == 0 ? 0 : std::max(least_share, percent_of_width);
        const std::uint64_t next_low = below[i];
        const std::uint64_t next_high = std::min<std::uint64_t>(100, below[i] + share);
        if (next_low != low || next_high != high) {
          close_run(i);
          from = i;
          low = next_low;
          high = next_high;
        }
        below[i] = next_high;
      }
      close_run(TimeColumns::most);
      svg_ += "\"/>\n";
    }
    svg_ += "</svg>\n";
    add_windows(layers, width, height);
  }

  /// Invisible, with a tooltip that says what was merged there.
  void add_windows(const std::vector<Layer>& layers, std::uint64_t width, unsigned height) {
    const std::size_t used = static_cast<std::size_t>((end_ - 1) / width) + 1;
    const std::size_t columns = (used + windows_per_row_ - 1) / windows_per_row_;
    for (std::size_t from = 0; from < used; from += columns) {
      const std::size_t to = std::min(used, from + columns);
      const std::uint64_t start = from * width;
      const std::uint64_t end = to == used ? end_ : to * width;
      std::string tip = fmt::format("{} .. {} \u00b5s, merged bars:", microseconds(start), microseconds(end));
      std::uint64_t total = 0;
      std::vector<std::pair<const char*, TimeColumns::Column>> sums;  // by kind: engines have a layer for each colour
      for (const Layer& layer : layers) {
        if (sums.empty() || sums.back().first != layer.what) sums.emplace_back(layer.what, TimeColumns::Column{});
        for (std::size_t i = from; i < to; ++i) {
          sums.back().second.starts += layer.columns.columns()[i].starts;
          sums.back().second.covered_ps += layer.columns.columns()[i].covered_ps;
        }
      }
      for (const auto& [what, sum] : sums) {
        total += sum.starts + sum.covered_ps;
        tip += fmt::format("\n{}: {} begin, {} \u00b5s in all", what, with_commas(sum.starts),
                           microseconds(sum.covered_ps));
      }
      if (total == 0) continue;
      svg_ += fmt::format(
          "<rect class=\"window\" x=\"{}%\" y=\"{}\" width=\"{}%\" height=\"{}\"><title>{}</title></rect>\n",
          x_of(start), y_, x_of(end - start), height, tip);
    }
  }

  /// A group of ticks for each width of the plot. The style shows the one that leaves room for its texts.
  std::string ticks() const {
    std::string result;
    const TimeUnit unit = unit_for(end_);
    for (const unsigned count : {4U, 12U, 48U, 192U}) {
      result += fmt::format("<g class=\"ticks t{}\">\n", count);
      const std::uint64_t step = step_for(end_ / count);
      for (std::uint64_t at = 0;; at += step) {
        const std::string x = x_of(at);
        result += fmt::format("<rect x=\"{}%\" width=\"1\" height=\"100%\"/>", x);
        if (end_ - at >= end_ / count / 4 * 3) {
          result += fmt::format("<text x=\"{}%\" dx=\"5\" y=\"14\">{}</text>", x, time_text(at, unit));
        }
        if (end_ - at < step) break;
      }
      result += "\n</g>\n";
    }
    return result;
  }

  /// 1, 2 or 5 times a power of ten, at least this long.
  static std::uint64_t step_for(std::uint64_t shortest_ps) {
    std::uint64_t power = 1;
    while (shortest_ps / power >= 10) power *= 10;
    for (const std::uint64_t times : {1, 2, 5}) {
      if (power * times >= shortest_ps) return power * times;
    }
    return power * 10;
  }

  std::string x_of(std::uint64_t ps) const { return percent(ps, end_, 4); }

  static std::string times_of(const Bar& bar) {
    return fmt::format("{} .. {} \u00b5s: {} \u00b5s", microseconds(bar.start_ps), microseconds(bar.end_ps),
                       microseconds(bar.end_ps - bar.start_ps));
  }

  std::string tip_of(const Bar& bar) const {
    const PacketRecord& packet = bar.packet;
    std::string tip = fmt::format("{}\npacket {}", name_(packet.label), packet.id);
    if (packet.context != LogName{}) tip += fmt::format(" of {}", name_(packet.context));
    if (packet.node != LogName{}) tip += fmt::format(" on {}", name_(packet.node));
    if (packet.status != PacketStatus::completed) tip += fmt::format(", {}", name_of(packet.status));
    tip += fmt::format("\nstart {} \u00b5s\nend {} \u00b5s", microseconds(bar.start_ps), microseconds(bar.end_ps));
    if (packet.context == LogName{}) return tip + "\nnot completed";
    tip +=
        fmt::format("\nqueued {} \u00b5s\nfence {} \u00b5s\nnode {} \u00b5s\nrunning {} \u00b5s",
                    microseconds(packet.head_ps - packet.submitted_ps), microseconds(packet.ready_ps - packet.head_ps),
                    microseconds(packet.started_ps - packet.ready_ps),
                    microseconds(packet.finished_ps - packet.started_ps - packet.preempted_ps));
    if (packet.preempted_ps != 0) tip += fmt::format("\npreempted {} \u00b5s", microseconds(packet.preempted_ps));
    if (packet.preemptions != 0) tip += fmt::format("\npreempted {} times", packet.preemptions);
    return tip;
  }

  const PacketTimeline& timeline_;
  const HtmlName& name_;
  std::uint64_t end_;
  std::uint64_t named_from_ps_ = 0;
  std::size_t windows_per_row_ = 0;
  unsigned y_ = 0;
  std::string names_;
  std::string svg_;
};

}  // namespace

std::string html_of(const PacketTimeline& timeline, const HtmlName& name) {
  if (timeline.end_ps() == 0) return "<p class=\"muted\">Nothing took time in this run.</p>\n";
  return Drawing(timeline, name).html();
}

}  // namespace fenceline
