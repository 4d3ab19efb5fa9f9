// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"
#include "api/report/run/outputs.hpp"
#include "api/report/run/run_preemption.hpp"
#include "sim/files/output_file.hpp"
#include "sim/files/run_directory.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

class FastForward;

/// The files of a run directory and the sinks that fill them: what every run has, and what is asked for. Throws
/// OutputError.
class RunFiles {
 public:
  static constexpr std::uint64_t usual_limit_bytes = std::uint64_t{1} << 30;
  /// The sinks are attached to the log, or hear it by way of `fast_forward`; both must outlive the object.
  RunFiles(const std::filesystem::path& directory, EventLog& log, EventLog::Detail detail, const OutputBudget& budget,
           const OutputKeys& asked, const RunFacts& facts, FastForward* fast_forward = nullptr,
           const std::optional<OutputKeys>& only = std::nullopt);
  ~RunFiles();
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  /// A file that this run has besides, which commit() closes.
  OutputFile& also(const char* file);
  /// The run is over, and the log finished: writes report.json, if wanted, and puts the directory in its place.
  void commit(const nlohmann::ordered_json& report);

 private:
  struct Written {
    Written(const std::filesystem::path& path, OutputBudget& budget, const OutputRow& output, const RunFacts& facts);
    OutputFile file;
    std::unique_ptr<LogSink> sink;
  };
  EventLog& log_;
  FastForward* fast_forward_;
  bool report_;
  OutputBudget budget_;
  RunDirectory directory_;
  std::deque<Written> written_;  // deque: sinks know where their files are
  std::deque<OutputFile> besides_;
};

/// report.json's statistics as far as every run has them: completed (or the deadlock), end, engines, queues,
/// preemption.
nlohmann::ordered_json common_statistics(bool completed, const std::vector<std::string>& deadlock, std::uint64_t end_ps,
                                         const StatsSink& stats, const RunPreemption& preemption,
                                         const PreemptionCaps& caps);
/// One fence's entry in them.
nlohmann::ordered_json fence_statistics(const std::string& name, const Machine& machine, FenceId fence);

}  // namespace fenceline
