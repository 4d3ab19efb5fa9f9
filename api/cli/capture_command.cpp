// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/pack_capture.hpp"
#include "api/capture/file/workload_document.hpp"
#include "api/cli/commands.hpp"
#include "api/workload/bytecode.hpp"
#include "api/workload/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"
#include "sim/files/whole_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline::cli {
namespace {

namespace fs = std::filesystem;

void tell_cut_off(const std::string& cut_off) {
  if (!cut_off.empty()) console::tell("{}\n", cut_off);
}

}  // namespace

int pack(const PackArguments& arguments) {
  const fs::path file = arguments.workload;
  if (file == "-") throw ConfigError("standard input", "", "a file: it is read twice", "-");
  const std::vector<fs::path> inputs = {file};
  check_output(arguments.out, inputs);
  const LoadedWorkload loaded = load_workload(file, arguments.machine, {});  // it can be played
  WorkloadDocument read = load_workload_document(file);
  if (!read.capture) take_in_bytecode(read.workload, file.string(), file.parent_path());
  WholeFile out(arguments.out, inputs);
  pack_capture(read.workload, dump_config(loaded.machine), out.content());
  out.commit();
  tell_cut_off(loaded.cut_off);
  return done;
}

int unpack(const UnpackArguments& arguments) {
  const fs::path file = arguments.capture;
  const std::vector<fs::path> inputs = {file};
  check_output(arguments.out, inputs);
  if (!arguments.machine_out.empty()) check_output(arguments.machine_out, inputs);
  const WorkloadDocument read = load_workload_document(file);
  if (!read.capture) throw ConfigError(file.string(), "", "a capture", "a JSON document");
  if (!arguments.machine_out.empty()) {
    if (read.capture->machine.is_null()) throw ConfigError(file.string(), "", "a machine that it was taken on", "none");
    write_whole_file(arguments.machine_out, dump_json(read.capture->machine), inputs);
  }
  write_whole_file(arguments.out, dump_json(read.workload), inputs);
  tell_cut_off(read.capture->cut_off);
  return done;
}

}  // namespace fenceline::cli
