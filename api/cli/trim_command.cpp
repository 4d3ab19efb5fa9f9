// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/pack_capture.hpp"
#include "api/capture/file/recorded_run.hpp"
#include "api/capture/file/workload_document.hpp"
#include "api/cli/commands.hpp"
#include "api/workload/load/blob_contents.hpp"
#include "api/workload/replay/replayed.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config/without_defaults.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"
#include "sim/files/input_file.hpp"
#include "sim/files/whole_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline::cli {
namespace {

namespace fs = std::filesystem;

/// The trimmed workload stands in another place, and what code says is in it.
void make_independent(Workload& workload, const fs::path& from, const fs::path& to) {
  for (ComputePipelineInfo& pipeline : workload.compute_pipelines) pipeline.bytecode.clear();
  for (GraphicsPipelineInfo& pipeline : workload.graphics_pipelines) {
    pipeline.vertex_bytecode.clear();
    pipeline.pixel_bytecode.clear();
  }
  const bool is_file = workload.machine.find_first_of("./") != std::string::npos;
  if (!is_file || fs::path(workload.machine).is_absolute()) return;
  workload.machine = fs::proximate(fs::absolute(from).parent_path() / workload.machine, fs::absolute(to).parent_path())
                         .generic_string();
}

/// Blobs are files beside the workload that names them.
void check_beside(const fs::path& workload, const fs::path& out) {
  const fs::path wanted = fs::absolute(workload).parent_path();
  if (fs::weakly_canonical(fs::absolute(out).parent_path()) == fs::weakly_canonical(wanted)) return;
  throw ConfigError(out.string(), "", "a place beside the workload, in " + wanted.string() + ", where its blobs are",
                    "another directory");
}

}  // namespace

int trim(const TrimArguments& arguments) {
  const fs::path file = arguments.workload;
  if (file == "-") throw ConfigError("standard input", "", "a file: it is read twice", "-");
  check_output(arguments.out, {file});
  const ReplayChoice choice{range_of(arguments.from, arguments.to), false};
  LoadedWorkload loaded = replayed(load_workload(file, "", {}), choice, file.string());
  if (loaded.recorded) refuse_changed(*loaded.recorded);
  const WorkloadDocument read = load_workload_document(file);
  make_independent(loaded.workload, file, arguments.out);
  const std::vector<BlobContent> contents = blob_contents(loaded.workload, file.string());
  nlohmann::ordered_json workload = dump_config(loaded.workload);
  remove_defaults(workload, type_of<Workload>());
  WholeFile out(arguments.out, files_read());
  if (read.capture) {
    nlohmann::json document(workload);
    const std::vector<PackedBlob> blobs = packed_blobs(contents, document);
    pack_capture(document, read.capture->machine, out.content(), blobs);
  } else {
    if (!contents.empty()) check_beside(file, arguments.out);
    out.content().append(dump_json(workload));
  }
  out.commit();
  if (!loaded.cut_off.empty()) console::tell("{}\n", loaded.cut_off);
  return done;
}

}  // namespace fenceline::cli
