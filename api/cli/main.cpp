// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/usage/examples.hpp"
#include "api/cli/usage/misspelt.hpp"
#include "api/cli/usage/number_arguments.hpp"
#include "api/cli/usage/usage_verbs.hpp"
#include "api/documents/file_kind.hpp"
#include "api/machine_config.hpp"
#include "api/report/contents/access_log.hpp"
#include "api/report/run/outputs.hpp"
#include "api/sweep/metric.hpp"
#include "api/version.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"
#include "sim/files/descriptor.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstddef>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace fenceline;  // NOLINT(google-build-using-namespace): the program's own main file

constexpr const char* footer = R"(
A pointer in --set is a JSON Pointer into the machine, such as /engines/0/clock_mhz=1800; one that begins with
/workload goes into the workload. An element of a list goes by its index, its name, or its type where that says
which: /engines/3d/clock_mhz=1800, /workload/queues/compositor/priority=high. Values are JSON or plain text.

Exit codes: 0 done, 1 the model failed (a deadlock, --limit-us reached, a full disk, a limit missed under
--check, a rule broken under --check-invariants), 2 the input is wrong, 3 a bugcheck (too many timeouts)
ended the run.)";

constexpr const char* cache_footer = R"(
A cache is named by its identifier, as list shows it, or by a beginning that no other one has; where programs share it,
with the program's folder before it: PROGRAM-XXXXXXXX/28e2495d.

Exit codes: 0 done, 1 damage was found by verify, something could not be read or was not cleared, 2 there is no such
cache or directory.)";
constexpr const char* cache_directory_help =
    "a directory with files of caches, or with folders of programs (default: $XDG_CACHE_HOME/fenceline, else "
    "$HOME/.cache/fenceline)";

const std::vector<FileKind> playable = {FileKind::workload, FileKind::capture, FileKind::report, FileKind::run};
const std::vector<FileKind> machines = {FileKind::machine};

struct CacheVerb {
  const char* name;
  const char* help;
  int (*run)(const cli::CacheArguments&);
  bool takes_caches = true;
  bool takes_all = false;
};
constexpr CacheVerb cache_verbs[] = {
    {"list", "a line for each cache: program, identifier, version, entries, sizes, whether it is open",
     cli::list_caches, false},
    {"stat", "all that the files of caches tell", cli::stat_caches},
    {"verify", "read every entry and check it; exit with 1 where one is damaged. Changes nothing", cli::verify_caches},
    {"clear", "remove caches, or empty those that are open; without names and --all only say what would be done",
     cli::clear_caches, true, true},
};

constexpr const char* points_help = R"(
A point is frame:N, behind N presents, or submit:N, behind N ExecuteCommandLists, and behind the signals that follow
there; N counts from 0, in the order of the work: in which it would be done if the GPU and calls took no time.
docs/replay.md has the rules.)";

/// For what has `from` and `to`.
template <class Arguments>
void add_range(CLI::App& command, Arguments& arguments) {
  command.add_option("--from", arguments.from, "leave out what comes before this point: frame:N or submit:N");
  command.add_option("--to", arguments.to, "leave out what comes behind this point: frame:N or submit:N");
}

std::string files_of_a_run() {
  std::string text = fmt::format("Files of a run directory:\n  {:<16} statistics, machine and workload\n", report_file);
  for (const OutputRow& output : outputs()) {
    const std::string asked = output.key == nullptr ? "" : fmt::format("with --{}: ", output.key);
    text += fmt::format("  {:<16} {}{}\n", output.file, asked, output.what);
  }
  return text + fmt::format("  {:<16} {}\n", accesses_file,
                            "of workloads that say what resources contain: a row per read and write of their bytes");
}

std::string refuse_end(const std::string& text) {
  if (cli::time_in(text)) return "";
  const std::string meant = cli::time_in(text + "us") ? fmt::format(" (did you mean {}us?)", text) : "";
  return "expected a time such as 500us, 16.7ms or 1s, found " + in_quotes(text) + meant;
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{"Fenceline: a cycle-approximate GPU simulator with several engines and a preemptive scheduler"};
  app.set_version_flag("--version", std::string("fenceline ") + version);
  app.require_subcommand(1);
  app.footer(footer);
  int code = cli::done;

  const std::string machine_help =
      fmt::format("machine: a JSON file, or the name of a built-in one ({})", fmt::join(builtin_machine_names(), ", "));
  const char* set_help = "change one value: /pointer=value; may be given several times";

  cli::RunArguments run;
  auto* run_command = app.add_subcommand("run", "play a workload; write a run directory and print a summary");
  run_command->footer(files_of_a_run() + points_help);
  run_command
      ->add_option("workload", run.workload,
                   "workload: a JSON file or a capture, or - for standard input; a run's directory or "
                   "report.json plays that run again")
      ->required();
  run_command->add_option("--machine", run.machine, machine_help);
  run_command->add_option("--set", run.sets, set_help)->take_all()->allow_extra_args(false);
  run_command->add_option("--out", run.out, "run directory (default: runs/ and the workload file's name)");
  run_command->add_option("--capture", run.capture,
                          "write the work as it is played to this file: a capture (api/capture/README.md)");
  run_command
      ->add_option("--limit-us", run.limit_us,
                   "stop at this simulated time, microseconds; what has not completed by then is told, exit code 1")
      ->check(CLI::Validator(cli::refuse_limit_us, "1e-6 to 9e12"));
  run_command
      ->add_option("--until", run.until, "end the run at this simulated time, such as 500us, 16.7ms or 1s; exit code 0")
      ->check(CLI::Validator(refuse_end, "TIME"))
      ->excludes("--limit-us");
  auto* fork_option = run_command
                          ->add_option("--fork", run.fork,
                                       "play it twice, in the second run with what --set says from this simulated time "
                                       "on, such as 16.7ms, and print what became different; into OUT/unchanged and "
                                       "OUT/changed")
                          ->check(CLI::Validator(refuse_end, "TIME"));
  run_command
      ->add_option("--output-limit-mib", run.output_limit_mib,
                   "end the run when its files would be larger than so many MiB together")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 30))
      ->capture_default_str();
  add_range(*run_command, run);
  run_command->add_flag("--single-queue", run.single_queue,
                        "play all queues' work on one direct queue, in an order that keeps every queue's and every "
                        "fence's");
  run_command->add_option("--loop", run.passes, "play the work so many times, each pass when the one before is over")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
      ->capture_default_str();
  run_command->add_option("--fast-forward", run.fast_forward,
                          "write and count nothing of the run before this point: frame:N or submit:N");
  auto* repeat = run_command
                     ->add_option("--repeat", run.repeat,
                                  "play it so many times, each time with launches and fences that take longer at "
                                  "random as the machine says; report.json and the summary have distributions")
                     ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}));
  run_command
      ->add_option(
          "--seed", run.seed,
          "of what is random: of the first run of --repeat, each further one has the next (default: 1); without "
          "--repeat, of one run with jitter")
      ->check(CLI::Validator(cli::refuse_seed, "a number"));
  run_command->add_option("--jobs", run.jobs, "processes at a time for --repeat; the result is the same")
      ->check(CLI::Range(1u, 256u))
      ->needs(repeat)
      ->capture_default_str();
  run_command->add_flag(
      "--trace", run.trace,
      "trace.json shows each command by itself, waves of thread groups, channel rates and resident threads");
  for (const OutputRow& output : outputs()) {
    if (output.key == nullptr) continue;
    run_command->add_flag_callback(
        fmt::format("--{}", output.key), [&run, key = output.key] { run.outputs.insert(key); },
        fmt::format("also write {}: {}", output.file, output.what));
  }
  run_command
      ->add_option("--outputs", run.only,
                   fmt::format("write these files alone, such as report,packets: {}", fmt::join(output_names(), ", ")))
      ->check(CLI::Validator(cli::refuse_no_outputs, ""));
  run_command->add_flag("--check-invariants", run.check_invariants,
                        "hold the run against the rules of queues, fences and preemption; a broken one ends it");
  run_command->add_flag("--json", run.json,
                        "print the run's report.json instead of the summary; of --fork what is different");
  for (const char* option : {"--capture", "--until", "--loop", "--fast-forward", "--trace", "--check-invariants"}) {
    repeat->excludes(run_command->get_option(option));
  }
  for (const char* option : {"--capture", "--repeat", "--from", "--to", "--single-queue", "--loop"}) {
    fork_option->excludes(run_command->get_option(option));
  }
  run_command->callback([&] {
    code = with_files({{run.workload, playable}, {run.machine, machines}}, [&] {
      if (run.repeat > 0) return cli::repeat(run);
      return run.fork.empty() ? cli::run(run) : cli::fork_run(run);
    });
  });

  cli::add_sweep_verb(app, machine_help, set_help, code);

  cli::CheckArguments check;
  auto* check_command =
      app.add_subcommand("check", "check workload, machine, sweep and measured files without playing them");
  check_command->add_option("files", check.files, "JSON files and captures")->required();
  check_command->add_option("--machine", check.machine, "machine to check workloads against (default: their own)");
  check_command->add_flag("--expanded", check.expanded,
                          "print all values of a machine, with what it is like filled in");
  check_command->callback([&] { code = cli::check(check); });

  cli::SchemaArguments schema;
  auto* schema_command = app.add_subcommand("schema", "print the JSON Schema of machine, workload or sweep files");
  const std::vector<std::string> schema_kinds = {"machine", "workload", "sweep"};
  schema_command->add_option("kind", schema.kind, "machine, workload or sweep")
      ->check(CLI::Validator([&](const std::string& text) { return cli::refuse_word(text, schema_kinds); },
                             "{machine,workload,sweep}"));
  schema_command->add_option("--write", schema.directory,
                             "write machine.schema.json, workload.schema.json and sweep.schema.json there");
  schema_command->callback([&] { code = cli::schema(schema); });

  cli::ValidateArguments validate;
  auto* validate_command = app.add_subcommand("validate", "play measured cases and print the error of the simulator");
  validate_command
      ->add_option("paths", validate.paths, "measured files, known by their content, or directories of them")
      ->required();
  validate_command->add_option("--machine", validate.machine,
                               machine_help +
                                   ". Without it h200; of a directory of directories whose machines.json "
                                   "name machines, such as bench/hardware, each is played on its own");
  validate_command->add_option("--set", validate.sets, set_help)->take_all()->allow_extra_args(false);
  validate_command->add_flag("--json", validate.json, "print one JSON document and nothing else");
  validate_command->add_flag("--rows", validate.rows, "print every case (one file alone: always)");
  validate_command->add_flag("--ops", validate.ops, "also print every operation of every case");
  validate_command->add_flag("--check", validate.check, "exit with 1 when a limit is missed");
  validate_command->callback([&] {
    std::vector<GivenFile> given = {{validate.machine, machines}};
    for (const std::string& path : validate.paths) given.push_back({path, {FileKind::measured}});
    code = with_files(given, [&] { return cli::validate(validate); });
  });

  cli::ImportArguments import;
  auto* import_command = app.add_subcommand("import", "turn what another tool recorded into a workload");
  import_command->require_subcommand(1);
  const auto import_verb = [&](const char* name, const char* about, const char* files, auto function) {
    auto* command = import_command->add_subcommand(name, about);
    command->add_option("files", import.files, files)->required();
    command->add_option("-o,--out", import.out, "workload to write: a JSON file")->required();
    command
        ->add_option("--context", import.contexts,
                     "process of the trace, once for each trace in their order; names begin with it. Processes run "
                     "side by side, they are not time-sliced. Default with several traces: their file names")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--device", import.device,
                        "number of the device whose work is taken, of traces with work of several");
    command->add_option("--machine", import.machine, machine_help)->capture_default_str();
    command->add_flag("--json", import.json, "print one JSON document instead of the summary");
    command->callback([&, function] {
      code = with_files({{import.machine, machines}}, [&] { return function(import); });
    });
  };
  import_verb("kineto",
              "a PyTorch profiler (Kineto) trace: streams become queues, kernels dispatches that last as long as "
              "measured",
              "traces: JSON files", cli::import_kineto);
  import_verb("nsys",
              "a report of NVIDIA Nsight Systems, as `nsys export --type sqlite` writes it: as of a Kineto trace, and "
              "NVTX ranges become regions of queues",
              "databases: SQLite files", cli::import_nsys);

  cli::PackArguments pack;
  auto* pack_command = app.add_subcommand("pack", "write a workload as a capture: small, checked, with its machine");
  pack_command->add_option("workload", pack.workload, "workload: a JSON file")->required();
  pack_command->add_option("-o,--out", pack.out, "capture to write")->required();
  pack_command->add_option("--machine", pack.machine, machine_help);
  pack_command->callback([&] {
    code = with_files({{pack.workload, playable}, {pack.machine, machines}}, [&] { return cli::pack(pack); });
  });

  cli::UnpackArguments unpack;
  auto* unpack_command = app.add_subcommand("unpack", "write a capture as a workload that can be read and edited");
  unpack_command->add_option("capture", unpack.capture, "capture, or - for standard input")->required();
  unpack_command->add_option("-o,--out", unpack.out, "workload to write: a JSON file")->required();
  unpack_command->add_option("--machine-out", unpack.machine_out,
                             "also write the machine that it was taken on: a JSON file");
  unpack_command->callback([&] {
    code = with_files({{unpack.capture, {FileKind::capture}}}, [&] { return cli::unpack(unpack); });
  });

  cli::TrimArguments trim;
  auto* trim_command = app.add_subcommand("trim", "write a part of a workload's work as a workload of its own");
  trim_command->footer(points_help);
  trim_command->add_option("workload", trim.workload, "workload: a JSON file or a capture")->required();
  trim_command->add_option("-o,--out", trim.out, "file to write: of a capture a capture, of JSON JSON")->required();
  add_range(*trim_command, trim);
  trim_command->callback([&] { code = with_files({{trim.workload, playable}}, [&] { return cli::trim(trim); }); });

  cli::InfoArguments info;
  auto* info_command = app.add_subcommand("info", "say what a capture or workload holds, without playing it");
  info_command->add_option("workload", info.workload, "capture or JSON workload, or - for standard input")->required();
  info_command->add_flag("--json", info.json, "print one JSON document and nothing else");
  info_command->callback([&] { code = with_files({{info.workload, playable}}, [&] { return cli::info(info); }); });

  cli::add_history_verbs(app, code);

  cli::CacheArguments cache;
  auto* cache_command = app.add_subcommand("cache", "look at the shader caches of programs, check and clear them");
  cache_command->require_subcommand(1);
  cache_command->footer(cache_footer);
  for (const CacheVerb& verb : cache_verbs) {
    auto* command = cache_command->add_subcommand(verb.name, verb.help);
    command->footer(cache_footer);
    if (verb.takes_caches) {
      command->add_option("caches", cache.caches,
                          verb.takes_all ? "caches: beginnings of their identifiers"
                                         : "caches: beginnings of their identifiers (default: all)");
    }
    command->add_option("--directory", cache.directory, cache_directory_help);
    if (verb.takes_all) command->add_flag("--all", cache.all, "clear all of the directory");
    command->add_flag("--json", cache.json, "print one JSON document and nothing else");
    command->callback([&code, &cache, run = verb.run] { code = run(cache); });
  }

  // Its options are dxc's (-Fo, -T), of a kind that this parser does not read: all that is behind goes to the command.
  auto* shader_command = app.add_subcommand("shader", "compile HLSL for D3D12 programs, with the options of dxc");
  shader_command->set_help_flag();
  shader_command->prefix_command();
  shader_command->callback([&] { code = cli::shader(shader_command->remaining()); });

  std::vector<std::string> metrics;
  for (const MetricRow& row : metric_rows()) metrics.emplace_back(row.name);
  const std::vector<std::string_view> outputs = output_names();
  cli::add_usage_verbs(app, {{"--machine", builtin_machine_names()},
                             {"--outputs", {outputs.begin(), outputs.end()}},
                             {"--metric", metrics},
                             {"--optimise", metrics},
                             {"--launcher", {"slurm"}},
                             {"schema", schema_kinds},
                             {"completion", {"bash"}}});

  cli::add_examples(app);

  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::string misspelt = cli::misspelt_verb(app, arguments);
  if (!misspelt.empty()) {
    console::tell(misspelt);
    return cli::wrong_input;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help and version
    console::tell(cli::refused_arguments(app, error, arguments));
    return cli::wrong_input;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  fenceline::keep_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // what is beyond `ulimit -f` is told as any other error of writing
  try {
    const int code = parse_and_run(argc, argv);
    // What does not fit a full disk is noticed here at the latest.
    if (!std::cout.flush() || !fenceline::console::flush()) {
      fenceline::console::tell("fenceline: cannot write to standard output\n");
      return fenceline::cli::model_failed;
    }
    return code;
  } catch (const fenceline::ConfigError& error) {
    fenceline::console::tell(error.lines());
    return fenceline::cli::wrong_input;
  } catch (const std::exception& error) {
    fenceline::console::tell("fenceline: {}\n", fenceline::one_line(error.what()));
    return fenceline::cli::model_failed;
  }
}
