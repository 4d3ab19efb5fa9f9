// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/run/output_keys.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
}

namespace fenceline::cli {

/// What the process returns.
enum ExitCode : int {
  done = 0,
  model_failed = 1,  ///< a deadlock, a full disk, a mistake of ours, a limit missed that was to be checked
  wrong_input = 2,
  bugchecked = 3,  ///< too many timeouts, or one that was not to be recovered from, ended the run
};

struct RunArguments {
  std::string workload;
  std::string machine;
  std::vector<std::string> sets;
  std::string out;      ///< empty: runs/<name of the workload file>
  std::string capture;  ///< file for the work as it was played; empty: none
  std::string fork;     ///< simulated time with its unit at which `sets` come to count; empty: from the beginning
  double limit_us = 0;  ///< of simulated time; 0: none
  std::string until;    ///< simulated time with its unit; empty: the end
  std::uint64_t output_limit_mib = 1024;
  bool trace = false;
  OutputKeys outputs = {};
  std::string only;  ///< names of outputs, by commas; empty: what every run has
  bool check_invariants = false;
  bool json = false;
  std::string from = {};  ///< a point; empty: the beginning
  std::string to = {};    ///< a point; empty: the end
  bool single_queue = false;
  std::uint64_t passes = 1;
  std::string fast_forward;                ///< a point; empty: none
  std::uint64_t repeat = 0;                ///< so many runs, each with jitter of another seed; 0: one run
  std::optional<std::uint64_t> seed = {};  ///< of the first of them, or of the one; unset: 1, or no jitter
  std::uint32_t jobs = 1;                  ///< processes at a time
};
int run(const RunArguments& arguments);
int repeat(const RunArguments& arguments);    // with arguments.repeat
int fork_run(const RunArguments& arguments);  // with arguments.fork

/// What `fenceline sweep` is given.
struct SweepArguments {
  std::vector<std::string> files;  ///< a sweep, or workloads
  std::vector<std::string> machines;
  std::vector<std::string> sets;
  std::vector<std::string> varied;  ///< as axis_in takes them
  std::vector<std::string> metrics;
  std::string optimise;             ///< metric; empty: all runs are played
  std::vector<std::string> within;  ///< limits, as limit_in takes them
  std::string outputs;              ///< names by commas; empty: the sweep's own
  std::string out;                  ///< empty: runs/ and the sweep's name
  double limit_us = 0;
  unsigned jobs = 0;                  ///< 0: one for each core
  std::uint64_t repeat = 0;           ///< 0: the sweep's own
  std::optional<std::uint64_t> seed;  ///< of the first repetition
  std::string launcher;               ///< "slurm"; empty: workers are processes of this command
  std::uint64_t batch = 0;            ///< runs of a task of Slurm; 0: by the cluster's size
  std::vector<std::string> sbatch;    ///< its options
  std::string slurm_round;            ///< is such a task: the directory that says what to play
  bool resume = false;
  bool quiet = false;
  bool worker = false;  ///< is one: reads what to do from standard input
};
int sweep(const SweepArguments& arguments);
void add_sweep_verb(CLI::App& app, const std::string& machine_help, const std::string& set_help, int& code);

struct CheckArguments {
  std::vector<std::string> files;
  std::string machine;
  bool expanded = false;  ///< prints all values of machines
};
int check(const CheckArguments& arguments);

struct SchemaArguments {
  std::string kind;       ///< "machine" or "workload"
  std::string directory;  ///< not empty: writes both schemas there
};
int schema(const SchemaArguments& arguments);

struct ValidateArguments {
  std::vector<std::string> paths;
  std::string machine;  ///< empty: those that a directory of machines names, else h200
  std::vector<std::string> sets;
  bool json = false;
  bool rows = false;
  bool ops = false;
  bool check = false;
};
int validate(const ValidateArguments& arguments);

struct ImportArguments {
  std::vector<std::string> files;
  std::vector<std::string> contexts;         ///< processes, one for each file; may be empty
  std::optional<std::uint32_t> device = {};  ///< whose work is taken, of files with several; unset: they have one
  std::string machine = "h200";
  std::string out;
  bool json = false;
};
int import_kineto(const ImportArguments& arguments);
int import_nsys(const ImportArguments& arguments);

struct PackArguments {
  std::string workload;
  std::string machine;  ///< empty: the workload's own
  std::string out;
};
int pack(const PackArguments& arguments);

struct UnpackArguments {
  std::string capture;
  std::string out;
  std::string machine_out;  ///< empty: not written
};
int unpack(const UnpackArguments& arguments);

struct InfoArguments {
  std::string workload;
  bool json = false;
};
int info(const InfoArguments& arguments);

struct TrimArguments {
  std::string workload;
  std::string from;
  std::string to;
  std::string out;
};
int trim(const TrimArguments& arguments);

struct ReportArguments {
  std::string run;       ///< its directory
  std::string resource;  ///< name; empty: html
  bool html = false;     ///< the run is to have timeline.html
  bool json = false;
};
int report(const ReportArguments& arguments);

struct ExplainArguments {
  std::string run;           ///< its directory
  std::string deadline;      ///< name; empty: of something else
  std::string queue;         ///< name; empty: of something else
  std::uint64_t packet = 0;  ///< number; 0: of something else
  std::uint64_t frame = 0;   ///< number; 0: of something else
  std::string swap_chain;    ///< of the frame; empty: the only one
  double at_us = -1;  ///< simulated time; below 0: of a deadline the latest, of a packet half-way through its wait
  bool json = false;
};
int explain(const ExplainArguments& arguments);

struct CompareArguments {
  std::string one;    ///< a run's directory, or its report.json
  std::string other;  ///< the same
  std::string html;   ///< file for a page with both timelines; empty: none
  bool all = false;   ///< every difference, not the first ones
  bool json = false;
};
int compare(const CompareArguments& arguments);

/// The verbs for runs that are over: report, explain and compare. What they return goes to `code`.
void add_history_verbs(CLI::App& app, int& code);

struct CacheArguments {
  std::string directory;            ///< empty: where programs have their caches
  std::vector<std::string> caches;  ///< beginnings of identifiers, of "PROGRAM-XXXXXXXX/IDENTIFIER"; empty: all
  bool all = false;                 ///< of clear
  bool json = false;
};
int list_caches(const CacheArguments& arguments);
int stat_caches(const CacheArguments& arguments);
int verify_caches(const CacheArguments& arguments);
int clear_caches(const CacheArguments& arguments);

/// With dxc's options, which no parser of others reads: shader_arguments.hpp.
int shader(const std::vector<std::string>& arguments);

}  // namespace fenceline::cli
