// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/machine.hpp"
#include "api/report/preemption_sink.hpp"
#include "api/report/run/run_background.hpp"
#include "api/report/run/run_preemption.hpp"

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

/// The run directory that a D3D12 program leaves for a device that has had a queue, as `fenceline run` does for a
/// workload: report.json and the outputs, those that not every run has where their variable is 1 (FENCELINE_HTML). It
/// is there when the device dies or the process exits, whichever comes first, and a line on stderr says where.
class RunOutput {
 public:
  /// Null unless FENCELINE_OUT names a directory.
  static std::unique_ptr<RunOutput> for_environment(Machine& machine);

  /// The machine must outlive the object.
  explicit RunOutput(Machine& machine);
  ~RunOutput();
  RunOutput(const RunOutput&) = delete;
  RunOutput& operator=(const RunOutput&) = delete;

  /// There is something to tell: the directory is the named one for the process's first device that comes here, with
  /// "-2", "-3" and so on behind its name for later ones; a line on stderr where it cannot be written. Nothing the
  /// second time. With the host's lock.
  void begin();
  /// A message of the debug layer, at the calling thread's time. Any thread, with or without the host's lock.
  void note(D3D12_MESSAGE_SEVERITY severity, const std::string& text);
  /// Writes the directory, the first time. Work that has not been done by now stays undone. Without the host's lock.
  void finish();
  /// Writes the directories of all that are not finished, at the process's exit; none, with a line on stderr, while a
  /// thread simulates for ever.
  static void finish_all();

 private:
  struct Note {
    Severity severity;
    std::uint64_t at_ps;
    std::string text;
  };
  void open(const std::filesystem::path& directory);
  void close(const Host::Lock& lock);
  void write();
  void stop_listening();
  BackgroundByProcess background() const;

  Machine& machine_;
  bool begun_ = false;
  std::filesystem::path directory_;
  StatsSink stats_;
  PreemptionSink preemption_;
  std::unique_ptr<RunFiles> files_;
  std::mutex notes_mutex_;
  std::vector<Note> notes_;  // the log is not for several threads: they go there in the end
};

}  // namespace fenceline::d3d12
