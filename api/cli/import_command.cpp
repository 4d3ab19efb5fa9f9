// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/progress.hpp"
#include "api/import/import_kineto.hpp"
#include "api/import/nsys/read_nsys.hpp"
#include "api/import/read_kineto.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::cli {
namespace {

namespace fs = std::filesystem;

bool is_plain(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// One process for each trace: as named, else after the files, else none for a trace that is alone.
std::vector<std::string> contexts_of(const ImportArguments& arguments) {
  std::vector<std::string> contexts = arguments.contexts;
  if (contexts.empty() && arguments.files.size() == 1) return {""};
  const bool named = !contexts.empty();
  if (named && contexts.size() != arguments.files.size()) {
    throw ConfigError("--context", "", fmt::format("one for each of the {} traces, or none", arguments.files.size()),
                      fmt::format("{}", contexts.size()));
  }
  for (std::size_t i = contexts.size(); i < arguments.files.size(); ++i) {
    const std::string file = fs::path(arguments.files[i]).filename().string();
    contexts.push_back(file.substr(0, file.find('.')));
  }
  std::set<std::string> taken;
  for (const std::string& context : contexts) {
    if (!is_plain(context)) {
      throw ConfigError("--context", "", "a name of letters, digits, _ and -",
                        in_quotes(context) + (named ? "" : ", after the file"));
    }
    if (!taken.insert(context).second) {
      throw ConfigError("--context", "", "a name of its own for each trace",
                        in_quotes(context) + (named ? " a second time" : " a second time, after the files"));
    }
  }
  return contexts;
}

/// How the workload names the machine: a built-in one, or a file seen from where the workload will be.
std::string machine_for(const std::string& machine, const fs::path& out) {
  if (machine.find_first_of("./") == std::string::npos) return machine;
  const std::string seen = fs::absolute(machine).lexically_proximate(fs::absolute(out).parent_path()).generic_string();
  return seen.find_first_of("./") == std::string::npos ? "./" + seen : seen;
}

std::string count_of(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string summary_of(const KinetoImport& one) {
  std::string text;
  const auto add = [&](auto&&... arguments) { fmt::format_to(std::back_inserter(text), arguments...); };
  const auto [least, most] = std::minmax_element(one.step_us.begin(), one.step_us.end());
  add("{}{}\n", one_line(one.file), one.context.empty() ? "" : ": process " + one.context);
  add("  operations   {}: {}, {}, {}\n", one.kernels + one.copies + one.fills, count_of(one.kernels, "kernel"),
      one.copies == 1 ? "1 copy" : fmt::format("{} copies", one.copies), count_of(one.fills, "memset"));
  add("  queues       {}; dependencies between them: {} stated, {} inferred\n", one.queues, one.stated_waits,
      one.inferred_waits);
  add("  lists        {} executed, {} recorded, with {}\n", one.executions, one.lists,
      count_of(one.pipelines, "pipeline"));
  add("  steps        {}, measured {:.3f} .. {:.3f} us\n", one.step_us.size(), *least, *most);
  add("  span         {:.3f} us measured\n", one.span_us);
  if (one.ranges > 0) {
    add("  ranges       {} of {} NVTX ranges have launches in them: regions of their queues\n", one.ranges_around,
        one.ranges);
  }
  if (one.whole_graphs > 0) {
    add("  graphs       {} without its kernels (`nsys profile --cuda-graph-trace=node` has them): as one kernel each\n",
        count_of(one.whole_graphs, "launch of a graph"));
  }
  if (one.assumed.kernels > 0) {
    add("  assumed      {} without grid and block: as many blocks of {} threads as the machine holds at once\n",
        count_of(one.assumed.kernels, "kernel"), assumed_block_threads);
  }
  if (one.assumed.concatenations > 0) {
    add("  assumed      {} of one long tensor: a single row of blocks\n",
        count_of(one.assumed.concatenations, "concatenation"));
  }
  if (one.assumed.copies > 0) {
    add("  assumed      {} without bytes: what the machine moves in the measured time\n",
        one.assumed.copies == 1 ? "1 copy or memset" : fmt::format("{} copies and memsets", one.assumed.copies));
  }
  if (one.unmatched > 0) {
    add("  unmatched    {} that the machine cannot do in the measured time\n", count_of(one.unmatched, "kernel"));
  }
  return text;
}

nlohmann::ordered_json json_of(const KinetoImport& one) {
  return {{"file", one.file},
          {"context", one.context},
          {"kernels", one.kernels},
          {"copies", one.copies},
          {"memsets", one.fills},
          {"queues", one.queues},
          {"stated_dependencies", one.stated_waits},
          {"inferred_dependencies", one.inferred_waits},
          {"lists_executed", one.executions},
          {"lists_recorded", one.lists},
          {"pipelines", one.pipelines},
          {"assumed_kernels", one.assumed.kernels},
          {"assumed_copies", one.assumed.copies},
          {"assumed_concatenations", one.assumed.concatenations},
          {"unmatched_kernels", one.unmatched},
          {"whole_graphs", one.whole_graphs},
          {"ranges", one.ranges},
          {"ranges_around_launches", one.ranges_around},
          {"span_us", one.span_us},
          {"step_us", one.step_us}};
}

using Progress = std::function<void(std::uint64_t, std::uint64_t)>;

/// Another tool's files.
struct TraceKind {
  const char* called;  // several of them
  KinetoTrace (*read)(const fs::path& file, const Progress& progress, std::optional<std::uint32_t> device);
};

/// With the work of one device alone, if one is given.
KinetoTrace read_kineto_of(const fs::path& file, const Progress& progress, std::optional<std::uint32_t> device) {
  KinetoTrace trace = read_kineto(file, progress);
  if (!device) return trace;
  trace.ops.erase(
      std::remove_if(trace.ops.begin(), trace.ops.end(), [&](const KinetoOp& op) { return op.device != *device; }),
      trace.ops.end());
  if (trace.ops.empty()) {
    throw ConfigError(trace.file, trace.pointer_prefix, fmt::format("GPU work of device {}", *device), "none");
  }
  return trace;
}

int import_traces(const ImportArguments& arguments, const TraceKind& kind) {
  const std::vector<std::string> contexts = contexts_of(arguments);
  const fs::path out = arguments.out;
  const bool to_standard_output = out == "-";
  if (to_standard_output && arguments.json) {
    throw ConfigError("--json", "", "a file for the workload, for the document goes to standard output", "-o -");
  }
  std::vector<fs::path> inputs(arguments.files.begin(), arguments.files.end());
  inputs.emplace_back(arguments.machine);  // a name of a built-in one is no file, or an output that looks like it
  check_output(out, inputs);
  const MachineConfig machine = load_machine(arguments.machine, "", {});
  Workload workload;
  workload.name = (to_standard_output ? fs::path(arguments.files.front()) : out).stem().string();
  workload.machine = machine_for(arguments.machine, out);
  workload.source = fmt::format("Imported from {} with the times of machine {}:", kind.called, machine.name);
  KinetoImporter importer(machine, workload);
  std::vector<KinetoImport> imports;
  for (std::size_t i = 0; i < arguments.files.size(); ++i) {
    const fs::path file = arguments.files[i];
    KinetoTrace trace;
    {
      ProgressBar bar("bytes of " + one_line(file.filename().string()));
      trace = kind.read(
          file, [&](std::uint64_t done, std::uint64_t total) { bar.show(done, total); }, arguments.device);
    }
    ProgressBar bar("lists of " + one_line(file.filename().string()));
    imports.push_back(importer.add(std::move(trace), contexts[i],
                                   [&](std::uint64_t done, std::uint64_t total) { bar.show(done, total); }));
    workload.source += (i == 0 ? " " : ", ") + one_line(file.filename().string());
  }
  write_whole_file(out, dump_json(dump_config(workload)), inputs);
  if (arguments.json) {
    nlohmann::ordered_json document;
    document["workload"] = out.string();
    document["traces"] = nlohmann::ordered_json::array();
    for (const KinetoImport& one : imports) document["traces"].push_back(json_of(one));
    console::print(dump_json(document));
    return done;
  }
  std::string summary;
  for (const KinetoImport& one : imports) summary += summary_of(one);
  if (to_standard_output) {
    console::tell(summary);
  } else {
    console::print("{}workload     {}\n", summary, one_line(out.string()));
  }
  return done;
}

}  // namespace

int import_kineto(const ImportArguments& arguments) {
  return import_traces(arguments, {"Kineto traces", read_kineto_of});
}

int import_nsys(const ImportArguments& arguments) {
  return import_traces(arguments, {"databases of Nsight Systems", read_nsys});
}

}  // namespace fenceline::cli
