// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/machine_document.hpp"
#include "api/sweep/sweep.hpp"
#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace fenceline::cli {
namespace {

std::string schema_text(const std::string& kind) {
  if (kind == "machine") return dump_json(machine_schema());
  if (kind == "sweep") return dump_json(schema_of<Sweep>("Fenceline sweep"));
  return dump_json(schema_of<Workload>("Fenceline workload"));
}

}  // namespace

int schema(const SchemaArguments& arguments) {
  if (!arguments.directory.empty()) {
    std::filesystem::create_directories(arguments.directory);
    for (const char* kind : {"machine", "workload", "sweep"}) {
      write_whole_file(std::filesystem::path(arguments.directory) / fmt::format("{}.schema.json", kind),
                       schema_text(kind));
    }
    return done;
  }
  if (arguments.kind.empty()) {
    console::tell("fenceline schema: expected machine, workload, sweep or --write DIR, found nothing\n");
    return wrong_input;
  }
  console::print(schema_text(arguments.kind));
  return done;
}

}  // namespace fenceline::cli
