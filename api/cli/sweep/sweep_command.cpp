// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/sweep/results_file.hpp"
#include "api/cli/sweep/said_sweep.hpp"
#include "api/cli/sweep/slurm/slurm_launcher.hpp"
#include "api/cli/sweep/sweep_directory.hpp"
#include "api/cli/sweep/sweep_page.hpp"
#include "api/cli/sweep/sweep_progress.hpp"
#include "api/cli/sweep/sweep_repetitions.hpp"
#include "api/cli/sweep/sweep_silent.hpp"
#include "api/cli/sweep/sweep_table.hpp"
#include "api/cli/sweep/workers/sweep_worker.hpp"
#include "api/cli/sweep/workers/worker_pool.hpp"
#include "api/sweep/coordinate_search.hpp"
#include "api/sweep/played_point.hpp"
#include "api/version.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fenceline::cli {
namespace {

constexpr std::uint64_t most_rows = 200;  // of the table on standard output

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

/// The workloads and machines of a sweep, as their files have them.
struct PlayedFiles {
  std::uint64_t hash = 0xcbf29ce484222325;
  ReportNames names = {{"queues", {}}, {"engines", {}}, {"deadlines", {}}};  ///< of what their reports have

  void add(const LoadedWorkload& loaded) {
    hash = hash_of(dump_config(loaded.workload).dump(), hash);
    hash = hash_of(dump_config(loaded.machine).dump(), hash);
    for (const DeadlineInfo& deadline : loaded.workload.deadlines) names["deadlines"].insert(deadline.name);
    const std::vector<std::string> nodes = node_names(loaded.machine.engines);
    for (std::uint32_t link = 0; link < loaded.machine.linked_adapters; ++link) {
      const std::string of_link = link == 0 ? "" : link_name(link) + ".";
      for (const std::string& node : nodes) names["engines"].insert(fmt::format("adapter.{}{}", of_link, node));
      names["queues"].insert(fmt::format("adapter.scheduler.{}paging", of_link));
      for (const QueueInfo& queue : loaded.workload.queues) {
        names["queues"].insert(fmt::format("adapter.scheduler.{}{}", of_link, queue.name));
      }
    }
  }
};

PlayedFiles files_of(const SweepPlan& plan) {
  PlayedFiles files;
  const Sweep& sweep = plan.sweep();
  const std::vector<std::string> own = {""};
  for (const std::string& workload : sweep.workloads) {
    for (const std::string& machine : sweep.machines.empty() ? own : sweep.machines) {
      files.add(load_workload(workload, machine, {}));
    }
  }
  return files;
}

/// Setting this may give a run other queues, engines or deadlines than its files have.
bool may_name(const std::string& pointer) {
  std::vector<std::string> tokens = split_pointer(pointer).value_or(std::vector<std::string>());
  if (!tokens.empty() && tokens[0] == "workload") tokens.erase(tokens.begin());
  if (tokens.empty() || tokens[0] == "linked_adapters") return true;
  if (tokens[0] != "queues" && tokens[0] != "engines" && tokens[0] != "deadlines") return false;
  return tokens.size() <= 2 || tokens.back() == "name" || tokens.back() == "type";
}

/// Its metrics ask for what its reports will have.
void check_metrics(const SweepPlan& plan, const ReportNames& names) {
  const Sweep& sweep = plan.sweep();
  const auto sets_name = [](const std::string& set) { return may_name(set.substr(0, set.find('='))); };
  const auto varies_name = [](const SweepAxis& axis) { return may_name(axis.pointer); };
  if (std::any_of(sweep.axes.begin(), sweep.axes.end(), varies_name)) return;
  if (std::any_of(sweep.set.begin(), sweep.set.end(), sets_name)) return;
  check_which(plan.metrics(), names, plan.file());
}

/// What results have to be of, for this sweep to go on with them: this version, these runs, these files.
std::string identity_of(const SweepPlan& plan, const PlayedFiles& files) {
  return fmt::format("{{\"fenceline\":\"{}\",\"files\":\"{:016x}\",\"sweep\":{}}}", version, files.hash,
                     dump_config(plan.sweep()).dump());
}

/// Worker processes, here or in Slurm's jobs, and where what they do goes.
struct Workshop {
  const SweepPlan& plan;
  std::filesystem::path directory;
  unsigned jobs;
  bool quiet;
  ResultsFile& results;
  SlurmLauncher* slurm;  ///< null: here
};

/// Plays those runs of a list that have no row yet: the list is `count` long, and `at` says what is there.
void play(const Workshop& shop, std::uint64_t count, const std::function<std::uint64_t(std::uint64_t)>& at) {
  ResultsFile& results = shop.results;
  const std::uint64_t before = results.done();
  const bool all = count == shop.plan.runs();
  SweepProgress progress(all ? count : before + count, before, shop.quiet, all);
  const auto tick = [&] { progress.show(results.done(), results.failed()); };
  const auto lost = [&](std::uint64_t run, const std::string& why) { results.add({run, "crashed", why, {}}); };
  if (shop.slurm != nullptr) {
    std::vector<std::uint64_t> runs;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!results.has(at(i))) runs.push_back(at(i));
    }
    shop.slurm->run(runs, {[&](const SweepOutcome& outcome) { results.add(outcome); }, lost, tick});
    return;
  }
  std::uint64_t next = 0;
  WorkerPool::Client client;
  client.next = [&]() -> std::optional<std::uint64_t> {
    while (next < count && results.has(at(next))) ++next;
    if (next == count) return std::nullopt;
    return at(next++);
  };
  client.did = [&](std::uint64_t run, const std::string& answer) { results.add(outcome_in(answer, run)); };
  client.lost = lost;
  client.tick = tick;
  WorkerPool({{own_program(), "sweep", "--worker"}, greeting_of(shop.plan, shop.directory), shop.jobs}).run(client);
}

/// How a table shows what the run has in that column.
std::string told_value(const Workshop& shop, std::uint64_t run, const std::string& name) {
  const std::vector<Metric>& metrics = shop.plan.metrics();
  const auto metric = std::find_if(metrics.begin(), metrics.end(), [&](const Metric& one) { return one.name == name; });
  const auto column = static_cast<std::size_t>(metric - metrics.begin());
  return name + " " + shown_value(shop.results.outcome(run).metrics.at(column));
}

std::string text_of(const SweepPlan& plan, std::uint64_t run, const std::string& metric) {
  const SweepPoint point = plan.point(run);
  std::string text;
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", plan.axis_names()[i], point.values[i]);
  }
  return text + (text.empty() ? "" : ": ") + metric;
}

/// That no run is within the limits, and what the nearest one has.
std::string none_text(const Workshop& shop, const SearchGoal& goal, std::uint64_t nearest, std::uint64_t tried) {
  std::string values;
  std::string limits;
  for (const SearchGoal::Limit& limit : goal.limits) {
    limits += (limits.empty() ? "" : " and ") + limit.text;
    values += (values.empty() ? "" : ", ") + told_value(shop, nearest, limit.metric);
  }
  if (limits.empty()) return fmt::format("none of {} runs tried has {}", tried, goal.metric);
  return fmt::format("none of {} runs tried is within {}; nearest is run {}, {}", tried, limits, nearest,
                     text_of(shop.plan, nearest, values));
}

/// What a search found, a line for each workload on each machine.
struct Found {
  std::string best;  ///< runs
  std::string none;  ///< where no run is within the limits
};

/// Looks for the best run of each workload on each machine.
Found optimise(const Workshop& shop, const SearchGoal& goal) {
  const SweepPlan& plan = shop.plan;
  Found found;
  for (std::uint64_t workload = 0; workload < plan.sizes()[0]; ++workload) {
    for (std::uint64_t machine = 0; machine < plan.sizes()[1]; ++machine) {
      CoordinateSearch search(plan, goal, workload, machine);
      std::uint64_t tried = 0;
      while (!search.wanted().empty()) {
        const std::vector<std::uint64_t> wanted = search.wanted();
        tried += wanted.size();
        play(shop, wanted.size(), [&](std::uint64_t i) { return wanted[i]; });
        for (const std::uint64_t run : wanted) search.hear(shop.results.outcome(run));
      }
      const std::string where = plan.sweep().workloads[workload] +
                                (plan.sweep().machines.empty() ? "" : " on " + plan.sweep().machines[machine]);
      const std::uint64_t of = plan.runs() / plan.sizes()[0] / plan.sizes()[1];
      if (!search.best()) {
        found.none += one_line(where + ": " + none_text(shop, goal, search.nearest(), tried)) + '\n';
        continue;
      }
      const std::uint64_t best = *search.best();
      const std::string value = (goal.most ? "most " : "least ") + told_value(shop, best, goal.metric);
      found.best += fmt::format("best         {}: run {}, {}; {} of {} runs tried\n", where, best,
                                text_of(plan, best, value), tried, of);
    }
  }
  return found;
}

std::optional<SlurmLauncher> slurm_of(const SweepArguments& arguments, const SweepPlan& plan,
                                      const std::filesystem::path& directory) {
  if (arguments.launcher.empty()) {
    if (arguments.batch > 0) throw ConfigError("--batch", "", "--launcher slurm beside it", "none");
    if (!arguments.sbatch.empty()) throw ConfigError("--sbatch", "", "--launcher slurm beside it", "none");
    return std::nullopt;
  }
  SlurmLauncher::Options options;
  options.directory = directory;
  options.name = directory.filename().string();
  options.greeting = greeting_of(plan, directory);
  options.batch = arguments.batch;
  options.cores = std::max(1U, arguments.jobs);
  options.sbatch = arguments.sbatch;
  options.tell = [quiet = arguments.quiet](const std::string& line) {
    if (!quiet) console::tell("{}\n", line);
  };
  return std::make_optional<SlurmLauncher>(std::move(options));
}

/// The goal that was asked for; its metrics become columns.
std::optional<SearchGoal> goal_of(const SweepArguments& arguments, Sweep& sweep) {
  if (arguments.optimise.empty()) {
    if (!arguments.within.empty())
      throw ConfigError("--within", "", "--optimise beside it", in_quotes(arguments.within[0]));
    return std::nullopt;
  }
  if (sweep.repeat > 0) {
    throw ConfigError("--optimise", "", "a sweep without repetitions", fmt::format("{} of each", sweep.repeat));
  }
  SearchGoal goal;
  for (const std::string& limit : arguments.within) goal.limits.push_back(limit_in(limit));
  if (sweep.metrics.empty()) sweep.metrics = usual_metrics();
  // The column of that name, or a new one.
  const auto column = [&](const std::string& name) {
    const auto columns = [&] { return metrics_named(sweep.metrics, "fenceline sweep"); };
    for (const Metric& metric : columns()) {
      if (metric.name == name) return metric;
    }
    sweep.metrics.push_back(name);
    return columns().back();
  };
  const Optimised asked = optimised_in(arguments.optimise);
  const Metric metric = column(asked.metric);
  goal.metric = metric.name;
  goal.most = asked.most.value_or(metric.row != nullptr && metric.row->more_is_better);
  for (SearchGoal::Limit& limit : goal.limits) limit.metric = column(limit.metric).name;
  return goal;
}

/// Pointers of metrics at which no run's report has anything, a line each.
std::string absent_metrics(const SweepPlan& plan, const ResultsFile& results, const SweepArguments& arguments,
                           const SaidSweep& said) {
  std::vector<bool> there(plan.metrics().size(), false);
  results.each([&](const SweepOutcome& outcome) {
    for (std::size_t i = 0; i < outcome.metrics.size(); ++i) there[i] = there[i] || !outcome.metrics[i].is_null();
  });
  std::string text;
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (there[i] || plan.metrics()[i].row != nullptr) continue;
    const ConfigError absent(plan.file(), pointer_to("/metrics", i), "a pointer to what report.json of a run has",
                             in_quotes(plan.metrics()[i].pointer));
    text += std::string(as_typed(absent, arguments, said).what()) + "\n";
  }
  return text;
}

}  // namespace

int sweep(const SweepArguments& arguments) {
  if (arguments.worker) return work_for_sweep();
  if (!arguments.slurm_round.empty()) return play_slurm_task(arguments.slurm_round);
  SaidSweep said = said_sweep(arguments);
  Sweep& wanted = said.sweep;
  const std::optional<SearchGoal> goal = goal_of(arguments, wanted);
  std::optional<SweepPlan> planned;
  PlayedFiles files;
  with_typed(arguments, said, [&] {
    planned.emplace(checked_sweep(wanted, said.file, said.relations));
    files = files_of(*planned);
    check_metrics(*planned, files.names);
  });
  const SweepPlan& plan = *planned;
  const std::filesystem::path out = directory_for(wanted, arguments.out, plan.file());
  SweepDirectory directory(out, arguments.resume);
  ResultsFile results(directory.path() / ResultsFile::name, plan, identity_of(plan, files));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  std::optional<SlurmLauncher> slurm = slurm_of(arguments, plan, directory.path());
  const Workshop shop{plan,    directory.path(),         arguments.jobs == 0 ? cores : arguments.jobs, arguments.quiet,
                      results, slurm ? &*slurm : nullptr};
  Found found;
  if (goal) {
    found = optimise(shop, *goal);
  } else {
    play(shop, plan.runs(), [](std::uint64_t i) { return i; });
  }
  results.finish();
  write_results_csv(directory.path() / "results.csv", plan, results);
  if (plan.repetitions() > 1) write_repetitions_csv(directory.path() / "repetitions.csv", plan, results);
  write_sweep_page(directory.path() / "sweep.html", plan, results);
  directory.finish();
  if (!arguments.quiet) {
    const bool repeats = plan.repetitions() > 1;
    console::print(repeats ? repetitions_table(plan, results, most_rows) : table_of(plan, results, most_rows));
    console::print(found.best);
    console::print("files        {}: {} results.csv {}sweep.html\n", out.string(), ResultsFile::name,
                   repeats ? "repetitions.csv " : "");
    console::print(silent_lines(plan));
  }
  if (results.failed() > 0) {
    console::tell("{} of {} runs failed: their rows say why\n", results.failed(), results.done());
  } else {
    found.none.insert(0, absent_metrics(plan, results, arguments, said));
  }
  if (!found.none.empty()) console::tell(found.none);
  return results.failed() == 0 && found.none.empty() ? done : model_failed;
}

}  // namespace fenceline::cli
