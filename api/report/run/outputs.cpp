// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/outputs.hpp"

#include "api/report/events/markers_sink.hpp"
#include "api/report/frames.hpp"
#include "api/report/packets.hpp"
#include "api/report/perfetto/perfetto.hpp"
#include "api/report/preemptions.hpp"
#include "api/report/recoveries.hpp"
#include "api/report/run/paging.hpp"
#include "api/report/text.hpp"
#include "api/report/vcd/vcd.hpp"
#include "api/version.hpp"
#include "sim/config/nearest_name.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace fenceline {
namespace {

/// Of a sink that needs its file alone.
template <class Sink>
std::unique_ptr<LogSink> plain(OutputFile& file, const RunFacts&) {
  return std::make_unique<Sink>(file);
}

std::unique_ptr<LogSink> perfetto(OutputFile& file, const RunFacts& facts) {
  return std::make_unique<PerfettoSink>(file, facts.deadlines);
}

std::unique_ptr<LogSink> vcd(OutputFile& file, const RunFacts& facts) {
  return std::make_unique<VcdSink>(file, facts.initial, facts.deadlines);
}

std::unique_ptr<LogSink> html(OutputFile& file, const RunFacts& facts) {
  const HtmlHeading heading{
      facts.workload, facts.machine,
      version,        {"adapter.scheduler.", "adapter.fences.", "adapter.background.", "adapter."},
      facts.tables,   facts.deadlines};
  return std::make_unique<HtmlSink>(file, facts.stats, heading);
}

}  // namespace

const std::vector<OutputRow>& outputs() {
  static const std::vector<OutputRow> all = {
      {"trace.json", nullptr, "packets and batches of commands on their engines; opens in https://ui.perfetto.dev",
       perfetto},
      {"packets.csv", nullptr, "a row per queue packet: its time stamps, and what it waited for", plain<PacketsSink>},
      {"preemptions.csv", nullptr, "a row per request to preempt: who gave way to whom, and what it took",
       plain<PreemptionsSink>},
      {"frames.csv", nullptr, "a row per frame of a swap chain: when it was read, presented, ready and on screen",
       plain<FramesSink>},
      {"recovery.csv", nullptr, "a row per step after a timeout or page fault: who was reset, aborted and removed",
       plain<RecoveriesSink>},
      {"paging.csv", nullptr, "a row per resource that moved between video memory and system memory",
       plain<PagingSink>},
      {"markers.csv", nullptr, "a row per region of markers (PIX events): when the GPU was in it, and its path",
       plain<MarkersSink>},
      {"log.txt", nullptr, "the same events as text", plain<TextSink>},
      {"waves.vcd", "vcd", "engines, queues, fences, deadlines and background workers as signals, for GTKWave", vcd},
      {"timeline.html", "html", "the run as a picture to zoom into, and its statistics, on one page", html},
  };
  return all;
}

std::string_view output_name(const OutputRow& output) {
  if (output.key != nullptr) return output.key;
  const std::string_view file = output.file;
  return file.substr(0, file.find('.'));
}

std::vector<std::string_view> output_names() {
  std::vector<std::string_view> names{report_output};
  for (const OutputRow& output : outputs()) names.push_back(output_name(output));
  names.push_back(accesses_output);
  return names;
}

namespace {

std::string without_blanks(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

OutputKeys output_names_in(const std::string& text, const std::string& file, const std::string& pointer) {
  const std::vector<std::string_view> known = output_names();
  OutputKeys names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string name = without_blanks(text.substr(at, comma - at));
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::string near = nearest_name(name, {known.begin(), known.end()});
      throw ConfigError(file, pointer, fmt::format("one or several of {}", fmt::join(known, ", ")),
                        in_quotes(name) + (near.empty() ? "" : fmt::format(" (did you mean {}?)", in_quotes(near))));
    }
    names.insert(*found);
    at = comma + 1;
  }
  return names;
}

std::vector<OutputRow> outputs_of(const OutputKeys& asked, const std::optional<OutputKeys>& only) {
  std::vector<OutputRow> chosen;
  std::copy_if(outputs().begin(), outputs().end(), std::back_inserter(chosen), [&](const OutputRow& output) {
    if (only) return only->count(output_name(output)) > 0;
    return output.key == nullptr || asked.count(output.key) > 0;
  });
  return chosen;
}

bool wants(std::string_view name, const std::optional<OutputKeys>& only) { return !only || only->count(name) > 0; }

}  // namespace fenceline
