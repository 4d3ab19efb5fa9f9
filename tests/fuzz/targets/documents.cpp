// SPDX-License-Identifier: Apache-2.0
// JSON documents: read, or refused in one line of the form that ConfigError promises.
#include "api/machine_document.hpp"
#include "api/sweep/sweep_file.hpp"
#include "api/sweep/sweep_plan.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/load_measured.hpp"
#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/program.hpp"
#include "api/workload/replay/single_queue.hpp"
#include "api/workload/replay/trim.hpp"
#include "api/workload/replay/work_order.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "tests/support/mutator.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace fenceline::testing {
namespace {

/// Of a file that the document names, which is not as it has to be.
bool is_of_another_file(const std::string& message) {
  const std::size_t whole = message.rfind(": /: expected ");
  return whole != std::string::npos && has_the_form(message, message.substr(0, whole));
}

/// `read` succeeds, or throws a ConfigError of the form.
template <class Read>
void read_or_refuse(Read&& read) {
  try {
    read();
  } catch (const ConfigError& error) {
    for (const ConfigError& one : error.each()) {
      const std::string message = one.what();
      const bool of_argument = message.rfind("--set: /", 0) == 0 || message.rfind("--vary: ", 0) == 0;
      const bool has_form = has_the_form(message) || is_of_another_file(message);
      if (!has_form && !of_argument) throw std::logic_error("form: " + message);
    }
  }
}

const MachineConfig& machine() {
  static const MachineConfig config = builtin_machine("h200");
  return config;
}

void check(const Workload& workload) {
  const Program program = make_program(workload, "x.json");
  check_waits(program, "x.json");
  check_machine(program, "x.json", machine());
}

/// What is made of a sound workload is sound.
void check_made(const Workload& workload, const char* what) {
  try {
    check(workload);
  } catch (const ConfigError& error) {
    throw std::logic_error(std::string(what) + ": " + error.what());
  }
}

/// On one queue, and from each of some points to each behind it. An order that fences which fall do not allow is
/// refused.
void replay(const Workload& workload) {
  constexpr std::uint64_t most_packets = 3000;
  if (packets_of(make_program(workload, "x.json")) > most_packets) return;
  check_made(on_single_queue(workload, "x.json"), "single queue");
  const WorkOrder order = order_of(workload, "x.json");
  const auto is_execute = [](const WorkEvent& event) { return event.kind == Step::Kind::execute; };
  const auto submits = static_cast<std::uint64_t>(std::count_if(order.events.begin(), order.events.end(), is_execute));
  for (std::uint64_t from = 0; from < submits; from += 1 + submits / 3) {
    for (std::uint64_t to = from + 1; to <= submits; to += 1 + submits / 3) {
      const ReplayRange range = {ReplayPoint{PointUnit::submit, from}, ReplayPoint{PointUnit::submit, to}};
      check_made(trimmed(workload, range, "x.json"), "trim");
    }
  }
}

void workload(std::string_view bytes) {
  read_or_refuse([&] {
    const auto read = read_config<Workload>(parse_json(bytes, "x.json"), "x.json");
    check(read);
    replay(read);
  });
}

void machine_file(std::string_view bytes) {
  read_or_refuse([&] {
    const MachineConfig config = MachineDocument(parse_json(bytes, "x.json"), "x.json", "").read({});
    const auto dump = dump_config(config);
    if (dump_config(read_config<MachineConfig>(dump, "x.json")) != dump) throw std::logic_error("another machine");
  });
}

/// Of a document, or the text of one `--vary`.
void sweep(std::string_view bytes) {
  read_or_refuse([&] {
    Sweep read;
    if (!bytes.empty() && bytes.front() == '{') {
      read = read_sweep(parse_json(bytes, "x.json"), "x.json");
    } else {
      read.workloads = {"w.json"};
      read.axes = {axis_in(std::string(bytes))};
      read = read_config<Sweep>(dump_config(read), "x.json");  // as the command does
    }
    const SweepPlan plan(read, "x.json");
    for (const std::uint64_t run : {std::uint64_t{0}, plan.runs() / 2, plan.runs() - 1}) {
      const SweepPoint point = plan.point(run);
      const bool is_it = plan.run_at(plan.places(run)) == run && point.values.size() == plan.axis_names().size();
      if (!is_it) throw std::logic_error("another run");
      plan.sets(point);
    }
  });
}

void measured(std::string_view bytes) {
  read_or_refuse([&] {
    const MeasuredFile file = fenceline::measured_file(parse_json(bytes, "x.json"), "x.json");
    for (const MeasuredKind& kind : measured_kinds()) {
      for (const PlannedCase& one : kind.plan({file, machine()})) {
        if (!one.plays.empty()) check(one.plays.front());
      }
    }
  });
}

/// The text of one `--set`. The documents are small: what an override costs grows with all that it does not touch.
void overrides(std::string_view bytes) {
  static const nlohmann::json of_scheduler = nlohmann::json::object();
  static const nlohmann::json of_workload = {{"name", "w"}, {"queues", {{{"name", "q"}, {"type", "direct"}}}}};
  const std::vector<std::string> sets = {std::string(bytes)};
  read_or_refuse([&] { read_with_overrides<SchedulerConfig>(of_scheduler, "x.json", sets); });
  read_or_refuse([&] { read_with_overrides<Workload>(of_workload, "x.json", sets); });
}

/// Files below a folder of the repository that end so, up to a size from which on a fuzzer gets slow.
std::vector<std::string> files(const char* folder, const std::string& end) {
  constexpr std::size_t most_bytes = 64 * 1024;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_directory() / folder)) {
    const std::string name = entry.path().filename().string();
    const bool ends_so = name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
    if (ends_so && name.find(".kineto.") == std::string::npos) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    texts.push_back(contents_of(path));
    if (texts.back().size() > most_bytes) texts.pop_back();
  }
  return texts;
}

std::vector<std::string> workload_seeds() {
  auto seeds = files("configs/workloads", ".json");
  seeds.emplace_back(small_workload_text);
  return seeds;
}

/// Short ones: what the machine that they are like costs is the same each time.
std::vector<std::string> like_seeds() {
  return {
      R"({"like":"h200","name":"n","memory":{"vram":{"gb_per_s":1}},"engines":{"3d":{"sm_count":2},"copy1":{"units":2}}})",
      R"({"like":"h200","engines":[{"type":"3d"}],"video_memory":{"dedicated_mib":1},"scheduler":{"policy":"fifo"}})",
      R"({"like":"absent"})"};
}

std::vector<std::string> sweep_seeds() {
  auto seeds = files("configs/sweeps", ".json");
  seeds.emplace_back(
      R"({"workloads":["w.json"],"machines":["h200"],"set":["/a=1"],"axes":[{"pointer":"/a/b","from":1,"to":8,"factor":2},)"
      R"({"pointer":"/c","name":"c","numbers":[1,2,3,4],"zip":true}],"metrics":["makespan_us","x=/a"],"limit_us":9})");
  for (const char* const vary : {"/a/b=1,2,3", "+n:/a=1..9+2", "/a=1e3..1e6*10", "/a={\"b\":[1,2]},\"c,d\""}) {
    seeds.emplace_back(vary);
  }
  return seeds;
}

std::vector<std::string> override_seeds() {
  return {"/policy=fifo",
          "/bands/normal/quantum_us=1e3",
          "/caps={\"preemption_aware\": false}",
          "/seed=18446744073709551615",
          "/queues/0/timeline/-={\"type\":\"signal\",\"fence\":\"f\",\"value\":1}",
          "/queues/-={\"name\":\"r\",\"type\":\"copy\"}",
          "/a~1b~0c=\"\"",
          "/name=x"};
}

}  // namespace

std::vector<FuzzTarget> document_targets() {
  return {{"workload", workload, workload_seeds},
          {"machine", machine_file, [] { return files("configs/machines", ".json"); }},
          {"like", machine_file, like_seeds},
          {"sweep", sweep, sweep_seeds},
          {"measured", measured, [] { return files("bench/hardware", ".json"); }},
          {"overrides", overrides, override_seeds}};
}

}  // namespace fenceline::testing
