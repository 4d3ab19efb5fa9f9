// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/host.hpp"
#include "api/machine.hpp"
#include "api/workload/run_preemption.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fenceline {
class RunFiles;
}

namespace fenceline::d3d12 {

/// The run directory that a D3D12 program leaves for a device, as `fenceline run` does for a workload: report.json,
/// trace.json, packets.csv, preemptions.csv and log.txt. It is there when the device dies or the process exits,
/// whichever comes first.
class RunOutput {
 public:
  /// Where FENCELINE_OUT names a directory: there for the process's first device, with "-2", "-3" and so on behind its
  /// name for later ones. Null without it; null and a line on stderr where the directory cannot be written.
  static std::unique_ptr<RunOutput> for_environment(Machine& machine);

  /// Throws OutputError. The machine must outlive the object.
  RunOutput(Machine& machine, const std::filesystem::path& directory);
  ~RunOutput();
  RunOutput(const RunOutput&) = delete;
  RunOutput& operator=(const RunOutput&) = delete;

  /// A message of the debug layer, at the calling thread's time. Any thread, with or without the host's lock.
  void note(D3D12_MESSAGE_SEVERITY severity, const std::string& text);
  /// Writes the directory, the first time. Work that has not been done by now stays undone. Without the host's lock.
  void finish();
  /// The same for all that are not finished, at the process's exit.
  static void finish_all();

 private:
  struct Note {
    Severity severity;
    std::uint64_t at_ps;
    std::string text;
  };
  void close(const Host::Lock& lock);
  void write();

  Machine& machine_;
  StatsSink stats_;
  PreemptionSink preemption_;
  std::unique_ptr<RunFiles> files_;
  std::mutex notes_mutex_;
  std::vector<Note> notes_;  // the log is not for several threads: they go there in the end
};

}  // namespace fenceline::d3d12
