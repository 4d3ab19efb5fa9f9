// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/pack_capture.hpp"
#include "api/capture/file/recorded_run.hpp"
#include "api/capture/file/workload_document.hpp"
#include "api/cli/commands.hpp"
#include "api/contents/blob_files.hpp"
#include "api/contents/packed_blobs.hpp"
#include "api/workload/load/blob_contents.hpp"
#include "api/workload/load/bytecode.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"
#include "sim/files/input_file.hpp"
#include "sim/files/whole_file.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::cli {
namespace {

namespace fs = std::filesystem;

/// The blobs that the document names, and where they go: beside it.
std::map<fs::path, SharedBytes> blobs_beside(const WorkloadDocument& read, const fs::path& file, const fs::path& out,
                                             const fs::path& machine_out) {
  const std::set<std::string> named = blobs_named_in(read.workload);
  BlobLimits limits;
  for (const BlobFacts& one : read.capture->blobs) {
    if (named.count(one.name) > 0) limits[one.name] = one.bytes;
  }
  std::map<fs::path, SharedBytes> blobs;
  for (auto& [name, bytes] : read_blobs({file, true, read.bytes}, limits)) {
    const fs::path target = out.parent_path() / name;
    const auto refuse = [&](const std::string& expected, const std::string& found) {
      throw ConfigError(target.string(), "", expected, found);
    };
    if (!is_blob_name(name)) refuse("a blob with the name of a file", in_quotes(name));
    if (target == out || target == machine_out)
      refuse("a place for a blob of the capture", "the place of another file");
    if (fs::exists(target)) {
      const std::uint64_t size = bytes->bytes().size();
      const bool same = fs::is_regular_file(target) && fs::file_size(target) == size &&
                        read_blobs({target, false}, {{name, size}}).at(name)->bytes() == bytes->bytes();
      if (!same) refuse("no file, or one with the bytes of the capture's blob", "another one");
      continue;
    }
    blobs[target] = std::move(bytes);
  }
  return blobs;
}

bool is_same_place(const fs::path& one, const fs::path& other) {
  return fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other));
}

void tell_cut_off(const std::string& cut_off) {
  if (!cut_off.empty()) console::tell("{}\n", cut_off);
}

}  // namespace

int pack(const PackArguments& arguments) {
  const fs::path file = arguments.workload;
  if (file == "-") throw ConfigError("standard input", "", "a file: it is read twice", "-");
  check_output(arguments.out, {file});
  LoadedWorkload loaded = load_workload(file, arguments.machine, {});  // it can be played
  if (loaded.recorded) refuse_changed(*loaded.recorded);
  WorkloadDocument read = load_workload_document(file);
  take_in_bytecode(read, file);
  const auto blobs = packed_blobs(blob_contents(loaded.workload, file.string()), read.workload);
  WholeFile out(arguments.out, files_read());
  pack_capture(read.workload, dump_config(loaded.machine), out.content(), blobs);
  out.commit();
  tell_cut_off(loaded.cut_off);
  return done;
}

int unpack(const UnpackArguments& arguments) {
  const fs::path file = arguments.capture;
  const std::vector<fs::path> inputs = {file};
  check_output(arguments.out, inputs);
  if (!arguments.machine_out.empty()) check_output(arguments.machine_out, inputs);
  if (!arguments.machine_out.empty() && is_same_place(arguments.out, arguments.machine_out)) {
    throw ConfigError("--machine-out", "", "another file than the workload's", arguments.machine_out);
  }
  const WorkloadDocument read = load_workload_document(file);
  if (!read.capture) throw ConfigError(file.string(), "", "a capture", "a JSON document");
  const auto blobs = blobs_beside(read, file, arguments.out, arguments.machine_out);
  if (!arguments.machine_out.empty()) {
    if (read.capture->machine.is_null()) throw ConfigError(file.string(), "", "a machine that it was taken on", "none");
    write_whole_file(arguments.machine_out, dump_json(read.capture->machine), inputs);
  }
  write_whole_file(arguments.out, dump_json(read.workload), inputs);
  for (const auto& [target, bytes] : blobs) {
    const auto& all = bytes->bytes();
    write_whole_file(target, {reinterpret_cast<const char*>(all.data()), all.size()}, inputs);
  }
  tell_cut_off(read.capture->cut_off);
  return done;
}

}  // namespace fenceline::cli
