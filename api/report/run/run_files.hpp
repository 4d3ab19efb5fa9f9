// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "api/report/packets.hpp"
#include "api/report/perfetto/perfetto.hpp"
#include "api/report/preemptions.hpp"
#include "api/report/run/run_preemption.hpp"
#include "api/report/text.hpp"
#include "api/report/vcd/vcd.hpp"
#include "sim/files/output_file.hpp"
#include "sim/files/run_directory.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// The files of a run directory and the sinks that fill them: trace.json, packets.csv, preemptions.csv, log.txt, and
/// what is asked for. Throws OutputError.
class RunFiles {
 public:
  static constexpr std::uint64_t usual_limit_bytes = std::uint64_t{1} << 30;
  /// The sinks are attached to the log, which must outlive the object.
  RunFiles(const std::filesystem::path& directory, EventLog& log, EventLog::Detail detail, const OutputBudget& budget);
  ~RunFiles();
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  /// Also waves.vcd; also report.html, of statistics that are attached to the log already.
  void add_vcd();
  void add_html(const StatsSink& stats, HtmlHeading heading);

  /// The run is over, and the log finished: writes report.json and puts the directory in its place.
  void commit(const nlohmann::ordered_json& report);

 private:
  EventLog& log_;
  OutputBudget budget_;
  RunDirectory directory_;
  OutputFile trace_;
  OutputFile packets_;
  OutputFile preemptions_;
  OutputFile text_;
  std::optional<OutputFile> vcd_;
  std::optional<OutputFile> html_;
  PerfettoSink perfetto_sink_;
  PacketsSink packets_sink_;
  PreemptionsSink preemptions_sink_;
  TextSink text_sink_;
  std::optional<VcdSink> vcd_sink_;
  std::optional<HtmlSink> html_sink_;
};

/// report.json's statistics as far as every run has them: completed (or the deadlock), end, engines, queues,
/// preemption.
nlohmann::ordered_json common_statistics(bool completed, const std::vector<std::string>& deadlock, std::uint64_t end_ps,
                                         const StatsSink& stats, const RunPreemption& preemption,
                                         const PreemptionCaps& caps);
/// One fence's entry in them.
nlohmann::ordered_json fence_statistics(const std::string& name, const Machine& machine, FenceId fence);

}  // namespace fenceline
