// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/import_kineto.hpp"
#include "api/import/read_kineto.hpp"
#include "api/machine.hpp"
#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/play/player.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/support/temporary_directory.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// Writes a trace by hand. Times are microseconds.
class Trace {
 public:
  nlohmann::json& kernel(std::uint64_t stream, double start, double duration, std::uint64_t correlation = 0,
                         const std::string& name = "void app::kernel<int>(float*)", std::uint64_t groups = 264) {
    nlohmann::json& event = add("kernel", name, stream, start, duration, correlation);
    event["args"]["registers per thread"] = 32;
    event["args"]["shared memory"] = 0;
    event["args"]["grid"] = {groups, 1, 1};
    event["args"]["block"] = {256, 1, 1};
    return event;
  }
  nlohmann::json& memory(const std::string& name, std::uint64_t stream, double start, double duration,
                         std::uint64_t bytes, std::uint64_t correlation = 0) {
    nlohmann::json& event =
        add(name.rfind("Memset", 0) == 0 ? "gpu_memset" : "gpu_memcpy", name, stream, start, duration, correlation);
    event["args"]["bytes"] = bytes;
    return event;
  }
  void stream_wait(std::uint64_t stream, std::uint64_t correlation, std::uint64_t wait_on, std::uint64_t recorded) {
    nlohmann::json& event = add("cuda_sync", "Stream Wait Event", stream, 0, 0, correlation);
    event["args"]["wait_on_stream"] = wait_on;
    event["args"]["wait_on_cuda_event_record_corr_id"] = recorded;
  }
  nlohmann::json document() const { return {{"schemaVersion", 1}, {"traceEvents", events}}; }

  nlohmann::json events = nlohmann::json::array();

 private:
  nlohmann::json& add(const char* category, const std::string& name, std::uint64_t stream, double start,
                      double duration, std::uint64_t correlation) {
    nlohmann::json event = {{"ph", "X"}, {"cat", category}, {"name", name}, {"pid", 0}, {"ts", start}};
    event["dur"] = duration;
    event["args"] = {{"device", 0}, {"context", 1}, {"stream", stream}};
    if (correlation != 0) event["args"]["correlation"] = correlation;
    return events.emplace_back(std::move(event));
  }
};

inline KinetoTrace read_trace(const std::string& text) {
  const TemporaryDirectory directory;
  write_file(directory / "trace.json", text);
  KinetoTrace trace = read_kineto(directory / "trace.json");
  trace.file = "trace.json";
  return trace;
}

struct Imported {
  Workload workload;
  KinetoImport summary;
};

inline Imported import_text(const std::string& text, const MachineConfig& machine = builtin_machine("h200")) {
  Imported result;
  KinetoImporter importer(machine, result.workload);
  result.summary = importer.add(read_trace(text), "");
  result.workload.name = "imported";
  return result;
}
inline Imported import_trace(const Trace& trace) { return import_text(trace.document().dump()); }

/// When commands and lists of a workload ran, microseconds, in the order of their ends.
class Played : private LogSink {
 public:
  struct Interval {
    std::string name;
    std::string queue;  ///< of a list
    double start = 0;
    double end = 0;
    double length() const { return end - start; }
  };
  explicit Played(const Workload& workload, const MachineConfig& config = builtin_machine("h200")) {
    // What is played is what a file would hold.
    const auto read = read_config<Workload>(nlohmann::json(dump_config(workload)), "imported.json");
    const Program program = make_program(read, "imported.json");
    check_waits(program, "imported.json");
    check_machine(program, "imported.json", config);
    Machine machine(config);
    machine.log().attach(*this, EventLog::Detail::commands);
    Player player(machine, program);
    completed = player.play();
    end = static_cast<double>(machine.now_ps()) / 1e6;
  }
  bool completed = false;
  double end = 0;
  std::vector<Interval> commands;
  std::vector<Interval> lists;

 private:
  void span(const EventLog& log, const Span& span) override {
    if (span.kind != SpanKind::command) return;
    commands.push_back({std::string(log.text(span.name)), "", static_cast<double>(span.start_ps) / 1e6,
                        static_cast<double>(span.end_ps) / 1e6});
  }
  void packet(const EventLog& log, const PacketRecord& packet) override {
    if (packet.type != PacketType::render) return;
    lists.push_back({std::string(log.text(packet.label)), std::string(log.text(packet.context)),
                     static_cast<double>(packet.started_ps) / 1e6, static_cast<double>(packet.finished_ps) / 1e6});
  }
};

}  // namespace fenceline::testing
