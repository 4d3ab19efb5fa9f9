// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/core/run_output.hpp"

#include "api/report/run/run_creation.hpp"
#include "api/report/run/run_display.hpp"
#include "api/report/run/run_files.hpp"
#include "api/report/run/run_residency.hpp"
#include "api/version.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "sim/config/config.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>

namespace fenceline::d3d12 {
namespace {

/// The outputs that are not finished: the process's exit finishes them.
struct Unfinished {
  std::mutex mutex;
  std::vector<RunOutput*> outputs;
};

Unfinished& unfinished() {
  static auto* const all = new Unfinished;  // devices may outlive static objects
  return *all;
}

/// What FENCELINE_OUT says; empty without it.
std::filesystem::path named_directory() {
  const char* const named = std::getenv("FENCELINE_OUT");
  return named != nullptr ? named : "";
}

/// Outputs for which a variable of the environment asks, such as FENCELINE_HTML=1.
OutputKeys asked_outputs() {
  OutputKeys asked;
  for (const OutputRow& output : outputs()) {
    if (output.key == nullptr) continue;
    std::string variable = fmt::format("FENCELINE_{}", output.key);
    for (char& letter : variable) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    const char* const value = std::getenv(variable.c_str());
    if (value != nullptr && std::string_view(value) == "1") asked.insert(output.key);
  }
  return asked;
}

}  // namespace

std::unique_ptr<RunOutput> RunOutput::for_environment(Machine& machine) {
  return named_directory().empty() ? nullptr : std::make_unique<RunOutput>(machine);
}

RunOutput::RunOutput(Machine& machine) : machine_(machine) {}

void RunOutput::begin() {
  if (begun_) return;
  begun_ = true;
  static std::atomic<unsigned> devices{0};
  const unsigned number = ++devices;
  std::filesystem::path directory = named_directory();
  if (!directory.has_filename()) directory = directory.parent_path();  // "out/"
  if (number > 1) directory += fmt::format("-{}", number);
  try {
    open(directory);
  } catch (const std::exception& error) {
    stop_listening();
    console::tell("fenceline: FENCELINE_OUT: {}\n", error.what());
  }
}

void RunOutput::open(const std::filesystem::path& directory) {
  EventLog& log = machine_.log();
  // No call of the program's may throw: what cannot be written is told when the run is finished.
  constexpr OutputBudget budget{RunFiles::usual_limit_bytes, 0, true};
  log.attach(stats_, EventLog::Detail::packets);
  log.attach(preemption_, EventLog::Detail::packets);
  files_ =
      std::make_unique<RunFiles>(directory, log, EventLog::Detail::commands, budget, asked_outputs(),
                                 RunFacts{stats_, program_invocation_short_name, machine_.config().name, [this] {
                                            std::vector<HtmlTable> tables = html_tables_of(background());
                                            for (HtmlTable& one : html_tables_of(machine_.creation_statistics())) {
                                              tables.push_back(std::move(one));
                                            }
                                            for (HtmlTable& one : html_tables_of(swap_chains_of(machine_.display()),
                                                                                 torn_outputs_of(machine_.display()))) {
                                              tables.push_back(std::move(one));
                                            }
                                            return tables;
                                          }});
  directory_ = directory;
  [[maybe_unused]] static const int registered = std::atexit(finish_all);
  const std::lock_guard<std::mutex> lock(unfinished().mutex);
  unfinished().outputs.push_back(this);
}

RunOutput::~RunOutput() { finish(); }

void RunOutput::note(D3D12_MESSAGE_SEVERITY severity, const std::string& text) {
  const std::lock_guard<std::mutex> lock(notes_mutex_);
  const bool warns = severity <= D3D12_MESSAGE_SEVERITY_WARNING;
  notes_.push_back({warns ? Severity::warning : Severity::info, Host::clock_ps(), text});
}

void RunOutput::finish() {
  const Host::Lock lock = Host::instance().lock();  // first, as in `begin`
  const std::lock_guard<std::mutex> guard(unfinished().mutex);
  auto& outputs = unfinished().outputs;
  const auto self = std::find(outputs.begin(), outputs.end(), this);
  if (self == outputs.end()) return;
  outputs.erase(self);
  close(lock);
}

void RunOutput::finish_all() {
  Host::Lock lock = Host::instance().try_lock();
  // A thread that simulates for ever must not hold up the exit.
  for (int tries = 0; tries < 100 && !lock.owns_lock(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    lock = Host::instance().try_lock();
  }
  if (!lock.owns_lock()) {
    console::tell("fenceline: FENCELINE_OUT: the process exits while a thread simulates: no directory\n");
    return;
  }
  const std::lock_guard<std::mutex> guard(unfinished().mutex);
  for (RunOutput* output : unfinished().outputs) output->close(lock);
  unfinished().outputs.clear();
}

void RunOutput::close(const Host::Lock&) {
  try {
    write();
  } catch (const std::exception& error) {
    console::tell("fenceline: FENCELINE_OUT: {}\n", error.what());
  }
  stop_listening();
}

void RunOutput::stop_listening() {
  files_.reset();
  machine_.log().detach(stats_);
  machine_.log().detach(preemption_);
}

BackgroundByProcess RunOutput::background() const { return with_something_to_tell(machine_.background_statistics()); }

void RunOutput::write() {
  EventLog& log = machine_.log();
  const std::uint64_t end_ps = machine_.now_ps();
  {
    const std::lock_guard<std::mutex> lock(notes_mutex_);
    for (const Note& note : notes_) log.message({note.severity, log.name("d3d12"), note.at_ps, note.text});
  }
  const std::vector<std::string> deadlock = machine_.deadlock();
  for (const std::string& line : deadlock) {
    log.message({Severity::warning, log.name("adapter.scheduler"), end_ps, line});
  }
  const RunPreemption preemption = preemption_of(machine_, preemption_, stats_);
  machine_.log_screen();
  log.finish(end_ps);

  nlohmann::ordered_json report;
  report["fenceline"] = version;
  report["workload_name"] = program_invocation_short_name;
  report["machine_name"] = machine_.config().name;
  auto& statistics = report["statistics"];
  statistics =
      common_statistics(machine_.outstanding() == 0, deadlock, end_ps, stats_, preemption, machine_.preemption_caps());
  for (std::size_t i = 0; i < machine_.fences().count(); ++i) {
    const auto fence = static_cast<FenceId>(i);
    if (machine_.fences().freed(fence)) continue;  // before the output began
    statistics["fences"].push_back(fence_statistics(machine_.fences().name_of(fence), machine_, fence));
  }
  if (const auto told = background(); !told.empty()) statistics["background_processing"] = json_of(told);
  if (const auto told = machine_.creation_statistics(); !told.empty()) statistics["pipeline_creation"] = json_of(told);
  if (machine_.display().count() > 0) {
    statistics["swap_chains"] = json_of(swap_chains_of(machine_.display()));
    statistics["outputs"] = json_of(torn_outputs_of(machine_.display()));
  }
  if (machine_.is_paging()) {
    statistics["residency"] =
        json_of(RunResidency{machine_.residency_statistics(), {{"", machine_.residency_statistics("")}}});
  }
  report["machine"] = dump_config(machine_.config());
  files_->commit(report);
  console::tell("fenceline: FENCELINE_OUT: the run is in {}\n", directory_.string());
}

}  // namespace fenceline::d3d12
