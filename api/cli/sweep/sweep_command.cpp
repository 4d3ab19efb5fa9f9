// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/sweep/results_file.hpp"
#include "api/cli/sweep/sweep_directory.hpp"
#include "api/cli/sweep/sweep_page.hpp"
#include "api/cli/sweep/sweep_progress.hpp"
#include "api/cli/sweep/sweep_table.hpp"
#include "api/cli/sweep/sweep_worker.hpp"
#include "api/cli/sweep/worker_pool.hpp"
#include "api/sweep/played_point.hpp"
#include "api/sweep/sweep_file.hpp"
#include "api/version.hpp"
#include "api/workload/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace fenceline::cli {
namespace {

constexpr std::uint64_t most_rows = 200;  // of the table on standard output

/// The sweep that a file says, if it is one: else a workload's document, whose faults its reader tells.
std::optional<Sweep> sweep_in(const std::string& file) {
  try {
    const nlohmann::json document = load_json(file);
    if (!is_sweep(document)) return std::nullopt;
    return read_sweep(document, file);
  } catch (const ConfigError& error) {
    if (error.pointer().empty() && error.expected() != "a JSON document") return std::nullopt;
    throw;
  }
}

Sweep sweep_of(const SweepArguments& arguments) {
  Sweep sweep;
  std::optional<Sweep> said;
  if (arguments.files.size() == 1) said = sweep_in(arguments.files[0]);
  if (said) {
    sweep = *said;
  } else {
    sweep.name = "sweep_" + std::filesystem::path(arguments.files[0]).stem().string();
    sweep.workloads = arguments.files;
  }
  if (!arguments.machines.empty()) sweep.machines = arguments.machines;
  sweep.set.insert(sweep.set.end(), arguments.sets.begin(), arguments.sets.end());
  for (const std::string& varied : arguments.varied) sweep.axes.push_back(axis_in(varied));
  if (!arguments.metrics.empty()) sweep.metrics = arguments.metrics;
  if (!arguments.outputs.empty()) sweep.outputs = {arguments.outputs};
  if (arguments.limit_us > 0) sweep.limit_us = arguments.limit_us;
  // What was said on the command line is held against the same rules.
  return read_config<Sweep>(dump_config(sweep), said ? arguments.files[0] : "fenceline sweep");
}

/// Where the results go. A sweep may be a stranger's: its name leads nowhere else.
std::filesystem::path directory_for(const Sweep& sweep, const std::string& out, const std::string& file) {
  if (!out.empty()) return out;
  if (sweep.name.empty() || sweep.name[0] == '.' ||
      sweep.name.find_first_of(std::string("/\0", 2)) != std::string::npos) {
    throw ConfigError(file, "/name", "a name that can be a directory's, or --out", in_quotes(sweep.name));
  }
  return std::filesystem::path("runs") / sweep.name;
}

/// FNV-1a, of 64 bits.
std::uint64_t hash_of(const std::string& text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// What results have to be of, for this sweep to go on with them: this version, these runs, these files.
std::string identity_of(const SweepPlan& plan) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const Sweep& sweep = plan.sweep();
  const std::vector<std::string> own = {""};
  for (const std::string& workload : sweep.workloads) {
    for (const std::string& machine : sweep.machines.empty() ? own : sweep.machines) {
      const LoadedWorkload loaded = load_workload(workload, machine, {});
      hash = hash_of(dump_config(loaded.workload).dump(), hash);
      hash = hash_of(dump_config(loaded.machine).dump(), hash);
    }
  }
  return fmt::format("{{\"fenceline\":\"{}\",\"files\":\"{:016x}\",\"sweep\":{}}}", version, hash,
                     dump_config(sweep).dump());
}

/// Plays what has no row yet, in worker processes.
void play_all(const SweepPlan& plan, const std::filesystem::path& directory, unsigned jobs, bool quiet,
              ResultsFile& results) {
  std::uint64_t next = 0;
  SweepProgress progress(plan.runs(), results.done(), quiet);
  WorkerPool::Client client;
  client.next = [&]() -> std::optional<std::uint64_t> {
    while (next < plan.runs() && results.has(next)) ++next;
    if (next == plan.runs()) return std::nullopt;
    return next++;
  };
  client.did = [&](std::uint64_t run, const std::string& answer) { results.add(outcome_in(answer, run)); };
  client.lost = [&](std::uint64_t run, const std::string& why) { results.add({run, "crashed", why, {}}); };
  client.tick = [&] { progress.show(results.done(), results.failed()); };
  WorkerPool({{own_program(), "sweep", "--worker"}, greeting_of(plan, directory), jobs}).run(client);
}

}  // namespace

int sweep(const SweepArguments& arguments) {
  if (arguments.worker) return work_for_sweep();
  const Sweep wanted = sweep_of(arguments);
  const SweepPlan plan(wanted, arguments.files.size() == 1 ? arguments.files[0] : "fenceline sweep");
  check_sweep(plan);
  const std::filesystem::path out = directory_for(wanted, arguments.out, plan.file());
  SweepDirectory directory(out, arguments.resume);
  ResultsFile results(directory.path() / ResultsFile::name, plan, identity_of(plan));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  play_all(plan, directory.path(), arguments.jobs == 0 ? cores : arguments.jobs, arguments.quiet, results);
  results.finish();
  write_results_csv(directory.path() / "results.csv", plan, results);
  write_sweep_page(directory.path() / "sweep.html", plan, results);
  directory.finish();
  if (!arguments.quiet) {
    console::print(table_of(plan, results, most_rows));
    console::print("files        {}: {} results.csv sweep.html\n", out.string(), ResultsFile::name);
  }
  if (results.failed() == 0) return done;
  console::tell("{} of {} runs failed: their rows say why\n", results.failed(), plan.runs());
  return model_failed;
}

}  // namespace fenceline::cli
